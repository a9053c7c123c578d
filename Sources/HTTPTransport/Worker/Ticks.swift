/// The deadlines in ticks of a worker's clock.
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

    /// For a body as a whole, of which so many bytes have come.
    func wholeBody(_ count: Int) -> UInt32 { wholeBody + UInt32(min(count / bodyBytes, 0x3FFF_FFFF)) }

    /// No fewer than last that long, whenever in the running tick they begin; half the clock's range at most.
    static func count(_ duration: Duration) -> UInt32 {
        UInt32(min(max(0, (duration / Worker.tick).rounded(.up)), 0x3FFF_FFFF)) + 1
    }
}
