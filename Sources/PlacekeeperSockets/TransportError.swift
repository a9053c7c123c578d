import PlacekeeperSystem

/// The error when a server can't listen.
package struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    package struct Code: RawRepresentable, Sendable, Hashable {
        package var rawValue: String
        package init(rawValue: String) { self.rawValue = rawValue }

        package static let addressInvalid = Code(rawValue: "address-invalid")
        package static let addressInUse = Code(rawValue: "address-in-use")
        package static let addressUnavailable = Code(rawValue: "address-unavailable")
        package static let permissionDenied = Code(rawValue: "permission-denied")
        package static let systemFailure = Code(rawValue: "system-failure")
    }

    package var code: Code
    /// A sentence that is safe to show.
    package var message: String

    package var description: String { message }

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// Creates the error for a failed system call from its `errno`.
    init(_ call: String, errno number: Int32) {
        self.init(.systemFailure, "\(call) failed: \(String(cString: strerror(number)))")
    }
}
