import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

struct UserClocksTests {
    private let clock = ManualClock(Timestamp(milliseconds: 1_000_000_000))
    private let clocks = UserClocks()
    private let owner = UserKey(app: AppID(high: 0, low: 1), user: UserID(high: 0, low: 1))

    private func time() throws -> Timestamp { try #require(clocks.time(of: owner, clock)) }

    @Test func knowsNoTimeOfAUserBeforeItsLatestTimeIsRead() {
        #expect(clocks.time(of: owner, clock) == nil)
        #expect(clocks.time(of: owner, after: nil, clock) == clock.now())
        #expect(clocks.time(of: owner, clock) == clock.now())
    }

    @Test func followsTheSystemsClockWhileItRunsForward() throws {
        _ = clocks.time(of: owner, after: clock.now() - .seconds(5), clock)
        for step in [Duration.milliseconds(1), .seconds(2), .seconds(86_400 * 1000)] {
            clock.advance(step)
            #expect(try time() == clock.now())
            clock.set(clock.now() + step)
            #expect(try time() == clock.now())
        }
    }

    @Test func continuesAtTheSamePaceIfTheSystemsClockIsSetBack() throws {
        let before = clocks.time(of: owner, after: nil, clock)
        clock.advance(.seconds(1))
        clock.set(before - .seconds(86_400))
        #expect(try time() == before + .seconds(1))
        clock.advance(.milliseconds(1))
        #expect(try time() == before + .milliseconds(1001))
        clock.advance(.seconds(86_400))
        #expect(try time() == before + .milliseconds(1001) + .seconds(86_400))
    }

    @Test func continuesFromTheStoredTimeThatIsAhead() throws {
        let stored = clock.now() + .seconds(86_400)
        #expect(clocks.time(of: owner, after: stored, clock) == stored)
        clock.advance(.seconds(3))
        #expect(try time() == stored + .seconds(3))
        clock.set(stored + .seconds(60))
        #expect(try time() == stored + .seconds(60))
    }

    @Test func keepsTheTimesOfUsersApart() {
        let other = UserKey(app: owner.app, user: UserID(high: 0, low: 2))
        let stored = clock.now() + .seconds(86_400)
        _ = clocks.time(of: owner, after: stored, clock)
        #expect(clocks.time(of: other, after: nil, clock) == clock.now())
    }

    @Test func losesNoFractionsOfAMillisecondBetweenReadings() throws {
        let before = clocks.time(of: owner, after: nil, clock)
        clock.set(before - .seconds(10))
        for _ in 0..<3000 {
            clock.advance(.microseconds(333))
            _ = try time()
        }
        #expect(try time() == before + .milliseconds(999))
    }

    @Test func neverRunsBack() throws {
        let random = SeededRandom(seed: 7)
        var last = clocks.time(of: owner, after: nil, clock)
        for _ in 0..<10_000 {
            clock.advance(.microseconds(random.below(5000)))
            if random.below(4) == 0 { clock.set(clock.now() + .milliseconds(random.below(200_000) - 100_000)) }
            let now =
                random.below(8) == 0
                ? clocks.time(of: owner, after: last + .milliseconds(random.below(20) - 10), clock) : try time()
            #expect(now >= last)
            last = now
        }
    }

    /// The system's clock was an hour behind when the heads of two requests arrived. The body of one request arrived half a
    /// minute after its head.
    @Test func putsAnArrivalBeforeALongLeadAtItsEnd() {
        let head = clock.uptime()
        clock.advance(.seconds(30))
        let stored = clock.now() + .seconds(3600)
        let now = clocks.time(of: owner, after: stored, clock)
        #expect(clocks.arrival(at: head, of: owner, now: now, clock) == stored)
        #expect(clocks.arrival(at: clock.uptime(), of: owner, now: now, clock) == stored)
        let later = clock.uptime()
        clock.advance(.seconds(10))
        #expect(clocks.arrival(at: later, of: owner, now: now + .seconds(10), clock) == stored)
    }

    /// The clock of another process is 50 ms ahead, so a stored time is a little later than the system's time.
    @Test func movesAnArrivalByAShortLead() {
        let head = clock.uptime()
        clock.advance(.seconds(30))
        let now = clocks.time(of: owner, after: clock.now() + .milliseconds(50), clock)
        #expect(clocks.arrival(at: head, of: owner, now: now, clock) == now - .seconds(30))
    }

    @Test func measuresAnArrivalAlsoIfTheSystemsClockIsSetInBetween() throws {
        _ = clocks.time(of: owner, after: nil, clock)
        for change in [Duration.seconds(-86_400), .seconds(86_400)] {
            let head = clock.uptime()
            clock.advance(.seconds(30))
            clock.set(clock.now() + change)
            let now = try time()
            #expect(clocks.arrival(at: head, of: owner, now: now, clock) == now - .seconds(30))
        }
    }
}
