/// An error of the service. `code` is stable and is the code on the wire. The message is safe to show.
package struct ServiceError: Error, Sendable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
    }

    package var code: Code
    package var message: String
    /// Additional members of the problem, such as the two values that contradict each other.
    package var details: [String: String]
    /// The time to wait before the next attempt.
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
