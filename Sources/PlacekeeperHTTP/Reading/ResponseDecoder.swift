/// Decodes the response to one request from the bytes of a connection, without a socket (RFC 9112).
///
/// The caller passes the received bytes, drops the consumed ones, and calls the decoder again. The events don't depend
/// on how the bytes are split, or on bytes after the response. The decoder skips interim responses (1xx). After `.end`
/// and `.refused`, it consumes nothing.
package struct ResponseDecoder: Sendable {
    package enum Event: Sendable {
        /// The decoder needs more bytes. The caller must pass the unconsumed bytes again.
        case needsMore
        case head(ResponseHead)
        /// A piece of content. The range refers to the passed bytes, before the consumed ones are dropped.
        case body(Range<Int>)
        /// The response is complete.
        case end
        /// The response is invalid. The value is the stable code of the fault, such as `content-length-invalid`.
        case refused(code: String)
    }

    private enum Phase {
        case head
        /// Content is being read. The value is the number of bytes that haven't arrived.
        case content(Int)
        case chunks(ChunkedReader)
        case untilClose
        case closed
    }

    private let limits: RequestDecoder.Limits
    private let isHead: Bool
    private let interimLimit: Int
    private var bodyLeft: Int
    private var interimCount = 0
    private var phase = Phase.head
    private var reader = ResponseHeadReader()

    /// - Parameters:
    ///   - method: The method of the request. The response to `HEAD` has no content.
    ///   - bodyLimit: The maximum size of the content, in bytes.
    ///   - interimLimit: The maximum number of interim responses before the response.
    ///   - limits: The limits of the head, the chunk extensions and the trailer section. The limit of a request line
    ///     applies to the status line.
    package init(
        to method: String, bodyLimit: Int, interimLimit: Int = 8,
        limits: RequestDecoder.Limits = RequestDecoder.Limits()
    ) {
        isHead = method == "HEAD"
        bodyLeft = bodyLimit
        self.interimLimit = interimLimit
        self.limits = limits
    }

    /// Returns the next event in `bytes`, and how many bytes it consumed.
    package mutating func next(_ bytes: UnsafeRawBufferPointer) -> (event: Event, consumed: Int) {
        do {
            switch phase {
            case .head: return try nextInHead(bytes)
            case .content(0): return (finish(), 0)
            case .content(let remaining):
                let count = min(remaining, bytes.count)
                phase = .content(remaining - count)
                return (try body(0..<count), count)
            case .chunks(var chunks):
                let (step, consumed) = try chunks.next(bytes, limits: limits)
                phase = .chunks(chunks)
                switch step {
                case .needsMore: return (.needsMore, consumed)
                case .data(let range): return (try body(range), consumed)
                case .end: return (finish(), consumed)
                }
            case .untilClose: return (try body(0..<bytes.count), bytes.count)
            case .closed: return (.needsMore, 0)
            }
        } catch {
            return (refuse(error), 0)
        }
    }

    /// Returns the event at the end of the peer's input (RFC 9112 section 8). Nil after `.end` and `.refused`.
    package mutating func eventAtEndOfInput() -> Event? {
        switch phase {
        case .closed: nil
        case .untilClose: finish()
        case .head, .content, .chunks: refuse(.messageIncomplete)
        }
    }

    private mutating func nextInHead(_ bytes: UnsafeRawBufferPointer) throws(Fault) -> (Event, Int) {
        guard let (received, length) = try reader.read(bytes, limits: limits) else { return (.needsMore, 0) }
        var head = received
        reader = ResponseHeadReader()
        if head.status < 200 {
            // Requests sent through this decoder never ask for another protocol (RFC 9110 section 15.2.2).
            guard head.status != 101 else { throw .versionUnsupported }
            interimCount += 1
            guard interimCount <= interimLimit else { throw .tooManyInterimResponses }
            let (event, consumed) = try nextInHead(UnsafeRawBufferPointer(rebasing: bytes[length...]))
            return (event, length + consumed)
        }
        // These responses have no content, whatever their fields say (RFC 9112 section 6.3).
        if isHead || head.status == 204 || head.status == 304 { head.framing = .none }
        switch head.framing {
        case .none: phase = .content(0)
        case .length(let length):
            guard length <= bodyLeft else { throw .bodyTooLarge }
            phase = .content(length)
        case .chunked: phase = .chunks(ChunkedReader())
        case .untilClose:
            head.keepsAlive = false
            phase = .untilClose
        }
        return (.head(head), length)
    }

    private mutating func body(_ range: Range<Int>) throws(Fault) -> Event {
        guard !range.isEmpty else { return .needsMore }
        guard range.count <= bodyLeft else { throw .bodyTooLarge }
        bodyLeft -= range.count
        return .body(range)
    }

    private mutating func finish() -> Event {
        phase = .closed
        return .end
    }

    private mutating func refuse(_ fault: Fault) -> Event {
        phase = .closed
        return .refused(code: fault.rawValue)
    }
}
