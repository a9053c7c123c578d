/// Decodes requests from the bytes of a connection, without a socket (RFC 9112).
///
/// The caller passes the received bytes, drops the consumed ones, and calls the decoder again. The events don't depend
/// on how the bytes are split, or on bytes after the request. After `.refused`, the decoder discards all further bytes.
/// It also discards all bytes after the `.end` of a message that doesn't keep the connection alive (RFC 9112 section
/// 9.6).
package struct RequestDecoder: Sendable {
    package enum Event: Sendable {
        /// The decoder needs more bytes. The caller must pass the unconsumed bytes again.
        case needsMore
        case head(RequestHead)
        /// A piece of content. The range refers to the passed bytes, before the consumed ones are dropped.
        case body(Range<Int>)
        /// The message is complete. The next call reads the next request.
        case end
        case refused(Refusal)
    }

    /// The limits of a message, in bytes unless noted otherwise.
    package struct Limits: Sendable, Hashable {
        /// The maximum length of the request line, without its CRLF. A longer line gets 414.
        package var requestLine = 8 * 1024
        /// The maximum size of the head, including the empty line at its end. A larger head gets 431.
        package var head = 32 * 1024
        /// The maximum number of fields in a head, and in a trailer section. More fields get 431.
        package var fieldCount = 100
        /// The maximum total length of the chunk extensions of a message. Longer extensions get 400.
        package var chunkExtensions = 4 * 1024
        /// The maximum size of the trailer section. A larger section gets 431.
        package var trailers = 8 * 1024
        package init() {}
    }

    private enum Phase {
        case head
        /// Content is being read. The value is the number of bytes that haven't arrived.
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

    /// Whether a message has begun and is incomplete. Such a message is refused at its deadline or at the end of the
    /// input.
    package var isInsideMessage: Bool {
        switch phase {
        case .head: reader.hasBegun
        case .content, .chunks: true
        case .closed: false
        }
    }

    /// The refusal to send at the end of the peer's input (RFC 9112 section 8). Nil between messages.
    package var refusalAtEndOfInput: Refusal? { isInsideMessage ? Refusal(.messageIncomplete) : nil }

    /// Returns the next event in `bytes`, and how many bytes it consumed.
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

    /// Skips empty lines before a request line (RFC 9112 section 2.2), up to the maximum length of a request line in
    /// total.
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
