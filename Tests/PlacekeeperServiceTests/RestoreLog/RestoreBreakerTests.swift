@testable import PlacekeeperCore
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct RestoreBreakerTests {
    private static let now = Timestamp(milliseconds: 1_750_000_000_000)
    private static let day = Duration.seconds(86_400)
    private static let established = RestoreReport.UserTenure(createdAt: now - day * 7, restoredOnTwoDays: true)
    private static let pair = RestorePair(sourceVersion: "41", targetVersion: "42", idiom: .phone)

    private static func report(
        _ user: UInt64, _ result: Outcome.Result, at time: Timestamp = now, source: String? = "41",
        target: String = "42", idiom: Idiom = .phone, network: UInt32? = nil,
        tenure: RestoreReport.UserTenure? = established
    ) -> RestoreReport {
        RestoreReport(
            at: time, owner: UserKey(app: Fixture.owner.app, user: UserID(high: 0, low: user)),
            device: DeviceID(high: 0, low: user), scene: "main", archive: ArchiveID(high: 0, low: 1), result: result,
            source: Context(idiom: .pad, bundleVersion: source), target: Context(idiom: idiom, bundleVersion: target),
            network: network ?? UInt32(user) + 2, tenure: tenure)
    }

    /// Reports of ten users, of which `failing` had a failure and a success.
    private static func reports(failing: UInt64, of count: UInt64 = 10, at time: Timestamp = now) -> [RestoreReport] {
        (0..<count).map { report($0, .restored, at: time) } + (0..<failing).map { report($0, .crashed, at: time) }
    }

    private static func judge(
        _ reports: [RestoreReport], after notes: [BreakerTransition] = [], at now: Timestamp = now,
        _ change: (inout App.Settings) -> Void = { _ in }
    ) -> (pairs: [RestoreBreaker.PairHealth], actions: RestoreBreaker.Actions) {
        var settings = App.Settings()
        change(&settings)
        let pairs = RestoreBreaker.pairs(of: reports, after: notes, settings, at: now)
        return (pairs, RestoreBreaker.actions(for: pairs, settings, at: now))
    }

    private static func note(_ state: BreakerTransition.State, at time: Timestamp, until: Timestamp? = nil)
        -> BreakerTransition
    {
        BreakerTransition(at: time, app: Fixture.owner.app, pair: pair, state: state, until: until)
    }

    @Test(
        arguments: [
            (10, 4, .normal), (10, 5, .alert), (9, 9, .normal), (100, 9, .normal), (100, 10, .alert), (10, 0, .normal),
        ] as [(UInt64, UInt64, RestoreBreaker.State)])
    func alertsAtTheShareOfTheSettings(_ users: UInt64, _ failing: UInt64, _ state: RestoreBreaker.State) throws {
        let judged = Self.judge(Self.reports(failing: failing, of: users))
        let health = try #require(judged.pairs.first)
        #expect(health.users == Int(users) && health.failingUsers == Int(failing) && health.state == state)
        #expect(health.share == Double(failing) / Double(users) && judged.pairs.count == 1)
        #expect(health.sourceVersion == "41" && health.targetVersion == "42" && health.idiom == "phone")
        #expect(judged.actions.alerts.count == (state == .alert ? 1 : 0))
        #expect(judged.actions.stops.isEmpty, "the mode is alert")
    }

    @Test func countsAUserOnce() throws {
        let many = (0..<100).map { _ in Self.report(1, .failed) } + Self.reports(failing: 0)
        #expect(try #require(Self.judge(many).pairs.first).failingUsers == 1)
    }

    /// Anyone with the publishable key can make users and send reports.
    @Test(arguments: [
        nil, RestoreReport.UserTenure(createdAt: now - day * 7 + .milliseconds(1), restoredOnTwoDays: true),
        RestoreReport.UserTenure(createdAt: now - day * 30, restoredOnTwoDays: false),
    ])
    func ignoresUsersWhoAreNotEstablished(_ tenure: RestoreReport.UserTenure?) throws {
        let forged = (100..<900 as Range<UInt64>).map { Self.report($0, .crashed, tenure: tenure) }
        #expect(Self.judge(forged).pairs.isEmpty)
        let mixed = try #require(Self.judge(forged + Self.reports(failing: 1)).pairs.first)
        #expect(mixed.users == 10 && mixed.failingUsers == 1 && mixed.state == .normal)
    }

    /// A damaged database may have any number in the settings.
    @Test(arguments: [Int.min, -1, 0, Int.max])
    func judgesWithEveryNumberInTheSettings(_ number: Int) {
        let judged = Self.judge(Self.reports(failing: 10)) {
            $0.breaker.windowHours = number
            $0.breaker.failurePercent = number
            $0.breaker.minimumUsers = number
            $0.policy.maximumAge = .days(number)
        }
        #expect(judged.pairs.count == 1)
        var policy = CompatibilityPolicy()
        policy.maximumAge = .days(number)
        let facts = RestoreCandidate(context: Context(idiom: .phone), capturedAt: Self.now - Self.day, hasPlace: true)
        let verdict = policy.evaluate(facts, for: Context(idiom: .phone), at: Self.now)
        #expect((verdict.fidelity == nil) == (number <= 0))
    }

    /// The users of one network report restores, so that the failures are a small share of all users.
    @Test func oneNetworkKeepsNoFailingRestoresFromBeingStopped() {
        let hostile = (100..<2100 as Range<UInt64>).map { Self.report($0, .restored, network: 99) }
        let judged = Self.judge(hostile + Self.reports(failing: 10)) { $0.breaker.mode = .stop }
        #expect(judged.actions.stops.count == 1)
    }

    /// A client may register many users, and report the same for each of them.
    @Test func countsTheUsersOfANetworkAsOneUserForAStop() throws {
        let hostile = (100..<1100 as Range<UInt64>).map { Self.report($0, .crashed, network: 99) }
        let judged = Self.judge(hostile + Self.reports(failing: 0)) { $0.breaker.mode = .stop }
        let health = try #require(judged.pairs.first)
        #expect(health.users == 1010 && health.failingUsers == 1000 && health.state == .alert)
        #expect(health.networks == 11 && health.failingNetworks == 1)
        #expect(judged.actions.alerts.count == 1 && judged.actions.stops.isEmpty)
        // Nine users of ten networks, of which four and a half networks fail.
        for (failing, stops) in [(9, 0), (10, 1)] as [(UInt64, Int)] {
            let reports = (0..<20 as Range<UInt64>).map {
                Self.report($0, $0 < failing ? .failed : .restored, network: UInt32($0 / 2) + 2)
            }
            #expect(Self.judge(reports) { $0.breaker.mode = .stop }.actions.stops.count == stops)
        }
    }

    @Test func countsAUserOfSeveralNetworksOnce() {
        let reports =
            (0..<100 as Range<UInt32>).map { Self.report(1, .crashed, network: $0) } + Self.reports(failing: 4)
        for reports in [reports, reports.reversed()] {
            let health = Self.judge(reports).pairs.first
            #expect(health?.networks == 10 && health?.failingNetworks == 4)
        }
    }

    /// A setting with fewer users needs fewer failing users.
    @Test(arguments: [(1, 1), (3, 3), (5, 5), (50, 5)] as [(Int, UInt64)])
    func needsFiveFailingUsersOrAllUsersOfTheSetting(_ minimum: Int, _ failing: UInt64) {
        for (count, stops) in [(failing - 1, 0), (failing, 1)] {
            let judged = Self.judge(Self.reports(failing: count, of: UInt64(minimum))) {
                $0.breaker.mode = .stop
                $0.breaker.minimumUsers = minimum
            }
            #expect(judged.actions.stops.count == stops)
        }
    }

    @Test func ignoresReportsBeforeTheWindow() throws {
        let old = Self.reports(failing: 10, at: Self.now - Self.day - .milliseconds(1))
        #expect(Self.judge(old).pairs.isEmpty)
        #expect(Self.judge(old) { $0.breaker.windowHours = 25 }.pairs.first?.state == .alert)
    }

    @Test func ignoresReportsAndNotesOfAClockThatWasAhead() throws {
        let ahead = Self.now + Self.day * 2
        #expect(Self.judge(Self.reports(failing: 10, at: ahead)).pairs.isEmpty)
        let stop = Self.note(.stopped, at: ahead, until: ahead + .seconds(3600))
        #expect(try #require(Self.judge(Self.reports(failing: 10), after: [stop]).pairs.first).state == .alert)
        // An ordinary correction of the clock makes no difference.
        #expect(!Self.judge(Self.reports(failing: 10, at: Self.now + .seconds(60))).pairs.isEmpty)
    }

    @Test func endsAStopOfAClockThatWasAhead() {
        func stop(by origin: StoppedRestore.Origin, until end: Timestamp) -> StoppedRestore {
            StoppedRestore(sourceVersion: "41", targetVersion: "42", idiom: "phone", until: end, by: origin)
        }
        let end = Self.now + Self.day * 3
        #expect(stop(by: .breaker, until: end).isOver(at: Self.now))
        #expect(!stop(by: .breaker, until: Self.now + Self.day).isOver(at: Self.now))
        #expect(!stop(by: .administrator, until: end).isOver(at: Self.now), "an administrator may choose any end")
    }

    @Test func keepsPairsOfVersionsAndIdiomsApart() {
        let reports = (0..<20 as Range<UInt64>).map { number in
            Self.report(
                number, .failed, source: number < 10 ? "41" : nil, idiom: number.isMultiple(of: 2) ? .phone : .pad)
        }
        let judged = Self.judge(reports) { $0.breaker.minimumUsers = 5 }
        #expect(judged.pairs.count == 4 && judged.pairs.allSatisfy { $0.users == 5 && $0.state == .alert })
        #expect(Set(judged.pairs.map(\.sourceVersion)) == ["41", "0"])
    }

    @Test func doesNothingIfItIsOff() {
        let judged = Self.judge(Self.reports(failing: 10)) { $0.breaker.mode = .off }
        #expect(judged.pairs.first?.state == .normal && judged.actions.alerts.isEmpty)
    }

    @Test func alertsOnceUntilThePairIsNormalAgain() {
        let noted = [Self.note(.alerted, at: Self.now - .seconds(60))]
        let still = Self.judge(Self.reports(failing: 5), after: noted)
        #expect(still.actions.alerts.isEmpty && still.actions.settled.isEmpty)
        #expect(still.pairs.first?.since == Self.now - .seconds(60))
        for reports in [Self.reports(failing: 4), []] {
            #expect(Self.judge(reports, after: noted).actions.settled == [Self.pair])
        }
        let again = [Self.note(.normal, at: Self.now)] + noted
        #expect(Self.judge(Self.reports(failing: 5), after: again).actions.alerts.count == 1)
        #expect(Self.judge(Self.reports(failing: 4), after: again).actions.settled.isEmpty)
    }

    @Test func stopsFailingRestoresIfTheModeSaysSo() {
        let judged = Self.judge(Self.reports(failing: 5)) { $0.breaker.mode = .stop }
        #expect(judged.actions.alerts.count == 1 && judged.actions.stops.map(\.pair) == [Self.pair])
        let noted = [Self.note(.alerted, at: Self.now)]
        let later = Self.judge(Self.reports(failing: 5), after: noted) { $0.breaker.mode = .stop }
        #expect(later.actions.alerts.isEmpty && later.actions.stops.count == 1)
    }

    @Test func neverExceedsTheLimitOfStoppedRestores() {
        let other = StoppedRestore(sourceVersion: "1", targetVersion: "1", idiom: "tv", by: .administrator)
        let judged = Self.judge(Self.reports(failing: 5)) {
            $0.breaker.mode = .stop
            $0.stoppedRestores = Array(repeating: other, count: Limits.stoppedRestores)
        }
        #expect(judged.actions.alerts.count == 1 && judged.actions.stops.isEmpty)
    }

    @Test func leavesStoppedPairsAlone() throws {
        let note = Self.note(.stopped, at: Self.now - .seconds(60), until: Self.now + .seconds(3540))
        let judged = Self.judge(Self.reports(failing: 5), after: [note]) {
            $0.breaker.mode = .stop
            $0.stoppedRestores = [
                StoppedRestore(
                    sourceVersion: "41", targetVersion: "42", idiom: "phone", until: note.until, by: .breaker),
                StoppedRestore(sourceVersion: nil, targetVersion: "50", idiom: "tv", by: .administrator),
            ]
        }
        #expect(judged.actions.alerts.isEmpty && judged.actions.stops.isEmpty && judged.actions.settled.isEmpty)
        let own = try #require(judged.pairs.first { $0.idiom == "phone" })
        #expect(own.state == .stopped && own.by == .breaker && own.since == note.at && own.until == note.until)
        let other = try #require(judged.pairs.first { $0.idiom == "tv" })
        #expect(other.state == .stopped && other.by == .administrator && other.users == 0 && other.since == nil)
        #expect(judged.pairs.count == 2)
    }

    @Test func countsOnlyReportsSinceTheEndOfItsStop() {
        let end = Self.now - .seconds(600)
        let note = Self.note(.stopped, at: end - RestoreBreaker.stopTime, until: end)
        let before = Self.reports(failing: 10, at: end - .milliseconds(1))
        #expect(Self.judge(before, after: [note]).pairs.isEmpty)
        let after = Self.judge(before + Self.reports(failing: 3, at: end), after: [note]) { $0.breaker.mode = .stop }
        #expect(after.pairs.first?.failingUsers == 3)
        #expect(after.actions.alerts.count == 1 && after.actions.stops.count == 1)
    }

    /// After a stop, few failures are enough for another stop, which is longer.
    @Test(arguments: [(1, false), (2, true)] as [(UInt64, Bool)])
    func stopsAgainAfterTwoFailures(_ failing: UInt64, _ stops: Bool) throws {
        let end = Self.now - .seconds(60)
        let note = Self.note(.stopped, at: end - RestoreBreaker.stopTime, until: end)
        let judged = Self.judge(Self.reports(failing: failing, of: 2), after: [note]) { $0.breaker.mode = .stop }
        #expect(judged.actions.stops.count == (stops ? 1 : 0) && judged.actions.alerts.count == (stops ? 1 : 0))
        let health = try #require(judged.pairs.first)
        #expect(health.isOnProbation && health.stopTime == RestoreBreaker.longStopTime)
    }

    @Test func endsTheProbationADayAfterAStop() {
        for (end, stops) in [(Self.now - Self.day + .milliseconds(1), 1), (Self.now - Self.day, 0)] {
            let note = Self.note(.stopped, at: end - RestoreBreaker.stopTime, until: end)
            let judged = Self.judge(Self.reports(failing: 2, of: 2), after: [note]) { $0.breaker.mode = .stop }
            #expect(judged.actions.stops.count == stops)
        }
    }

    /// A version that fails with the archives of one version, or on one idiom, probably fails with the others.
    @Test(
        arguments: [("40", "42", .phone, 1), ("41", "42", .pad, 1), ("41", "43", .phone, 0)]
            as [(String, String, Idiom, Int)])
    func putsTheTargetVersionOfAStopOnProbation(_ source: String, _ target: String, _ idiom: Idiom, _ stops: Int) {
        let stop = Self.note(.stopped, at: Self.now - .seconds(60), until: Self.now + .seconds(3540))
        let reports = (0..<2 as Range<UInt64>).map {
            Self.report($0, .crashed, source: source, target: target, idiom: idiom)
        }
        #expect(Self.judge(reports, after: [stop]) { $0.breaker.mode = .stop }.actions.stops.count == stops)
        // Users of one network count as one user on probation too.
        let hostile = (0..<9 as Range<UInt64>).map {
            Self.report($0, .crashed, source: source, target: target, idiom: idiom, network: 7)
        }
        #expect(Self.judge(hostile, after: [stop]) { $0.breaker.mode = .stop }.actions.stops.isEmpty)
    }
}
