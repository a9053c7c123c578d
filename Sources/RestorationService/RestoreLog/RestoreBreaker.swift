/// Notices pairs of versions whose restores fail for many users. A pure function over the reports.
package enum RestoreBreaker {
    package enum State: String, Sendable {
        case normal, alert, stopped
    }

    /// A pair of versions with its established users. `sourceVersion` and `targetVersion` are nil only in a stopped
    /// restore of every version.
    package struct Standing: Sendable, Hashable {
        package var sourceVersion: String?
        package var targetVersion: String?
        package var idiom: String
        package var users = 0
        package var failingUsers = 0
        package var state = State.normal
        package var since: Timestamp?
        package var until: Timestamp?
        package var by: StoppedRestore.Origin?
        /// Nil for a stopped restore of every version.
        var pair: RestorePair?
        /// Whether the breaker has told the operators about the present failures.
        var isNoted = false

        package var share: Double { users == 0 ? 0 : Double(failingUsers) / Double(users) }
    }

    /// The time for which the breaker stops restores.
    package static let stopTime = Duration.seconds(3600)

    /// Judges each pair of versions. The pairs with the greatest share of failing users come first.
    ///
    /// - Parameters:
    ///   - reports: the reports in any order. Only reports within the breaker's window count, only of established users,
    ///     and only of devices that were served the archive. After a stop of the breaker, only reports since the end of the
    ///     stop count.
    ///   - notes: the breaker's notes, the newest first.
    package static func standings(
        of reports: [RestoreReport], after notes: [BreakerNote], _ settings: App.Settings, at now: Timestamp
    ) -> [Standing] {
        let newest = Dictionary(notes.map { ($0.pair, $0) }, uniquingKeysWith: { newer, _ in newer })
        let ends = Dictionary(notes.compactMap { note in note.until.map { (note.pair, $0) } }, uniquingKeysWith: max)
        let start = now - settings.breaker.window
        var users: [RestorePair: [UserID: Bool]] = [:]
        for report in reports where report.at >= start && !report.isOwn && report.isOfEstablishedUser(at: now) {
            let pair = RestorePair(report)
            if let end = ends[pair], report.at < end { continue }
            let hasFailed = users[pair]?[report.owner.user] ?? false
            users[pair, default: [:]][report.owner.user] = hasFailed || report.isFailure
        }
        let stops = settings.stoppedRestores.filter { !$0.isOver(at: now) }
        var standings: [Standing] = []
        for pair in Set(users.keys).union(newest.filter { $0.value.state == .alerted }.keys) {
            let own = users[pair] ?? [:]
            var standing = Standing(pair, newest[pair])
            standing.users = own.count
            standing.failingUsers = own.values.count { $0 }
            if let stop = stops.first(where: { $0.concerns(pair) }) {
                standing.stop(by: stop, newest[pair])
            } else if settings.breaker.isExceeded(by: standing) {
                standing.state = .alert
                standing.since = standing.isNoted ? newest[pair]?.at : now
            }
            standings.append(standing)
        }
        // The stops without reports.
        let known = standings.compactMap(\.pair)
        for stop in stops where !known.contains(where: { stop.isExactly($0) }) {
            var standing = Standing(
                sourceVersion: stop.sourceVersion, targetVersion: stop.targetVersion, idiom: stop.idiom)
            let note = notes.first { stop.isExactly($0.pair) }
            standing.stop(by: stop, note)
            standings.append(standing)
        }
        return standings.sorted { left, right in
            left.share == right.share ? left.order < right.order : left.share > right.share
        }
    }

    /// The steps of the breaker after a judgement.
    struct Actions {
        /// The pairs that the operators must be told about.
        var alerts: [Standing] = []
        /// The pairs whose restores are stopped from now on.
        var stops: [Standing] = []
        /// The pairs that are normal again.
        var settled: [RestorePair] = []
    }

    static func actions(for standings: [Standing], _ settings: App.Settings, at now: Timestamp) -> Actions {
        var actions = Actions()
        var room = Limits.stoppedRestores - settings.stoppedRestores.count { !$0.isOver(at: now) }
        for standing in standings {
            guard let pair = standing.pair else { continue }
            switch standing.state {
            case .alert:
                if !standing.isNoted { actions.alerts.append(standing) }
                guard settings.breaker.mode == .stop, room > 0 else { continue }
                room -= 1
                actions.stops.append(standing)
            case .normal: if standing.isNoted { actions.settled.append(pair) }
            case .stopped: break
            }
        }
        return actions
    }
}

extension RestoreBreaker.Standing {
    fileprivate init(_ pair: RestorePair, _ note: BreakerNote?) {
        self.init(
            sourceVersion: pair.sourceVersion, targetVersion: pair.targetVersion, idiom: pair.idiom.name, pair: pair,
            isNoted: note?.state == .alerted)
    }

    fileprivate mutating func stop(by stop: StoppedRestore, _ note: BreakerNote?) {
        state = .stopped
        until = stop.until.map(Timestamp.init(milliseconds:))
        by = stop.by
        since = stop.by == .breaker && note?.state == .stopped ? note?.at : nil
    }

    /// A fixed order of pairs with equal shares: stopped pairs first, and then by their versions.
    fileprivate var order: (Int, Int, String, String) {
        (state == .stopped ? 0 : 1, -users, sourceVersion ?? "", targetVersion ?? "")
    }
}

extension App.Settings.Breaker {
    fileprivate func isExceeded(by standing: RestoreBreaker.Standing) -> Bool {
        mode != .off && standing.users >= max(minimumUsers, 1)
            && standing.failingUsers * 100 / standing.users >= failurePercent && standing.failingUsers > 0
    }
}

extension StoppedRestore {
    fileprivate func concerns(_ pair: RestorePair) -> Bool {
        concerns(
            Context(idiom: pair.idiom, bundleVersion: pair.sourceVersion),
            Context(idiom: pair.idiom, bundleVersion: pair.targetVersion))
    }

    /// Returns whether the stop concerns this pair only.
    fileprivate func isExactly(_ pair: RestorePair) -> Bool {
        sourceVersion != nil && targetVersion != nil && concerns(pair)
    }
}
