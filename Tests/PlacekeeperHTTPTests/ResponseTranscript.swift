@testable import PlacekeeperHTTP

/// The result of decoding a response, in a form that does not depend on how the bytes were split.
struct ResponseTranscript: Equatable {
    var head: ResponseHead?
    var body: [UInt8] = []
    var isWhole = false
    var code: String?
    /// The number of bytes after the response.
    var unread = 0

    /// Decodes `bytes` in pieces of at most `length` bytes, as a connection does.
    /// - Parameter closes: Whether the peer closes the connection after the bytes.
    init(
        of bytes: [UInt8], to method: String = "GET", length: Int, closes: Bool = false, bodyLimit: Int = 1 << 20,
        limits: RequestDecoder.Limits = RequestDecoder.Limits()
    ) {
        var decoder = ResponseDecoder(to: method, bodyLimit: bodyLimit, limits: limits)
        var buffer: [UInt8] = []
        var offset = 0
        while offset < bytes.count, !isWhole, code == nil {
            let end = min(offset + length, bytes.count)
            buffer += bytes[offset..<end]
            offset = end
            while take(&decoder, &buffer) {}
        }
        unread = buffer.count + bytes.count - offset
        if closes, let event = decoder.eventAtEndOfInput() { _ = take(event, buffer) }
    }

    private mutating func take(_ decoder: inout ResponseDecoder, _ buffer: inout [UInt8]) -> Bool {
        let (event, consumed) = buffer.withUnsafeBytes { decoder.next($0) }
        defer { buffer.removeFirst(consumed) }
        return take(event, buffer)
    }

    private mutating func take(_ event: ResponseDecoder.Event, _ buffer: [UInt8]) -> Bool {
        switch event {
        case .needsMore: return false
        case .head(let head): self.head = head
        case .body(let range): body += buffer[range]
        case .end: isWhole = true
        case .refused(let code): self.code = code
        }
        return true
    }
}
