import Testing

@testable import PlacekeeperSockets

@Suite struct TicksTests {
    @Test(arguments: [
        (Duration.zero, UInt32(1)), (.milliseconds(1), 2), (.milliseconds(500), 2), (.seconds(10), 21),
        (.seconds(-1), 1), (.seconds(Int64.max), 0x4000_0000),
    ])
    func lastAtLeastTheirDuration(duration: Duration, ticks: UInt32) {
        #expect(Ticks.count(duration) == ticks)
    }

    @Test(
        arguments: [(0, UInt32(121)), (511, 121), (512, 122), (1 << 20, 121 + 2048), (Int.max, 121 + 0x3FFF_FFFF)]
            as [(Int, UInt32)])
    func giveABodyMoreTimeForReceivedBytes(count: Int, ticks: UInt32) {
        #expect(Ticks(HTTPServer.Deadlines()).wholeBody(count) == ticks)
    }
}
