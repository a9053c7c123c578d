import RestorationService
import TestSupport
import Testing

@testable import RestorationService

struct ClockAdvancesTests {
    private let clock = ManualClock(Timestamp(milliseconds: 100_000))
    private let advances = ClockAdvances()

    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test func keepsArrivalIfClockWasNotAdvanced() {
        advances.advance(clock, to: at(90_000))
        #expect(clock.now() == at(100_000))
        #expect(advances.corrected(at(70_000)) == at(70_000))
    }

    /// The clock was an hour behind when the request heads arrived. The body of one request arrived half a minute after
    /// its head.
    @Test func movesArrivalBeforeLongAdvanceToItsEnd() {
        advances.advance(clock, to: at(3_700_000))
        #expect(clock.now() == at(3_700_000))
        #expect(advances.corrected(at(100_000)) == at(3_700_000))
        #expect(advances.corrected(at(70_000)) == at(3_700_000))
        #expect(advances.corrected(at(3_700_000)) == at(3_700_000))
        #expect(advances.corrected(at(3_700_001)) == at(3_700_001))
    }

    /// The clock of another process is 50 ms ahead, so a stored time is slightly later than this clock.
    @Test func movesArrivalWithShortAdvance() {
        advances.advance(clock, to: at(100_050))
        #expect(advances.corrected(at(70_000)) == at(70_050))
        #expect(advances.corrected(at(99_990)) == at(100_050))
    }

    /// Two users of a database have different latest times, so the clock advances twice.
    @Test func correctsArrivalForEachAdvance() {
        advances.advance(clock, to: at(3_700_000))
        clock.advance(.milliseconds(10))
        advances.advance(clock, to: at(3_800_000))
        #expect(advances.corrected(at(100_000)) == at(3_800_000))
        #expect(advances.corrected(at(3_700_010)) == at(3_800_000))
        clock.advance(.milliseconds(10))
        #expect(advances.corrected(clock.now()) == at(3_800_010))
    }
}
