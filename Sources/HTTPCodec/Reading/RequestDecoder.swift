/// Reads requests from a connection's bytes, knowing no socket (RFC 9112).
///
/// Feed it the bytes that are there, drop what it consumed, feed it again. The same bytes give the same events whole,
/// byte by byte, and with the next request behind them. After `.refused`, and after the `.end` of a message that does
/// not keep the connection alive, it takes bytes and says nothing of them (RFC 9112 section 9.6).
package struct RequestDecoder: Sendable {
    package enum Event: Sendable {
        /// Nothing more can be said before more bytes are there. What was not consumed must be fed again.
        case needsMore
        case head(RequestHead)
        /// A piece of content, at this range of the bytes that were fed (before dropping what was consumed).
        case body(Range<Int>)
        /// The message is whole. The next call reads the next request.
        case end
        case refused(Refusal)
    }

    /// What a message may measure, in bytes where nothing else is said.
    package struct Limits: Sendable, Hashable {
        /// The request line without its CRLF; 414 beyond.
        package var requestLine = 8 * 1024
        /// The head to its last byte; 431 beyond.
        package var head = 32 * 1024
        /// Fields of a head, or of a trailer section; 431 beyond.
        package var fieldCount = 100
        /// The chunk extensions of a message together; 400 beyond.
        package var chunkExtensions = 4 * 1024
        /// A trailer section; 431 beyond.
        package var trailers = 8 * 1024
        package init() {}
    }

    private enum Phase {
        case head
        /// Content of which so many bytes are still to come.
        case content(Int)
        case chunks(ChunkedReader)
        case closed
    }

    package let limits: Limits
    private var phase = Phase.head
    private var reader = HeadReader()
    private var emptyLines = 0
    private var keepsAlive = true

    package init(limits: Limits = Limits()) { self.limits = limits }

    /// Whether a message has begun and is not whole: what a deadline, and a peer that closes, go by.
    package var isInsideMessage: Bool {
        switch phase {
        case .head: reader.hasBegun
        case .content, .chunks: true
        case .closed: false
        }
    }

    /// What to answer when the peer sends nothing more (RFC 9112 section 8); nil between messages.
    package var refusalAtEndOfInput: Refusal? { isInsideMessage ? Refusal(.messageIncomplete) : nil }

    /// The next event in `bytes`, and how many of them it used up.
    package mutating func next(_ bytes: UnsafeRawBufferPointer) -> (event: Event, consumed: Int) {
        do {
            switch phase {
            case .head: return try nextInHead(bytes)
            case .content(0): return (finish(), 0)
            case .content(let remaining):
                let count = min(remaining, bytes.count)
                guard count > 0 else { return (.needsMore, 0) }
                phase = .content(remaining - count)
                return (.body(0..<count), count)
            case .chunks(var chunks):
                let (step, consumed) = try chunks.next(bytes, limits: limits)
                phase = .chunks(chunks)
                switch step {
                case .needsMore: return (.needsMore, consumed)
                case .data(let range): return (.body(range), consumed)
                case .end: return (finish(), consumed)
                }
            case .closed: return (.needsMore, bytes.count)
            }
        } catch {
            phase = .closed
            return (.refused(Refusal(error)), bytes.count)
        }
    }

    private mutating func nextInHead(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> (Event, Int) {
        let skipped = reader.hasBegun ? 0 : try skipEmptyLines(bytes)
        if !reader.hasBegun, bytes.count == skipped + 1, bytes[skipped] == Grammar.carriageReturn {
            return (.needsMore, skipped)
        }
        let result = try reader.read(UnsafeRawBufferPointer(rebasing: bytes[skipped...]), limits: limits)
        guard let (head, length) = result else { return (.needsMore, skipped) }
        reader = HeadReader()
        emptyLines = 0
        keepsAlive = head.keepsAlive
        switch head.framing {
        case .none: phase = .content(0)
        case .length(let length): phase = .content(length)
        case .chunked: phase = .chunks(ChunkedReader())
        }
        return (.head(head), skipped + length)
    }

    /// Empty lines before a request line are forgiven (RFC 9112 section 2.2), within the measure of a line.
    private mutating func skipEmptyLines(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> Int {
        var index = 0
        while index + 1 < bytes.count, bytes[index] == Grammar.carriageReturn {
            guard bytes[index + 1] == Grammar.lineFeed else { throw .bareCarriageReturn }
            index += 2
            emptyLines += 1
            guard emptyLines * 2 <= limits.requestLine else { throw .requestLineMalformed }
        }
        return index
    }

    private mutating func finish() -> Event {
        phase = keepsAlive ? .head : .closed
        return .end
    }
}
