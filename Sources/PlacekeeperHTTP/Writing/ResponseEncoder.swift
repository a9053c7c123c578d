/// Encodes responses in wire format (RFC 9112), and appends them to the caller's buffer.
package enum ResponseEncoder {
    /// The properties of the request that determine the response's framing.
    package struct FramingContext: Sendable {
        package var method: Method
        package var minorVersion: UInt8
        package var keepsAlive: Bool
        package init(method: Method, minorVersion: UInt8, keepsAlive: Bool) {
            self.method = method
            self.minorVersion = minorVersion
            self.keepsAlive = keepsAlive
        }

        package init(_ head: RequestHead) {
            self.init(method: head.method, minorVersion: head.minorVersion, keepsAlive: head.keepsAlive)
        }
    }

    /// The framing of the content after the head.
    package enum Framing: Sendable, Hashable {
        /// No content is sent, because the response has no content or the request is a HEAD.
        case none
        /// The content has the length that is in the head.
        case length
        /// The content is sent in chunks, and ends with the last chunk.
        case chunked
        /// The content ends when the connection closes (for HTTP/1.0).
        case untilClose
    }

    /// The steps that remain after the head is written.
    package struct Plan: Sendable, Hashable {
        package var framing: Framing
        /// Whether the connection may carry another exchange.
        package var keepsAlive: Bool
    }

    /// Appends the status line, the response's fields, `Date`, the framing fields and `Connection`.
    ///
    /// For HEAD, `response` is the response to GET with its body, and the encoder omits the content. A 1xx, 204 or 304
    /// has no content.
    ///
    /// - Parameter date: An HTTP-date in the format of ``HTTPDate``.
    package static func appendHead(
        of response: Response, for exchange: FramingContext, date: [UInt8], to out: inout [UInt8]
    ) -> Plan {
        append(statusLineOf: response.status, to: &out)
        out.append(contentsOf: response.fields.bytes)
        append("Date: ", to: &out)
        out.append(contentsOf: date)
        var plan = Plan(framing: .none, keepsAlive: exchange.keepsAlive)
        if mayHaveContent(response.status) {
            switch response.body {
            case .empty: append("\r\nContent-Length: 0", to: &out)
            case .bytes(let bytes):
                append("\r\nContent-Length: ", to: &out)
                append(decimal: bytes.count, to: &out)
                plan.framing = bytes.isEmpty ? .none : .length
            case .stream where exchange.minorVersion == 0:
                plan = Plan(framing: .untilClose, keepsAlive: false)
            case .stream:
                append("\r\nTransfer-Encoding: chunked", to: &out)
                plan.framing = .chunked
            }
            if exchange.method == .head { plan.framing = .none }
        }
        switch (plan.keepsAlive, exchange.minorVersion) {
        case (false, _): append("\r\nConnection: close\r\n\r\n", to: &out)
        case (true, 0): append("\r\nConnection: keep-alive\r\n\r\n", to: &out)
        case (true, _): append("\r\n\r\n", to: &out)
        }
        return plan
    }

    /// Appends the head, and also the content if the returned plan's framing is `length`.
    package static func append(
        _ response: Response, for exchange: FramingContext, date: [UInt8], to out: inout [UInt8]
    ) -> Plan {
        let plan = appendHead(of: response, for: exchange, date: date, to: &out)
        if plan.framing == .length, case .bytes(let bytes) = response.body { out.append(contentsOf: bytes) }
        return plan
    }

    /// Appends a chunk (RFC 9112 section 7.1). Appends nothing if `chunk` is empty, because an empty chunk ends the
    /// content.
    package static func append(chunk: [UInt8], to out: inout [UInt8]) {
        guard !chunk.isEmpty else { return }
        append(hexadecimal: chunk.count, to: &out)
        append("\r\n", to: &out)
        out.append(contentsOf: chunk)
        append("\r\n", to: &out)
    }

    /// Appends the last chunk and an empty trailer section.
    package static func appendLastChunk(to out: inout [UInt8]) { append("0\r\n\r\n", to: &out) }

    /// Appends the interim response 100, after which a client sends its content (RFC 9110 section 15.2.1).
    package static func appendContinue(to out: inout [UInt8]) { append("HTTP/1.1 100 Continue\r\n\r\n", to: &out) }

    private static func mayHaveContent(_ status: Status) -> Bool {
        status.rawValue >= 200 && status != .noContent && status != .notModified
    }

    private static func append(statusLineOf status: Status, to out: inout [UInt8]) {
        if let line = status.line { return append(line, to: &out) }
        append("HTTP/1.1 ", to: &out)
        append(decimal: Int(status.rawValue), to: &out)
        // The reason phrase may be empty, but the space before it is required (RFC 9112 section 4).
        append(" \r\n", to: &out)
    }
}
