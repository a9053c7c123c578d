import TestSupport
import Concurrency
import RestorationService
import Testing

struct ServerClockTests {
    /// A system with a clock and a monotonic source that tests set.
    final class System: Sendable {
        let readings = LockBox((time: Timestamp(milliseconds: 1_000_000_000), monotonic: Duration.seconds(5)))

        func clock() -> ServerClock {
            ServerClock(
                system: { self.readings.withLock { $0.time } }, monotonic: { self.readings.withLock { $0.monotonic } })
        }

        func advance(_ duration: Duration, setting offset: Duration = .zero) {
            readings.withLock { $0 = ($0.time + duration + offset, $0.monotonic + duration) }
        }
    }

    @Test func followsSystemClock() {
        let system = System()
        let clock = system.clock()
        #expect(clock.now() == Timestamp(milliseconds: 1_000_000_000))
        system.advance(.seconds(7))
        #expect(clock.now() == Timestamp(milliseconds: 1_000_007_000))
        system.advance(.seconds(1), setting: .seconds(86_400))
        #expect(clock.now() == Timestamp(milliseconds: 1_086_408_000), "set forward")
    }

    @Test func continuesAtSamePaceWhenSystemClockIsSetBack() {
        let system = System()
        let clock = system.clock()
        system.advance(.seconds(10))
        let before = clock.now()
        system.advance(.seconds(1), setting: .seconds(-86_400))
        #expect(clock.now() == before + .seconds(1))
        system.advance(.milliseconds(1))
        #expect(clock.now() == before + .milliseconds(1001))
        system.advance(.seconds(86_400))
        #expect(clock.now() == before + .milliseconds(1001) + .seconds(86_400))
    }

    @Test func continuesFromTheTimeItIsAdvancedTo() {
        let system = System()
        let stored = Timestamp(milliseconds: 1_000_000_000) + .seconds(86_400)
        let clock = system.clock()
        system.advance(.seconds(2))
        clock.advance(to: stored)
        #expect(clock.now() == stored)
        system.advance(.seconds(3))
        #expect(clock.now() == stored + .seconds(3))
        clock.advance(to: stored + .seconds(1))
        #expect(clock.now() == stored + .seconds(3))
        clock.advance(to: stored + .seconds(4))
        #expect(clock.now() == stored + .seconds(4))
        system.advance(.seconds(1), setting: .seconds(2 * 86_400))
        #expect(clock.now() == Timestamp(milliseconds: 1_000_006_000) + .seconds(2 * 86_400))
    }

    @Test func ignoresAdvanceToEarlierTime() {
        let system = System()
        let clock = system.clock()
        clock.advance(to: Timestamp(milliseconds: 0))
        system.advance(.seconds(3))
        clock.advance(to: Timestamp(milliseconds: 1_000_001_000))
        #expect(clock.now() == Timestamp(milliseconds: 1_000_003_000))
    }

    @Test func losesNoFractionsOfMillisecondBetweenReadings() {
        let system = System()
        let clock = system.clock()
        system.advance(.zero, setting: .seconds(-10))
        for _ in 0..<3000 {
            system.advance(.microseconds(333))
            _ = clock.now()
        }
        #expect(clock.now() == Timestamp(milliseconds: 1_000_000_999))
    }

    @Test func neverRunsBack() {
        let system = System()
        let clock = system.clock()
        let random = SeededRandom(seed: 7)
        var last = clock.now()
        for _ in 0..<10_000 {
            let offset = Duration.milliseconds(random.below(4) == 0 ? random.below(200_000) - 100_000 : 0)
            system.advance(.microseconds(random.below(5000)), setting: offset)
            if random.below(8) == 0 { clock.advance(to: last + .milliseconds(random.below(20) - 10)) }
            let now = clock.now()
            #expect(now >= last)
            last = now
        }
    }
}
