/// The circuit breaker: notices pairs of versions whose restores fail for many users. A pure function over the reports.
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
        package var pair: RestorePair?
        /// Whether the breaker has told the operators about the present failures.
        package var isNoted = false
        /// The number of networks of the users.
        var networks = 0
        /// The sum of the networks' shares of failing users.
        var failingNetworks = 0.0
        /// Whether the breaker stopped restores on the target version, and no day has passed since the end of the stop.
        package var isOnProbation = false
        /// Whether the restores fail in enough networks for a stop.
        var mayStop = false

        package var share: Double { users == 0 ? 0 : Double(failingUsers) / Double(users) }
        /// The time for which the breaker stops the restores.
        package var stopTime: Duration { isOnProbation ? RestoreBreaker.longStopTime : RestoreBreaker.stopTime }
    }

    /// The reports of a user about one pair of versions.
    fileprivate struct Reporter {
        var hasFailed = false
        /// One of the user's networks. If there are several, it is always the same one.
        var network: UInt32 = 0

        mutating func add(_ report: RestoreReport) {
            hasFailed = hasFailed || report.isFailure
            network = max(network, report.network)
        }
    }

    /// The time of a stop.
    package static let stopTime = Duration.seconds(3600)
    /// The time of a stop on probation.
    package static let longStopTime = Duration.seconds(24 * 3600)
    /// The time after the end of a stop for which the target version is on probation.
    static let probation = Duration.seconds(24 * 3600)
    /// The least number of failing users. A setting with fewer users in all lowers the number.
    static let failingUsers = 5
    /// The least number of failing users on probation.
    static let failingUsersOnProbation = 2

    /// Judges each pair of versions. The pairs with the greatest share of failing users come first.
    ///
    /// - Parameters:
    ///   - reports: the reports in any order. Only reports within the breaker's window count, and only of established
    ///     users. After a stop of the breaker, only reports since the end of the stop count. Reports and notes of a clock
    ///     that was ahead do not count.
    ///   - notes: the breaker's notes, the newest first.
    package static func standings(
        of reports: [RestoreReport], after notes: [BreakerTransition], _ settings: App.Settings, at now: Timestamp
    ) -> [Standing] {
        let notes = notes.filter { !$0.at.isAhead(of: now) }
        let newest = Dictionary(notes.map { ($0.pair, $0) }, uniquingKeysWith: { newer, _ in newer })
        let ends = Dictionary(notes.compactMap { note in note.until.map { (note.pair, $0) } }, uniquingKeysWith: max)
        let start = now - settings.breaker.window
        var users: [RestorePair: [UserID: Reporter]] = [:]
        for report in reports
        where report.at >= start && !report.at.isAhead(of: now) && report.isOfEstablishedUser(at: now) {
            let pair = RestorePair(report)
            if let end = ends[pair], report.at < end { continue }
            users[pair, default: [:]][report.owner.user, default: Reporter()].add(report)
        }
        let onProbation = Set(ends.filter { now < $0.value + probation }.map(\.key.targetVersion))
        let stops = settings.stoppedRestores.filter { !$0.isOver(at: now) }
        var standings: [Standing] = []
        for pair in Set(users.keys).union(newest.filter { $0.value.state == .alerted }.keys) {
            var standing = Standing(pair, newest[pair])
            standing.isOnProbation = onProbation.contains(pair.targetVersion)
            standing.count(users[pair] ?? [:])
            standing.mayStop = settings.breaker.isExceededInNetworks(by: standing)
            if let stop = stops.first(where: { $0.concerns(pair) }) {
                standing.stop(by: stop, newest[pair])
            } else if settings.breaker.isExceeded(by: standing) || standing.mayStop {
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

    /// The steps of the breaker after a judgment.
    package struct Actions {
        /// The pairs that the operators must be told about.
        package var alerts: [Standing] = []
        /// The pairs whose restores are stopped from now on.
        package var stops: [Standing] = []
        /// The pairs that are normal again.
        package var settled: [RestorePair] = []
    }

    package static func actions(for standings: [Standing], _ settings: App.Settings, at now: Timestamp) -> Actions {
        var actions = Actions()
        var room = Limits.stoppedRestores - settings.stoppedRestores.count { !$0.isOver(at: now) }
        for standing in standings {
            guard let pair = standing.pair else { continue }
            switch standing.state {
            case .alert:
                if !standing.isNoted { actions.alerts.append(standing) }
                guard settings.breaker.mode == .stop, standing.mayStop, room > 0 else { continue }
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
    fileprivate init(_ pair: RestorePair, _ note: BreakerTransition?) {
        self.init(
            sourceVersion: pair.sourceVersion, targetVersion: pair.targetVersion, idiom: pair.idiom.name, pair: pair,
            isNoted: note?.state == .alerted)
    }

    /// Counts the users, and their networks. All users of a network count as one user for a stop: otherwise one client that
    /// registers many users could stop the restores of an app.
    fileprivate mutating func count(_ reporters: [UserID: RestoreBreaker.Reporter]) {
        users = reporters.count
        failingUsers = reporters.values.count(where: \.hasFailed)
        let groups = Dictionary(grouping: reporters.values, by: \.network).values
        networks = groups.count
        failingNetworks = groups.reduce(0) { $0 + Double($1.count(where: \.hasFailed)) / Double($1.count) }
    }

    fileprivate mutating func stop(by stop: StoppedRestore, _ note: BreakerTransition?) {
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
        isExceeded(by: Double(standing.failingUsers), of: standing.users, least: RestoreBreaker.failingUsers)
            && standing.users >= minimumUsers
    }

    fileprivate func isExceededInNetworks(by standing: RestoreBreaker.Standing) -> Bool {
        guard !standing.isOnProbation else {
            return isExceeded(
                by: standing.failingNetworks, of: standing.networks, least: RestoreBreaker.failingUsersOnProbation)
        }
        return isExceeded(by: standing.failingNetworks, of: standing.networks, least: RestoreBreaker.failingUsers)
            && standing.networks >= minimumUsers
    }

    private func isExceeded(by failing: Double, of count: Int, least: Int) -> Bool {
        // The shares of the networks are sums of fractions.
        let failing = failing + 1e-9
        return mode != .off && count > 0 && failing >= Double(max(1, min(least, minimumUsers)))
            && failing * 100 >= Double(failurePercent) * Double(count)
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
