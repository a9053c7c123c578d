/// The circuit breaker: finds pairs of versions whose restores fail for many users. A pure function of the reports.
package enum RestoreBreaker {
    package enum State: String, Sendable {
        case normal, alert, stopped
    }

    /// How the restores of a pair of versions go for established users. `sourceVersion` and `targetVersion` are nil
    /// only for a stopped restore of all versions.
    package struct PairHealth: Sendable, Hashable {
        package var sourceVersion: String?
        package var targetVersion: String?
        package var idiom: String
        package var users = 0
        package var failingUsers = 0
        package var state = State.normal
        package var since: Timestamp?
        package var until: Timestamp?
        package var by: StoppedRestore.Origin?
        /// Nil for a stopped restore of all versions.
        package var pair: RestorePair?
        /// Whether the breaker has already alerted the operators to these failures.
        package var isNoted = false
        /// How many networks the users' reports came from.
        var networks = 0
        /// The sum of each network's share of users with failures.
        var failingNetworks = 0.0
        /// Whether the breaker stopped restores on the target version, and the stop ended less than a day ago.
        package var isOnProbation = false
        /// Whether restores fail in enough networks for a stop.
        var mayStop = false

        package var share: Double { users == 0 ? 0 : Double(failingUsers) / Double(users) }
        /// How long the breaker would stop the restores.
        package var stopTime: Duration { isOnProbation ? RestoreBreaker.longStopTime : RestoreBreaker.stopTime }
    }

    /// One user's reports on a pair of versions.
    fileprivate struct Reporter {
        var hasFailed = false
        /// The user's network. If the user has several, the one with the greatest number.
        var network: UInt32 = 0

        mutating func add(_ report: RestoreReport) {
            hasFailed = hasFailed || report.isFailure
            network = max(network, report.network)
        }
    }

    /// How long a stop lasts.
    package static let stopTime = Duration.seconds(3600)
    /// How long a stop on probation lasts.
    package static let longStopTime = Duration.seconds(24 * 3600)
    /// How long the target version is on probation after a stop.
    static let probation = Duration.seconds(24 * 3600)
    /// Minimum number of users with failures, or `minimumUsers` if that is smaller.
    static let failingUsers = 5
    /// Minimum number of users with failures on probation.
    static let failingUsersOnProbation = 2

    /// Judges each pair of versions. Pairs with the greatest share of failing users come first.
    ///
    /// - Parameters:
    ///   - reports: the reports, in any order. Only those of established users within the breaker's window count. If
    ///     the breaker stopped the restores, only reports since the end of that stop count. Reports and notes from a
    ///     clock that was ahead don't count.
    ///   - notes: the breaker's notes, the newest first.
    package static func pairs(
        of reports: [RestoreReport], after notes: [BreakerTransition], _ settings: App.Settings, at now: Timestamp
    ) -> [PairHealth] {
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
        var pairs: [PairHealth] = []
        for pair in Set(users.keys).union(newest.filter { $0.value.state == .alerted }.keys) {
            var health = PairHealth(pair, newest[pair])
            health.isOnProbation = onProbation.contains(pair.targetVersion)
            health.count(users[pair] ?? [:])
            health.mayStop = settings.breaker.isExceededInNetworks(by: health)
            if let stop = stops.first(where: { $0.concerns(pair) }) {
                health.stop(by: stop, newest[pair])
            } else if settings.breaker.isExceeded(by: health) || health.mayStop {
                health.state = .alert
                health.since = health.isNoted ? newest[pair]?.at : now
            }
            pairs.append(health)
        }
        // Stops without reports.
        let known = pairs.compactMap(\.pair)
        for stop in stops where !known.contains(where: { stop.isExactly($0) }) {
            var health = PairHealth(
                sourceVersion: stop.sourceVersion, targetVersion: stop.targetVersion, idiom: stop.idiom)
            let note = notes.first { stop.isExactly($0.pair) }
            health.stop(by: stop, note)
            pairs.append(health)
        }
        return pairs.sorted { left, right in
            left.share == right.share ? left.order < right.order : left.share > right.share
        }
    }

    /// What the breaker does after judging the pairs.
    package struct Actions {
        /// The pairs to alert the operators to.
        package var alerts: [PairHealth] = []
        /// The pairs whose restores the breaker stops now.
        package var stops: [PairHealth] = []
        /// The pairs that are back to normal.
        package var settled: [RestorePair] = []
    }

    package static func actions(for pairs: [PairHealth], _ settings: App.Settings, at now: Timestamp) -> Actions {
        var actions = Actions()
        var room = Limits.stoppedRestores - settings.stoppedRestores.count { !$0.isOver(at: now) }
        for health in pairs {
            guard let pair = health.pair else { continue }
            switch health.state {
            case .alert:
                if !health.isNoted { actions.alerts.append(health) }
                guard settings.breaker.mode == .stop, health.mayStop, room > 0 else { continue }
                room -= 1
                actions.stops.append(health)
            case .normal: if health.isNoted { actions.settled.append(pair) }
            case .stopped: break
            }
        }
        return actions
    }
}

extension RestoreBreaker.PairHealth {
    fileprivate init(_ pair: RestorePair, _ note: BreakerTransition?) {
        self.init(
            sourceVersion: pair.sourceVersion, targetVersion: pair.targetVersion, idiom: pair.idiom.name, pair: pair,
            isNoted: note?.state == .alerted)
    }

    /// Counts the users and their networks. For a stop, all users of a network count as one, so a client that registers
    /// many users can't stop an app's restores.
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

    /// Orders pairs with equal shares: stopped pairs first, then those with more users, then by version.
    fileprivate var order: (Int, Int, String, String) {
        (state == .stopped ? 0 : 1, -users, sourceVersion ?? "", targetVersion ?? "")
    }
}

extension App.Settings.Breaker {
    fileprivate func isExceeded(by health: RestoreBreaker.PairHealth) -> Bool {
        isExceeded(by: Double(health.failingUsers), of: health.users, least: RestoreBreaker.failingUsers)
            && health.users >= minimumUsers
    }

    fileprivate func isExceededInNetworks(by health: RestoreBreaker.PairHealth) -> Bool {
        guard !health.isOnProbation else {
            return isExceeded(
                by: health.failingNetworks, of: health.networks, least: RestoreBreaker.failingUsersOnProbation)
        }
        return isExceeded(by: health.failingNetworks, of: health.networks, least: RestoreBreaker.failingUsers)
            && health.networks >= minimumUsers
    }

    private func isExceeded(by failing: Double, of count: Int, least: Int) -> Bool {
        // The shares are sums of fractions, so leave room for rounding errors.
        let failing = failing + 1e-9
        return mode != .off && count > 0 && failing >= Double(max(1, min(least, minimumUsers)))
            && failing * 100 >= Double(failurePercent) * Double(count)
    }
}

extension StoppedRestore {
    package func concerns(_ pair: RestorePair) -> Bool {
        concerns(
            Context(idiom: pair.idiom, bundleVersion: pair.sourceVersion),
            Context(idiom: pair.idiom, bundleVersion: pair.targetVersion))
    }

    /// Returns whether the stop applies to this pair only.
    fileprivate func isExactly(_ pair: RestorePair) -> Bool {
        sourceVersion != nil && targetVersion != nil && concerns(pair)
    }
}
