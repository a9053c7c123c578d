import RestorationService
import Testing

struct ThrottleTests {
    static let now = Timestamp(milliseconds: 1_000_000)

    @Test func allowsBurstThenOneAttemptEachInterval() {
        let throttle = Throttle(burst: 3, interval: .seconds(10))
        for _ in 0..<3 { #expect(throttle.attempt("a", at: Self.now) == nil) }
        #expect(throttle.attempt("a", at: Self.now) == .seconds(10))
        #expect(throttle.attempt("a", at: Self.now + .seconds(4)) == .seconds(6))
        #expect(throttle.attempt("b", at: Self.now) == nil, "other names are not affected")
        #expect(throttle.attempt("a", at: Self.now + .seconds(10)) == nil)
        #expect(throttle.attempt("a", at: Self.now + .seconds(10)) == .seconds(10))
        for _ in 0..<3 { #expect(throttle.attempt("a", at: Self.now + .seconds(1000)) == nil) }
        #expect(throttle.attempt("a", at: Self.now + .seconds(1000)) != nil, "at most a burst is available")
    }

    @Test func checkingSpendsNoAttempt() {
        let throttle = Throttle(burst: 1, interval: .seconds(10))
        for _ in 0..<5 { #expect(throttle.wait("a", at: Self.now) == nil) }
        #expect(throttle.attempt("a", at: Self.now) == nil)
    }

    @Test func owesConcurrentAttemptsUpToOneMoreBurst() {
        let throttle = Throttle(burst: 2, interval: .seconds(10))
        for _ in 0..<3 { throttle.spend("a", at: Self.now) }
        #expect(throttle.wait("a", at: Self.now) == .seconds(20))
        for _ in 0..<1000 { throttle.spend("a", at: Self.now) }
        #expect(throttle.wait("a", at: Self.now) == .seconds(30), "at most one more burst is owed")
    }

    @Test func allowsNewNameAfterManyNamesSpentOneAttempt() {
        let throttle = Throttle(burst: 10, interval: .seconds(60))
        for number in 0..<30_000 { throttle.spend("\(number)", at: Self.now) }
        #expect((0..<1000).allSatisfy { throttle.wait("new \($0)", at: Self.now) == nil })
    }

    @Test func refusesFewNewNamesAfterManyNamesSpentAllAttempts() {
        let throttle = Throttle(burst: 10, interval: .seconds(60))
        for number in 0..<10_000 {
            for _ in 0..<10 { throttle.spend("\(number)", at: Self.now) }
        }
        #expect((0..<1000).count { throttle.wait("new \($0)", at: Self.now) != nil } < 50)
    }

    /// With four rows of counters, the throttle refuses about 1 of 200 new names. With three rows, it would refuse 1 of
    /// 55.
    @Test func refusesAtMostOneNewNameInOneHundred() {
        let throttle = Throttle(burst: 1, interval: .seconds(60))
        for number in 0..<20_000 { throttle.spend("\(number)", at: Self.now) }
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

extension Throttle {
    /// Spends an attempt if one is allowed. Otherwise returns the time to wait.
    fileprivate func attempt(_ name: String, at now: Timestamp) -> Duration? {
        if let wait = wait(name, at: now) { return wait }
        spend(name, at: now)
        return nil
    }
}
