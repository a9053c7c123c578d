import PlacekeeperCore
import PlacekeeperService
import Testing

struct ThrottleTests {
    static let now = Duration.seconds(1000)

    @Test func allowsBurstThenOneAttemptEachInterval() {
        let throttle = Throttle(burst: 3, interval: .seconds(10))
        for _ in 0..<3 { #expect(throttle.attempt("a", at: Self.now).isAllowed) }
        #expect(throttle.wait("a", at: Self.now) == .seconds(10))
        #expect(throttle.wait("a", at: Self.now + .seconds(4)) == .seconds(6))
        #expect(throttle.attempt("b", at: Self.now).isAllowed, "other names are not affected")
        #expect(throttle.attempt("a", at: Self.now + .seconds(10)).isAllowed)
        #expect(throttle.wait("a", at: Self.now + .seconds(10)) == .seconds(10))
        for _ in 0..<3 { #expect(throttle.attempt("a", at: Self.now + .seconds(1000)).isAllowed) }
        #expect(!throttle.attempt("a", at: Self.now + .seconds(1000)).isAllowed, "at most a burst is available")
    }

    @Test func tellsRemainingAttemptsAndTimeToWait() {
        let throttle = Throttle(burst: 4, interval: .seconds(10))
        func attempt(after time: Duration) -> Quota.Verdict { throttle.attempt("a", at: Self.now + time) }
        let spent = (0..<4).map { _ in attempt(after: .zero) }
        #expect(spent.allSatisfy { $0.isAllowed })
        #expect(spent.map(\.remaining) == [3, 2, 1, 0])
        #expect(spent.map(\.wait) == [10, 20, 30, 40].map { .seconds($0) }, "the time until all are available")
        #expect(spent.map(\.isLow) == [false, false, true, true])
        let refused = attempt(after: .seconds(3))
        #expect(!refused.isAllowed && refused.remaining == 0 && refused.isLow)
        #expect(refused.wait == .seconds(7), "the time until the next attempt")
        let regained = attempt(after: .seconds(25))
        #expect(regained.isAllowed && regained.remaining == 1)
        #expect(regained.wait == .seconds(25))
    }

    @Test func refusedAttemptsSpendNothing() {
        let throttle = Throttle(burst: 2, interval: .seconds(10))
        for _ in 0..<2 { #expect(throttle.attempt(7, at: Self.now).isAllowed) }
        for _ in 0..<100 { #expect(throttle.attempt(7, at: Self.now).wait == .seconds(10)) }
        #expect(throttle.attempt(7, at: Self.now + .seconds(10)).isAllowed)
    }

    @Test func usesTheQuotaOfEachCall() {
        let throttle = Throttle(burst: 1, interval: .seconds(10))
        let quota = Quota(burst: 600, perSecond: 20)
        for left in (0..<600).reversed() { #expect(throttle.attempt(7, quota, at: Self.now).remaining == left) }
        let refused = throttle.attempt(7, quota, at: Self.now)
        #expect(!refused.isAllowed && refused.wait == .milliseconds(50))
        #expect(quota.timeToRegainAll == .seconds(30))
        #expect(throttle.attempt(7, Quota(burst: 1000, perSecond: 20), at: Self.now).remaining == 399)
        #expect(throttle.attempt(8, at: Self.now).isAllowed, "other keys are not affected")
    }

    @Test func acceptsRatesThatAreNotWholeMilliseconds() {
        let quota = Quota(burst: 10, perSecond: 60)
        #expect(quota.timeToRegainAll == .microseconds(166_660))
        #expect(Quota(burst: 10_000, perDay: 200_000).timeToRegainAll == .seconds(4320))
    }

    @Test(arguments: [Int.min, 0, Int.max], [Int64.min, 0, .max])
    func survivesAnyQuotaAndTime(_ number: Int, _ milliseconds: Int64) {
        let throttle = Throttle(Quota(burst: number, perSecond: number))
        let time = Duration.milliseconds(milliseconds)
        let quotas = [
            Quota(burst: number, perSecond: number), Quota(burst: number, perDay: number),
            Quota(burst: number, interval: .seconds(Int64.max)), Quota(burst: number, interval: .seconds(-1)),
        ]
        for quota in quotas {
            #expect(throttle.attempt(UInt64.random(in: .min ... .max), quota, at: time).isAllowed)
        }
        for _ in 0..<3 { throttle.consume("a", at: time) }
        _ = throttle.wait("a", at: time)
    }

    @Test func checkingSpendsNoAttempt() {
        let throttle = Throttle(burst: 1, interval: .seconds(10))
        for _ in 0..<5 { #expect(throttle.wait("a", at: Self.now) == nil) }
        #expect(throttle.attempt("a", at: Self.now).isAllowed)
    }

    @Test func owesConcurrentAttemptsUpToOneMoreBurst() {
        let throttle = Throttle(burst: 2, interval: .seconds(10))
        for _ in 0..<3 { throttle.consume("a", at: Self.now) }
        #expect(throttle.wait("a", at: Self.now) == .seconds(20))
        for _ in 0..<1000 { throttle.consume("a", at: Self.now) }
        #expect(throttle.wait("a", at: Self.now) == .seconds(30), "at most one more burst is owed")
    }

    @Test func allowsNewNameAfterManyNamesSpentOneAttempt() {
        let throttle = Throttle(burst: 10, interval: .seconds(60))
        for number in 0..<30_000 { throttle.consume("\(number)", at: Self.now) }
        #expect((0..<1000).allSatisfy { throttle.wait("new \($0)", at: Self.now) == nil })
    }

    @Test func refusesFewNewNamesAfterManyNamesSpentAllAttempts() {
        let throttle = Throttle(burst: 10, interval: .seconds(60))
        for number in 0..<10_000 {
            for _ in 0..<10 { throttle.consume("\(number)", at: Self.now) }
        }
        #expect((0..<1000).count { throttle.wait("new \($0)", at: Self.now) != nil } < 50)
    }

    /// With four rows of counters, the throttle refuses about 1 of 200 new names. With three rows, it would refuse 1 of
    /// 55.
    @Test func refusesAtMostOneNewNameInOneHundred() {
        let throttle = Throttle(burst: 1, interval: .seconds(60))
        for number in 0..<20_000 { throttle.consume("\(number)", at: Self.now) }
        #expect((0..<20_000).count { throttle.wait("new \($0)", at: Self.now) != nil } < 200)
    }

    @Test func limitsEveryNameToItsBurst() {
        let throttle = Throttle(burst: 2, interval: .seconds(10))
        for _ in 0..<3 {
            for number in 0..<20_000 { _ = throttle.attempt("\(number)", at: Self.now) }
        }
        #expect((0..<20_000).allSatisfy { throttle.wait("\($0)", at: Self.now) != nil })
        #expect((0..<20_000).allSatisfy { throttle.wait("\($0)", at: Self.now + .seconds(30)) == nil })
    }
}
