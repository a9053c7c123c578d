/// An error of the store. Only logs may show the cause.
package struct StoreError: Error, Sendable {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }
        /// The store cannot be reached, or stays locked. Try again.
        package static let unavailable = Code(rawValue: "unavailable")
        /// The store has no free space.
        package static let full = Code(rawValue: "full")
        package static let exists = Code(rawValue: "exists")
        /// The write is for a user that does not exist, for example because the user was erased.
        package static let userGone = Code(rawValue: "userGone")
        /// Stored data cannot be read.
        package static let corrupt = Code(rawValue: "corrupt")
        /// A newer version wrote the store.
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
    /// The message and the cause, for logs.
    package var description: String { [message, cause].compactMap(\.self).joined(separator: " ") }
}
