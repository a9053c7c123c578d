import Testing

@testable import PlacekeeperSockets

@Suite struct TimerTicksTests {
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

    @Test func lingersForTwoSecondsByDefault() {
        #expect(HTTPServer.Deadlines().linger == .seconds(2))
    }

    @Test func hasTheDocumentedDefaultBufferLimits() {
        let configuration = HTTPServer.Configuration()
        #expect(configuration.bufferLimit == 134_217_728)
        #expect(configuration.unsentLimit == 65_536)
    }
}
