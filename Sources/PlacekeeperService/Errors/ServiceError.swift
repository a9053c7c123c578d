package import PlacekeeperCore

/// An error of the service. `code` is stable and is the code on the wire. The message is safe to show.
package struct ServiceError: Error, Sendable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A step on the path to a member of a request.
    package enum MemberStep: Sendable, Hashable, ExpressibleByStringLiteral {
        case name(String)
        case index(Int)

        package init(stringLiteral name: String) { self = .name(name) }
    }

    package var code: Code
    package var message: String
    /// The path to the invalid member of the request, such as `upserts`, 3, `identifier`.
    package var member: [MemberStep]?
    /// Values that belong to the problem, for example the two values that contradict each other.
    package var details: [String: String]
    /// The time that the client should wait before it sends the request again.
    package var retryAfter: Duration?
    /// The quota that the request exceeded, if the error is `throttled` because of a quota.
    package var excess: Quota.Excess?
    /// The cause. Only logs may show it.
    package var cause: String?

    package init(
        _ code: Code, _ message: String, member: [MemberStep]? = nil, details: [String: String] = [:],
        retryAfter: Duration? = nil, cause: String? = nil
    ) {
        self.code = code
        self.message = message
        self.member = member
        self.details = details
        self.retryAfter = retryAfter
        self.cause = cause
    }
}

extension ServiceError: CustomStringConvertible {
    /// The message and the cause, for logs.
    package var description: String { [message, cause].compactMap(\.self).joined(separator: " ") }
}
