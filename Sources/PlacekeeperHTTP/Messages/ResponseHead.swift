/// A parsed and valid response head (RFC 9112 sections 4 to 6).
package struct ResponseHead: Sendable, Hashable {
    /// The framing, which determines the body's length (RFC 9112 section 6.3).
    package enum Framing: Sendable, Hashable {
        case none
        case length(Int)
        case chunked
        /// The body ends when the connection closes.
        case untilClose
    }

    /// A field line. The name is lowercase, and the value has no surrounding white space.
    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String
    }

    /// The status code, from 100 to 599.
    package var status: Int
    package var fields: [Field]
    package var framing: Framing
    /// Whether the connection may carry another exchange after this response (RFC 9112 section 9.3).
    package var keepsAlive: Bool
}
