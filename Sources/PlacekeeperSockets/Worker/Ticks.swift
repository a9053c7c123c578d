/// The deadlines, in ticks of a worker's clock.
struct Ticks {
    private let idle, head, body, wholeBody, write, linger: UInt32
    private let bodyBytes: Int

    init(_ deadlines: HTTPServer.Deadlines) {
        idle = Self.count(deadlines.idle)
        head = Self.count(deadlines.head)
        body = Self.count(deadlines.body)
        wholeBody = Self.count(deadlines.wholeBody)
        bodyBytes = max(1, Int((Worker.tick / .seconds(1)) * Double(deadlines.bodyRate)))
        write = Self.count(deadlines.write)
        linger = Self.count(deadlines.linger)
    }

    subscript(timer: Connection.Timer) -> UInt32 {
        switch timer {
        case .idle: idle
        case .head: head
        case .body: body
        case .write: write
        case .linger: linger
        }
    }

    /// Returns the total time, in ticks, for a body of which `count` bytes have arrived.
    func wholeBody(_ count: Int) -> UInt32 { wholeBody + UInt32(min(count / bodyBytes, 0x3FFF_FFFF)) }

    /// Returns the number of ticks that last at least `duration`, counted from any moment of the current tick. The
    /// result is at most a quarter of the clock's range, so deadlines can be compared even though the clock wraps
    /// around.
    static func count(_ duration: Duration) -> UInt32 {
        UInt32(min(max(0, (duration / Worker.tick).rounded(.up)), 0x3FFF_FFFF)) + 1
    }
}
