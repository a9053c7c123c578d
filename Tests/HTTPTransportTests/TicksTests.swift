import Testing

@testable import HTTPTransport

@Suite struct TicksTests {
    @Test(arguments: [
        (Duration.zero, UInt32(1)), (.milliseconds(1), 2), (.milliseconds(500), 2), (.seconds(10), 21),
        (.seconds(-1), 1), (.seconds(Int64.max), 0x4000_0000),
    ])
    func neverLastShorterThanTheirDuration(duration: Duration, ticks: UInt32) {
        #expect(Ticks.count(duration) == ticks)
    }
}
