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

    /// No fewer than last that long, whenever in the running tick they begin.
    static func count(_ duration: Duration) -> UInt32 { UInt32(max(0, (duration / Worker.tick).rounded(.up))) + 1 }
}
