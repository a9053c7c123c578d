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

    @Test func givesAttemptsBack() {
        let throttle = Throttle(burst: 1, interval: .seconds(10))
        for _ in 0..<5 {
            #expect(throttle.attempt("a", at: Self.now) == nil)
            throttle.giveBack("a", at: Self.now)
        }
        #expect(throttle.count == 0)
        throttle.giveBack("a", at: Self.now)
        #expect(throttle.attempt("a", at: Self.now) == nil)
        #expect(throttle.attempt("a", at: Self.now) != nil, "giving back what was not spent earns nothing")
    }

    @Test func holdsABoundedNumberOfKeys() {
        let throttle = Throttle(burst: 2, interval: .seconds(10), capacity: 100)
        for number in 0..<100 { #expect(throttle.attempt("\(number)", at: Self.now) == nil) }
        var granted = 0
        for number in 100..<10_000 where throttle.attempt("\(number)", at: Self.now) == nil { granted += 1 }
        #expect(granted == 2, "strangers share one burst")
        #expect(throttle.count <= 101)
        #expect(throttle.attempt("5", at: Self.now) == nil, "those known keep theirs")
        #expect(throttle.attempt("new", at: Self.now + .seconds(30)) == nil, "and room is made with time")
        #expect(throttle.count == 1)
    }
}
