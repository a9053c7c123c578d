/// What the fields of the head say about the message and its connection (RFC 9112 sections 3.2, 6 and 9.3).
struct MessageFacts: Sendable {
    private enum Coding: UInt8 {
        case none, chunked, other, chunkedRepeated, chunkedNotLast
    }

    private(set) var host: Range<Int>?
    private(set) var expectsContinue = false
    private var contentLength: Int?
    private var coding = Coding.none
    private var closes = false
    private var keepsAlive = false
    private var hasUnknownCoding = false
    private var hasUnknownExpectation = false

    /// Reads a field of a request. Throws if the field itself is faulty; `framing` throws for faults of the head as a
    /// whole.
    mutating func take(name: Range<Int>, value: Range<Int>, of bytes: UnsafeRawBufferPointer) throws(Fault) {
        // Comparing the name's length first rules out most other fields.
        switch name.count {
        case 4 where Grammar.equalsIgnoringCase("host", name, of: bytes):
            guard host == nil else { throw .hostRepeated }
            guard Authority.isValid(value, of: bytes) else { throw .hostInvalid }
            host = value
        case 6 where Grammar.equalsIgnoringCase("expect", name, of: bytes):
            for member in ListMembers(value, of: bytes) {
                let isKnown = Grammar.equalsIgnoringCase("100-continue", member, of: bytes)
                if isKnown { expectsContinue = true } else { hasUnknownExpectation = true }
            }
        default: try takeFraming(name: name, value: value, of: bytes)
        }
    }

    /// Reads a field of a response. Uses only `Connection` and the fields that frame the message.
    mutating func takeFraming(name: Range<Int>, value: Range<Int>, of bytes: UnsafeRawBufferPointer) throws(Fault) {
        switch name.count {
        case 10 where Grammar.equalsIgnoringCase("connection", name, of: bytes):
            for member in ListMembers(value, of: bytes) {
                if Grammar.equalsIgnoringCase("close", member, of: bytes) { closes = true }
                if Grammar.equalsIgnoringCase("keep-alive", member, of: bytes) { keepsAlive = true }
            }
        case 14 where Grammar.equalsIgnoringCase("content-length", name, of: bytes):
            guard contentLength == nil else { throw .contentLengthRepeated }
            contentLength = try Self.length(value, of: bytes)
        case 17 where Grammar.equalsIgnoringCase("transfer-encoding", name, of: bytes):
            try takeCodings(value, of: bytes)
        default: break
        }
    }

    /// Returns the framing of a request's body. Throws if the head as a whole is faulty.
    func framing(minorVersion: UInt8) throws(Fault) -> RequestHead.Framing {
        guard host != nil || minorVersion == 0 else { throw .hostMissing }
        let framing = try announcedFraming(minorVersion: minorVersion)
        if hasUnknownExpectation { throw .expectationUnsupported }
        return framing
    }

    /// Returns the framing according to the fields. `none` if there is neither Content-Length nor Transfer-Encoding.
    func announcedFraming(minorVersion: UInt8) throws(Fault) -> RequestHead.Framing {
        guard coding != .none else { return contentLength.map { .length($0) } ?? .none }
        // The next two faults are signs of request smuggling or of a faulty gateway (RFC 9112 section 6.1).
        guard minorVersion > 0 else { throw .transferEncodingInOldVersion }
        guard contentLength == nil else { throw .transferEncodingWithContentLength }
        if coding == .chunkedRepeated { throw .chunkedRepeated }
        if coding == .chunkedNotLast { throw .chunkedNotLast }
        if hasUnknownCoding { throw .transferCodingUnsupported }
        return .chunked
    }

    /// Whether the connection remains open after the message (RFC 9112 section 9.3).
    func keepsAlive(minorVersion: UInt8) -> Bool { !closes && (minorVersion > 0 || keepsAlive) }

    private mutating func takeCodings(_ value: Range<Int>, of bytes: UnsafeRawBufferPointer) throws(Fault) {
        var isEmpty = true
        for member in ListMembers(value, of: bytes) {
            isEmpty = false
            let token = member.prefix { Grammar.isToken(bytes[$0]) }
            guard !token.isEmpty else { throw .transferEncodingInvalid }
            let isChunked = Grammar.equalsIgnoringCase("chunked", token, of: bytes)
            // Only unknown codings may have parameters; the chunked coding has none (RFC 9112 section 7.1).
            let rest = Grammar.trimmed(token.upperBound..<member.upperBound, of: bytes)
            guard rest.isEmpty || !isChunked && bytes[rest.lowerBound] == 0x3B else { throw .transferEncodingInvalid }
            switch (coding, isChunked) {
            case (.none, true), (.other, true): coding = .chunked
            case (.none, false), (.other, false): coding = .other
            case (.chunked, true): coding = .chunkedRepeated
            case (.chunked, false): coding = .chunkedNotLast
            case (.chunkedRepeated, _), (.chunkedNotLast, _): break
            }
            if !isChunked { hasUnknownCoding = true }
        }
        if isEmpty { throw .transferEncodingInvalid }
    }

    private static func length(_ value: Range<Int>, of bytes: UnsafeRawBufferPointer) throws(Fault) -> Int {
        guard !value.isEmpty else { throw .contentLengthInvalid }
        var length = 0
        var overflows = false
        for index in value {
            guard Grammar.isDigit(bytes[index]) else { throw .contentLengthInvalid }
            let (product, overflow) = length.multipliedReportingOverflow(by: 10)
            let (sum, carry) = product.addingReportingOverflow(Int(bytes[index] &- 0x30))
            overflows = overflows || overflow || carry
            length = sum
        }
        guard !overflows else { throw .contentLengthTooLarge }
        return length
    }
}
