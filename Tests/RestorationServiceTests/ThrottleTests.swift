import RestorationService
import Testing

struct ThrottleTests {
    static let now = Timestamp(milliseconds: 1_000_000)

    @Test func grantsABurstAndThenOneEachInterval() {
        let throttle = Throttle(burst: 3, interval: .seconds(10))
        for _ in 0..<3 { #expect(throttle.attempt("a", at: Self.now) == nil) }
        #expect(throttle.attempt("a", at: Self.now) == .seconds(10))
        #expect(throttle.attempt("a", at: Self.now + .seconds(4)) == .seconds(6))
        #expect(throttle.attempt("b", at: Self.now) == nil, "others are not concerned")
        #expect(throttle.attempt("a", at: Self.now + .seconds(10)) == nil)
        #expect(throttle.attempt("a", at: Self.now + .seconds(10)) == .seconds(10))
        for _ in 0..<3 { #expect(throttle.attempt("a", at: Self.now + .seconds(1000)) == nil) }
        #expect(throttle.attempt("a", at: Self.now + .seconds(1000)) != nil, "no more than the burst is saved up")
    }

    @Test func askingCostsNothing() {
        let throttle = Throttle(burst: 1, interval: .seconds(10))
        for _ in 0..<5 { #expect(throttle.wait("a", at: Self.now) == nil) }
        #expect(throttle.attempt("a", at: Self.now) == nil)
    }

    @Test func whatIsSpentTogetherIsOwed() {
        let throttle = Throttle(burst: 2, interval: .seconds(10))
        for _ in 0..<3 { throttle.spend("a", at: Self.now) }
        #expect(throttle.wait("a", at: Self.now) == .seconds(20))
        for _ in 0..<1000 { throttle.spend("a", at: Self.now) }
        #expect(throttle.wait("a", at: Self.now) == .seconds(30), "up to as much again")
    }

    @Test func grantsANewNameItsBurstHoweverManyOthersSpentSome() {
        let throttle = Throttle(burst: 10, interval: .seconds(60))
        for number in 0..<30_000 { throttle.spend("\(number)", at: Self.now) }
        #expect((0..<1000).allSatisfy { throttle.wait("new \($0)", at: Self.now) == nil })
    }

    @Test func turnsAwayFewNewNamesWhereManyOthersSpentAll() {
        let throttle = Throttle(burst: 10, interval: .seconds(60))
        for number in 0..<10_000 {
            for _ in 0..<10 { throttle.spend("\(number)", at: Self.now) }
        }
        #expect((0..<1000).count { throttle.wait("new \($0)", at: Self.now) != nil } < 50)
    }

    /// One in two hundred with four rows of counters, one in 55 with three.
    @Test func turnsAwayNoMoreNewNamesThanItsFourRowsConfuse() {
        let throttle = Throttle(burst: 1, interval: .seconds(60))
        for number in 0..<20_000 { throttle.spend("\(number)", at: Self.now) }
        #expect((0..<20_000).count { throttle.wait("new \($0)", at: Self.now) != nil } < 200)
    }

    @Test func grantsNoNameMoreThanItsBurstHoweverManyNamesThereAre() {
        let throttle = Throttle(burst: 2, interval: .seconds(10))
        for _ in 0..<3 {
            for number in 0..<20_000 { _ = throttle.attempt("\(number)", at: Self.now) }
        }
        #expect((0..<20_000).allSatisfy { throttle.wait("\($0)", at: Self.now) != nil })
        #expect((0..<20_000).allSatisfy { throttle.wait("\($0)", at: Self.now + .seconds(30)) == nil })
    }
}

extension Throttle {
    /// Spends an attempt if there is one; otherwise tells how long until there is.
    fileprivate func attempt(_ name: String, at now: Timestamp) -> Duration? {
        if let wait = wait(name, at: now) { return wait }
        spend(name, at: now)
        return nil
    }
}
