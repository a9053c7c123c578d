package import PlacekeeperCore

/// An error of the service. The `code` is stable and sent on the wire. The message is safe to show.
package struct ServiceError: Error, Sendable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
    }

    /// A step in the path to a request's member.
    package enum MemberStep: Sendable, Hashable, ExpressibleByStringLiteral {
        case name(String)
        case index(Int)

        package init(stringLiteral name: String) { self = .name(name) }
    }

    package var code: Code
    package var message: String
    /// The path to the invalid member of the request, such as `upserts`, 3, `identifier`.
    package var member: [MemberStep]?
    /// Values that describe the problem, for example two contradictory values.
    package var details: [String: String]
    /// How long the client should wait before it retries.
    package var retryAfter: Duration?
    /// The exceeded quota, if a quota caused the error `throttled`.
    package var excess: Quota.Excess?
    /// The cause, for logs only.
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
