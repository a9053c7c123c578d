import PlacekeeperConcurrency
package import PlacekeeperCore

/// The service's doubts about the system's clock, for operators.
package struct ClockFindings: Sendable, Hashable {
    /// The time by which the latest stored time of a user is ahead of the system's clock. Nil if it is not ahead, except by
    /// the usual difference of two machines' clocks.
    package var lead: Duration?
    /// The time until which expired data is kept. Nil if pruning does not wait.
    package var pruningWaitsUntil: Timestamp?

    package init(lead: Duration? = nil, pruningWaitsUntil: Timestamp? = nil) {
        self.lead = lead
        self.pruningWaitsUntil = pruningWaitsUntil
    }
}

/// The facts from which `ClockFindings` are made.
struct ClockFacts {
    /// The latest stored time of all users, when it was last read.
    var latest: Timestamp?
    /// The clocks at the last call of `checkClock`, and the uptime when `latest` was read.
    var last: (time: Timestamp, readAt: Duration)?
    var pruningWaitsUntil: Timestamp?
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

    /// Looks for stored times that are ahead of the system's clock: at the first call, once an hour, and when the clock was
    /// set back. Call it once a minute.
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
    /// If the clock was set forward by more than a day, data would count as expired that is not. So pruning waits until the
    /// service has run for a day since such a jump. In this time an operator can correct the clock, and nothing is lost. A
    /// service that was off for more than a day waits as well, because it cannot know which of the two happened.
    package func prune() async throws(ServiceError) {
        let now = clock.now()
        let end = try await endOfPause(at: now)
        service.clockFacts.withLock { $0.pruningWaitsUntil = end }
        guard end == nil else { return }
        try await service.ask { store async throws(StoreError) in try await store.prune(at: now) }
    }

    /// Returns the time until which pruning waits, and counts the present hour as an hour in which the service ran. The
    /// store's counters tell the hours in which any instance of the service ran. Hours after the present are from a clock
    /// that was ahead. They are dropped, so that a second jump forward does not find them.
    private func endOfPause(at now: Timestamp) async throws(ServiceError) -> Timestamp? {
        let day = Timestamp.longestCorrection
        try await service.ask { store async throws(StoreError) in
            try await store.dropCounts(named: "upkeep", after: now)
        }
        let counts = try await service.browsing.counts(of: nil, named: "upkeep", from: now - day - day, to: now)
        let present = Counter(hour: now.hour, app: nil, name: "upkeep", label: "hour")
        try await service.ask { store async throws(StoreError) in try await store.add([present: 1]) }
        // The first hour after the last gap.
        var start = Timestamp(milliseconds: now.hour * 3_600_000)
        for hour in Set(counts.keys.map(\.hour)).sorted(by: >) {
            let time = Timestamp(milliseconds: hour * 3_600_000)
            guard start - time <= day else { break }
            start = min(start, time)
        }
        guard now < start + day else { return nil }
        // In a new database, nothing can expire yet.
        guard try await service.apps.apps().contains(where: { now - $0.createdAt > day }) else { return nil }
        return start + day
    }
}
