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
        #expect(throttle.count == 0)
    }

    @Test func whatIsSpentTogetherIsOwed() {
        let throttle = Throttle(burst: 2, interval: .seconds(10))
        for _ in 0..<3 { throttle.spend("a", at: Self.now) }
        #expect(throttle.wait("a", at: Self.now) == .seconds(20))
        for _ in 0..<1000 { throttle.spend("a", at: Self.now) }
        #expect(throttle.wait("a", at: Self.now) == .seconds(30), "up to as much again")
    }

    @Test func holdsABoundedNumberOfKeys() {
        let throttle = Throttle(burst: 2, interval: .seconds(10), capacity: 100)
        for number in 0..<100 { #expect(throttle.attempt("\(number)", at: Self.now) == nil) }
        let granted = (100..<10_000).count { throttle.attempt("\($0)", at: Self.now) == nil }
        #expect(granted == 2, "strangers share one burst")
        #expect(throttle.count == 101)
        #expect(throttle.attempt("5", at: Self.now) == nil, "those known keep theirs")
        #expect(throttle.attempt("new", at: Self.now + .seconds(30)) == nil, "and room is made with time")
        #expect(throttle.count == 1)
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
