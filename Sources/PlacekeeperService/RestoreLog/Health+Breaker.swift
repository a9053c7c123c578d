import PlacekeeperConcurrency
import PlacekeeperCore

extension Health {
    /// Runs the breaker of each app: tells the operators about pairs of versions whose restores fail, stops the restores
    /// if the app's settings say so, and removes stopped restores that are over. Call it once a minute, after `flush`.
    ///
    /// - Returns: lines for the log.
    package func judgeRestores() async throws(ServiceError) -> [String] {
        let apps = try await service.apps.apps()
        // Only a new failure, or the time, changes the state of a pair. After the start, the states are not known.
        let waiting = service.judgedApps.withLock { judged in
            let waiting = judged ?? Set(apps.map(\.id))
            judged = waiting
            return waiting
        }
        var lines: [String] = []
        var fault: ServiceError?
        for app in apps {
            let now = clock.now()
            let hasEnded = app.settings.stoppedRestores.contains { $0.isOver(at: now) }
            let isDue = app.settings.breaker.mode != .off && waiting.contains(app.id)
            guard isDue || hasEnded else { continue }
            // A fault of one app must not end the breaker of the other apps.
            do throws(ServiceError) {
                lines += try await judgeRestores(of: app, at: now)
            } catch {
                fault = error
            }
        }
        if lines.isEmpty, let fault { throw fault }
        return lines
    }

    private func judgeRestores(of app: App, at now: Timestamp) async throws(ServiceError) -> [String] {
        var settings = app.settings
        let start = now - settings.breaker.window
        // A failure that is flushed from now on makes the app due again.
        service.judgedApps.withLock { _ = $0?.remove(app.id) }
        let standings: [RestoreBreaker.Standing]
        do throws(ServiceError) {
            standings = try await service.offload(of: app.id) { () async throws(ServiceError) in
                let log = try await restoreReports(of: app.id, since: start)
                return RestoreBreaker.standings(of: log.reports, after: log.notes, app.settings, at: now)
            }
        } catch {
            service.judgedApps.withLock { _ = $0?.insert(app.id) }
            throw error
        }
        let actions = RestoreBreaker.actions(for: standings, settings, at: now)
        if standings.contains(where: { $0.state == .alert || $0.isNoted }) || !actions.stops.isEmpty {
            service.judgedApps.withLock { _ = $0?.insert(app.id) }
        }
        var lines: [String] = []
        let settled = actions.settled.map { BreakerTransition(at: now, app: app.id, pair: $0, state: .normal) }
        for standing in actions.alerts {
            guard let pair = standing.pair else { continue }
            try await service.auditLog.record(
                .restoresFailing, by: .breaker, in: app.id,
                detail: "\(pair.sourceVersion) \(pair.targetVersion) \(standing.idiom)")
            hourlyCounters.count("breaker", "alert", app: app.id, at: now)
            lines.append(
                """
                \(app.bundleIdentifier): \(standing.failingUsers) of \(standing.users) users could not restore archives of \
                version \(pair.sourceVersion) on version \(pair.targetVersion) (\(standing.idiom))
                """)
            // Stored at once, so that the operators are told once, also if a later step fails.
            try await note([BreakerTransition(at: now, app: app.id, pair: pair, state: .alerted)])
        }
        try await note(settled)
        settings.stoppedRestores.removeAll { $0.isOver(at: now) }
        for standing in actions.stops {
            settings.stoppedRestores.append(
                StoppedRestore(
                    sourceVersion: standing.sourceVersion, targetVersion: standing.targetVersion, idiom: standing.idiom,
                    until: now + standing.stopTime, by: .breaker))
        }
        if settings != app.settings {
            var notes: [BreakerTransition] = []
            let isReplaced = try await service.apps.replaceSettings(
                of: app, with: settings, changing: ["stoppedRestores"], by: .breaker)
            // If an administrator changed the settings in the meantime, the next call tries again.
            if isReplaced {
                for standing in actions.stops {
                    guard let pair = standing.pair else { continue }
                    hourlyCounters.count("breaker", "stop", app: app.id, at: now)
                    lines.append(
                        """
                        \(app.bundleIdentifier): restores of archives of version \(pair.sourceVersion) on version \
                        \(pair.targetVersion) (\(pair.idiom.name)) are stopped for \
                        \(standing.isOnProbation ? "a day" : "an hour")
                        """)
                    notes.append(
                        BreakerTransition(
                            at: now, app: app.id, pair: pair, state: .stopped, until: now + standing.stopTime))
                }
            }
            try await note(notes)
        }
        return lines
    }

    private func note(_ notes: [BreakerTransition]) async throws(ServiceError) {
        try await service.ask { store async throws(StoreError) in try await store.log(notes.map(RestoreLogEntry.note)) }
    }
}
