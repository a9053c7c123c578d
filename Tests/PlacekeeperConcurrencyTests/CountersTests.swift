import PlacekeeperConcurrency
import Dispatch
import Testing

struct CountersTests {
    @Test func losesNoAdditionOfManyThreads() {
        let counters = Counters(2)
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for _ in 0..<10_000 { counters.add(3, at: 1) }
        }
        #expect(counters.value(at: 1) == 120_000)
        #expect(counters.value(at: 0) == 0)
    }

    @Test func beginsWithTheFirstValue() {
        let counters = Counters(1, from: 5)
        #expect(counters.value(at: 0) == 5)
        #expect(counters.add(1, at: 0) == 6)
    }

    @Test func sumWrapsAround() {
        let counters = Counters(1, from: .max)
        #expect(counters.add(2, at: 0) == 1)
    }
}
