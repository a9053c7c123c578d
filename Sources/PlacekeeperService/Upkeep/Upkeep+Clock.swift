import PlacekeeperConcurrency
package import PlacekeeperCore

/// Suspected problems with the system clock, for operators.
package struct ClockFindings: Sendable, Hashable {
    /// How far the latest stored time of any user is ahead of the system clock. Nil if the difference is usual between
    /// the clocks of two machines.
    package var lead: Duration?
    /// Until when expired data is kept. Nil if pruning isn't waiting.
    package var pruningWaitsUntil: Timestamp?

    package init(lead: Duration? = nil, pruningWaitsUntil: Timestamp? = nil) {
        self.lead = lead
        self.pruningWaitsUntil = pruningWaitsUntil
    }
}

/// The facts behind `ClockFindings`.
struct ClockFacts {
    /// The latest stored time of any user, as of the last read.
    var latest: Timestamp?
    /// The system time at the last call of `checkClock`, and the uptime when `latest` was read.
    var last: (time: Timestamp, readAt: Duration)?
    var pruningWaitsUntil: Timestamp?
    /// The last hour that `takeUsesCount` counted.
    var usesHour: Int64?
    /// Since when uses were stored without a gap, and the hour in which this was read.
    var usesStored: (since: Timestamp, hour: Int64)?
}

/// A complete pruning of the store.
package struct LastPrune: Sendable {
    package var end: Timestamp
    package var duration: Duration
}

extension Upkeep {
    package var clockFindings: ClockFindings {
        let facts = service.clockFacts.withLock { $0 }
        let now = clock.now()
        let lead = facts.latest.map { $0 - now }
        return ClockFindings(
            lead: lead.flatMap { $0 > Timestamp.usualLead ? $0 : nil },
            pruningWaitsUntil: facts.pruningWaitsUntil.flatMap { now < $0 ? $0 : nil })
    }

    /// Looks for stored times ahead of the system clock: on the first call, once an hour, and when the clock was set
    /// back. Call it once a minute.
    package func checkClock() async throws(ServiceError) {
        let (now, uptime) = (clock.now(), clock.uptime())
        let readAt = service.clockFacts.withLock { facts in
            facts.last.flatMap { now < $0.time || uptime - $0.readAt >= .seconds(3600) ? nil : $0.readAt }
        }
        if let readAt { return service.clockFacts.withLock { $0.last = (now, readAt) } }
        let latest = try await service.ask { store async throws(StoreError) in try await store.latestTime() }
        service.clockFacts.withLock { ($0.latest, $0.last) = (latest, (now, uptime)) }
    }

    /// Drops expired data. Call it once an hour.
    ///
    /// If the clock was set forward by more than a day, data that hasn't expired would count as expired. Pruning
    /// therefore waits until the service has run for a day since the jump, so that an operator can correct the clock
    /// before anything is lost. A service that was off for more than a day waits as well, because it can't tell the two
    /// cases apart.
    package func prune() async throws(ServiceError) {
        let now = clock.now()
        let end = try await endOfPause(at: now)
        service.clockFacts.withLock { $0.pruningWaitsUntil = end }
        guard end == nil else { return }
        let start = clock.uptime()
        try await service.ask { store async throws(StoreError) in try await store.prune(at: now) }
        let duration = clock.uptime() - start
        service.lastPrune.withLock { $0 = LastPrune(end: clock.now(), duration: duration) }
    }

    /// The last time that this process pruned the store completely. Nil if it hasn't yet.
    package var lastPrune: LastPrune? { service.lastPrune.withLock(\.self) }

    /// Returns the time until which pruning waits, and records that the service ran in the current hour. The store
    /// counts the hours in which an instance ran. Counted hours after the current one come from a clock that was ahead.
    /// They are dropped, because after a second jump forward, the service would seem to have run in them.
    private func endOfPause(at now: Timestamp) async throws(ServiceError) -> Timestamp? {
        let day = Timestamp.longestCorrection
        try await service.ask { store async throws(StoreError) in
            try await store.dropCounts(named: "upkeep", after: now)
        }
        let counts = try await service.browsing.counts(of: nil, named: "upkeep", from: now - day - day, to: now)
        let present = Counter(hour: now.hour, app: nil, name: "upkeep", label: "hour")
        try await service.ask { store async throws(StoreError) in try await store.add([present: 1]) }
        let start = startOfRun(counts.keys.map(\.hour), at: now)
        guard now < start + day else { return nil }
        // Nothing can have expired yet in a new database.
        guard try await service.apps.apps().contains(where: { now - $0.createdAt > day }) else { return nil }
        return start + day
    }

    /// Returns the start of the first of these hours after the last gap of more than a day.
    private func startOfRun(_ hours: [Int64], at now: Timestamp) -> Timestamp {
        var start = Timestamp(milliseconds: now.hour * 3_600_000)
        for hour in hours.sorted(by: >) {
            let time = Timestamp(milliseconds: hour * 3_600_000)
            guard start - time <= Timestamp.longestCorrection else { break }
            start = min(start, time)
        }
        return start
    }

    /// Returns the time before which a signed-in device of the app must have been used last so that its sign-in has
    /// expired. Nil if the app sets no `tokenLifetime`, or if uses since then may be missing from the store: the service
    /// was off or could not store them for more than a day, or it dropped some. A clock that jumps leaves the same gap.
    func unusedSince(in app: App, at now: Timestamp) async throws(ServiceError) -> Timestamp? {
        guard let lifetime = app.settings.tokenLifetime?.duration else { return nil }
        // Earlier hours are not kept.
        let longest = Retention.counters - Timestamp.longestCorrection - Timestamp.longestCorrection
        let since = try await usesStored(since: now - longest - Timestamp.longestCorrection, at: now)
        return since <= now - min(lifetime, longest) ? now - lifetime : nil
    }

    /// Returns since when uses were stored without a gap. Reads the counts once an hour, because every registration asks.
    private func usesStored(since start: Timestamp, at now: Timestamp) async throws(ServiceError) -> Timestamp {
        let known = service.clockFacts.withLock(\.usesStored)
        if let known, known.hour == now.hour { return known.since }
        let counts = try await service.browsing.counts(of: nil, named: "upkeep", from: start, to: now)
        func hours(_ label: String) -> [Int64] { counts.keys.filter { $0.label == label }.map(\.hour) }
        let lost = hours("lost").max() ?? .min
        let since = startOfRun(hours("uses").filter { $0 > lost }, at: now)
        service.clockFacts.withLock { $0.usesStored = (since, now.hour) }
        return since
    }

    /// The time of a use that happens now. If the clock was set back, it is the latest stored time: a sign-in must not
    /// expire because of a clock that was behind.
    var timeOfUse: Timestamp { max(clock.now(), service.clockFacts.withLock(\.latest) ?? clock.now()) }

    /// Counts that the uses of devices were stored in this hour, once, or that some were dropped.
    func takeUsesCount() -> [Counter: Int] {
        let hour = clock.now().hour
        let hasDropped = principals.takeHasDropped()
        let isCounted = service.clockFacts.withLock { facts in
            defer { facts.usesHour = hour }
            if hasDropped { facts.usesStored = nil }
            return facts.usesHour == hour
        }
        guard hasDropped || !isCounted else { return [:] }
        return [Counter(hour: hour, app: nil, name: "upkeep", label: hasDropped ? "lost" : "uses"): 1]
    }
}
