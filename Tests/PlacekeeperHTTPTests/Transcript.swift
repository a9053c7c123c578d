@testable import PlacekeeperHTTP

/// The result of decoding bytes, in a form that does not depend on how the bytes were split.
struct Transcript: Equatable {
    struct Message: Equatable {
        var method: Method
        var minorVersion: UInt8
        var path: String
        var query: String?
        var authority: String?
        var fields: [String]
        var framing: RequestHead.Framing
        var keepsAlive: Bool
        var expectsContinue: Bool
        var body: [UInt8] = []
        var isWhole = false
    }

    var messages: [Message] = []
    var refusal: Refusal?
    /// Whether the decoder waits for more bytes of a message.
    var isInsideMessage = false

    /// Decodes `bytes` in pieces of the given lengths, and then the remaining bytes, as a connection does.
    init(
        of bytes: [UInt8], lengths: some Sequence<Int>, limits: RequestDecoder.Limits = RequestDecoder.Limits()
    ) {
        var decoder = RequestDecoder(limits: limits)
        var buffer: [UInt8] = []
        var offset = 0
        var lengths = lengths.makeIterator()
        while offset < bytes.count {
            let length = min(max(1, lengths.next() ?? bytes.count), bytes.count - offset)
            buffer += bytes[offset..<offset + length]
            offset += length
            while take(&decoder, &buffer) {}
        }
        isInsideMessage = decoder.isInsideMessage
    }

    init(whole bytes: [UInt8], limits: RequestDecoder.Limits = RequestDecoder.Limits()) {
        self.init(of: bytes, lengths: [], limits: limits)
    }

    init(byteByByte bytes: [UInt8], limits: RequestDecoder.Limits = RequestDecoder.Limits()) {
        self.init(of: bytes, lengths: repeatElement(1, count: bytes.count), limits: limits)
    }

    private mutating func take(_ decoder: inout RequestDecoder, _ buffer: inout [UInt8]) -> Bool {
        let (event, consumed) = buffer.withUnsafeBytes { decoder.next($0) }
        defer { buffer.removeFirst(consumed) }
        switch event {
        case .needsMore: return false
        case .head(let head): messages.append(Message(head))
        case .body(let range): messages[messages.count - 1].body += buffer[range]
        case .end: messages[messages.count - 1].isWhole = true
        case .refused(let refusal): self.refusal = refusal
        }
        return true
    }
}

extension Transcript.Message {
    init(_ head: RequestHead) {
        func text(_ range: Range<Int>) -> String { String(decoding: head.bytes[range], as: UTF8.self) }
        self.init(
            method: head.method, minorVersion: head.minorVersion, path: text(head.path), query: head.query.map(text),
            authority: head.authority.map(text), fields: head.fields.map { "\(text($0.name)): \(text($0.value))" },
            framing: head.framing, keepsAlive: head.keepsAlive, expectsContinue: head.expectsContinue)
    }
}
