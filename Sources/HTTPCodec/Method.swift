/// A request method (RFC 9110 section 9). What this server serves nowhere is `other`: 501.
package enum Method: UInt8, Sendable, Hashable, CaseIterable {
    case get, head, post, put, patch, delete, options, other

    /// The method's token as it stands in a request line.
    package var token: StaticString {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        case .other: ""
        }
    }
}
