/// An error of the store. Only logs may show its cause.
package struct StoreError: Error, Sendable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
        /// The store can't be reached, or a lock wasn't released in time. Try again.
        package static let unavailable = Code(rawValue: "unavailable")
        /// The store can't be used with these settings, or with the installed library or server. Waiting doesn't help.
        package static let unusable = Code(rawValue: "unusable")
        /// The store is out of space.
        package static let full = Code(rawValue: "full")
        package static let exists = Code(rawValue: "exists")
        /// The user doesn't exist, for example because they were erased.
        package static let userGone = Code(rawValue: "userGone")
        /// Stored data can't be read.
        package static let corrupt = Code(rawValue: "corrupt")
        /// The store was written by a newer version.
        package static let tooNew = Code(rawValue: "tooNew")
    }

    package var code: Code
    package var message: String
    package var cause: String?

    package static let userGone = StoreError(.userGone, "The user does not exist.")

    package static func corrupt(_ message: String) -> StoreError { StoreError(.corrupt, message) }

    package init(_ code: Code, _ message: String, cause: String? = nil) {
        self.code = code
        self.message = message
        self.cause = cause
    }
}

extension StoreError: CustomStringConvertible {
    /// The message and the cause. For logs only.
    package var description: String { [message, cause].compactMap(\.self).joined(separator: " ") }
}
