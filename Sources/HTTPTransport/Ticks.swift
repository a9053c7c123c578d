/// The deadlines in ticks of a worker's clock.
struct Ticks {
    private let idle, head, body, write, linger: UInt32

    init(_ deadlines: HTTPServer.Deadlines) {
        idle = Self.count(deadlines.idle)
        head = Self.count(deadlines.head)
        body = Self.count(deadlines.body)
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

    /// No fewer than last that long, whenever in the running tick they begin; half the clock's range at most.
    static func count(_ duration: Duration) -> UInt32 {
        UInt32(min(max(0, (duration / Worker.tick).rounded(.up)), 0x3FFF_FFFF)) + 1
    }
}
