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

    /// Deadlines that all have different lengths, so that the test notices a mix-up of two deadlines.
    private static let deadlines: HTTPServer.Deadlines = {
        var deadlines = HTTPServer.Deadlines()
        deadlines.idle = .seconds(1)
        deadlines.head = .seconds(2)
        deadlines.body = .seconds(3)
        deadlines.wholeBody = .seconds(4)
        deadlines.write = .seconds(5)
        deadlines.linger = .seconds(6)
        return deadlines
    }()

    @Test(arguments: [(Connection.Timer.idle, UInt32(3)), (.head, 5), (.body, 7), (.write, 11), (.linger, 13)])
    func countsTheDeadlineOfEachTimer(timer: Connection.Timer, ticks: UInt32) {
        #expect(Ticks(Self.deadlines)[timer] == ticks)
    }

    @Test(arguments: [(0, UInt32(9)), (1, 10), (4, 13)])
    func givesABodyOneTickForEachByteAtTheLowestRate(count: Int, ticks: UInt32) {
        var deadlines = Self.deadlines
        deadlines.bodyRate = 1
        #expect(Ticks(deadlines).wholeBody(count) == ticks)
    }
}
