/// Why the service refuses. `code` is stable and the same on the wire; the message is safe to show.
package struct ServiceError: Error, Sendable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package var code: Code
    package var message: String
    /// Further members of the problem, such as the two values that contradict each other.
    package var details: [String: String]
    /// How long to wait before trying again.
    package var retryAfter: Duration?
    /// For logs only.
    package var cause: String?

    package init(
        _ code: Code, _ message: String, details: [String: String] = [:], retryAfter: Duration? = nil,
        cause: String? = nil
    ) {
        self.code = code
        self.message = message
        self.details = details
        self.retryAfter = retryAfter
        self.cause = cause
    }
}

extension ServiceError: CustomStringConvertible {
    /// For logs.
    package var description: String { [message, cause].compactMap(\.self).joined(separator: " ") }
}
