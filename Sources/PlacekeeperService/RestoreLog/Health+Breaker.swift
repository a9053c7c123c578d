import PlacekeeperConcurrency
import PlacekeeperCore

extension Health {
    /// Runs the circuit breaker of each app: alerts operators to version pairs whose restores fail, stops these
    /// restores if the app's settings say so, and removes expired stops. Call it once a minute, after `flush`.
    ///
    /// - Returns: lines for the log.
    package func judgeRestores() async throws(ServiceError) -> [String] {
        let apps = try await service.apps.apps()
        // A pair's state changes only with time or a new failure. After startup, the states are unknown.
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
            // An error in one app must not stop the breaker for the others.
            do throws(ServiceError) {
                lines += try await judgeRestores(of: app, at: now)
            } catch {
                fault = error
            }
        }
        // The breaker may have stopped restores.
        updateAlerts(lines.isEmpty ? apps : (try? await service.apps.apps()) ?? apps)
        if lines.isEmpty, let fault { throw fault }
        return lines
    }

    /// Sets the alerts: the breaker's current stops, and the pairs that failed in the last judgment of their app, unless
    /// somebody stopped them since.
    private func updateAlerts(_ apps: [App]) {
        let now = clock.now()
        let failing = service.failingPairs.withLock { pairs in
            let judged = Set(apps.lazy.filter { $0.settings.breaker.mode != .off }.map(\.id))
            pairs = pairs.filter { judged.contains($0.key) }
            return pairs
        }
        var alerts: [Alert] = []
        for app in apps {
            let stops = app.settings.stoppedRestores.filter { !$0.isOver(at: now) }
            for stop in stops where stop.by == .breaker {
                let versions = "\(stop.sourceVersion ?? "0") on version \(stop.targetVersion ?? "0") (\(stop.idiom))"
                alerts.append(
                    Alert(
                        .restoresStopped, "\(app.bundleIdentifier): version \(versions)",
                        "Restores of archives of version \(versions) failed for many users and are stopped."))
            }
            for health in failing[app.id] ?? [] {
                guard let pair = health.pair, !stops.contains(where: { $0.concerns(pair) }) else { continue }
                alerts.append(
                    Alert(
                        .restoresFailing, "\(app.bundleIdentifier): version \(pair.text)",
                        "\(health.failingUsers) of \(health.users) users could not restore archives of version \(pair.text)."
                    ))
            }
        }
        service.alerts.update(.restoresFailing, .restoresStopped, to: alerts, by: clock)
    }

    private func judgeRestores(of app: App, at now: Timestamp) async throws(ServiceError) -> [String] {
        var settings = app.settings
        let start = now - settings.breaker.window
        // If a failure is flushed from now on, the app must be judged again.
        service.judgedApps.withLock { _ = $0?.remove(app.id) }
        let pairs: [RestoreBreaker.PairHealth]
        do throws(ServiceError) {
            pairs = try await service.offload(of: app.id) { () async throws(ServiceError) in
                let log = try await restoreReports(of: app.id, since: start)
                return RestoreBreaker.pairs(of: log.reports, after: log.notes, app.settings, at: now)
            }
        } catch {
            service.judgedApps.withLock { _ = $0?.insert(app.id) }
            throw error
        }
        service.failingPairs.withLock { $0[app.id] = pairs.filter { $0.state == .alert } }
        let actions = RestoreBreaker.actions(for: pairs, settings, at: now)
        if pairs.contains(where: { $0.state == .alert || $0.isNoted }) || !actions.stops.isEmpty {
            service.judgedApps.withLock { _ = $0?.insert(app.id) }
        }
        var lines: [String] = []
        let settled = actions.settled.map { BreakerTransition(at: now, app: app.id, pair: $0, state: .normal) }
        for health in actions.alerts {
            guard let pair = health.pair else { continue }
            try await service.auditLog.record(
                .restoresFailing, by: .breaker, in: app.id,
                detail: "\(pair.sourceVersion) \(pair.targetVersion) \(health.idiom)")
            hourlyCounters.count("breaker", "alert", app: app.id, at: now)
            lines.append(
                """
                \(app.bundleIdentifier): \(health.failingUsers) of \(health.users) users could not restore archives of \
                version \(pair.text)
                """)
            // Store the alert immediately, so that operators get it only once, even if a later step fails.
            try await note([BreakerTransition(at: now, app: app.id, pair: pair, state: .alerted)])
        }
        try await note(settled)
        settings.stoppedRestores.removeAll { $0.isOver(at: now) }
        for health in actions.stops {
            settings.stoppedRestores.append(
                StoppedRestore(
                    sourceVersion: health.sourceVersion, targetVersion: health.targetVersion, idiom: health.idiom,
                    until: now + health.stopTime, by: .breaker))
        }
        if settings != app.settings {
            var notes: [BreakerTransition] = []
            let isReplaced = try await service.apps.replaceSettings(
                of: app, with: settings, changing: [], by: .breaker)
            // If an administrator changed the settings in the meantime, the next call tries again.
            if isReplaced {
                for health in actions.stops {
                    guard let pair = health.pair else { continue }
                    hourlyCounters.count("breaker", "stop", app: app.id, at: now)
                    lines.append(
                        """
                        \(app.bundleIdentifier): restores of archives of version \(pair.text) are stopped for \
                        \(health.isOnProbation ? "a day" : "an hour")
                        """)
                    notes.append(
                        BreakerTransition(
                            at: now, app: app.id, pair: pair, state: .stopped, until: now + health.stopTime))
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

extension RestorePair {
    fileprivate var text: String { "\(sourceVersion) on version \(targetVersion) (\(idiom.name))" }
}
