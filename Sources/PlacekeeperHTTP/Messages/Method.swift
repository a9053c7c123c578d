/// A request method (RFC 9110 section 9). No path allows `trace`, so it gets 405. `other` is any unknown method, which
/// gets 501.
package enum Method: UInt8, Sendable, Hashable, CaseIterable {
    case get, head, post, put, patch, delete, options, trace, other

    /// The method's token in a request line. Empty for `other`.
    package var token: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .other: ""
        }
    }

    /// Creates the method with the given token. Tokens are case-sensitive (RFC 9110 section 9.1). An unknown token
    /// means `other`.
    init(token: UnsafeRawBufferPointer) {
        var raw: UInt8 = 0
        while let method = Method(rawValue: raw), method != .other, !method.token.isSpelled(by: token) { raw += 1 }
        self = Method(rawValue: raw) ?? .other
    }
}

extension StaticString {
    fileprivate func isSpelled(by bytes: UnsafeRawBufferPointer) -> Bool {
        utf8CodeUnitCount == bytes.count
            && UnsafeRawBufferPointer(start: utf8Start, count: utf8CodeUnitCount).elementsEqual(bytes)
    }
}
