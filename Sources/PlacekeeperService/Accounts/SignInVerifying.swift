package import PlacekeeperCore

/// Verifies the sign-in tokens of an app's accounts.
package protocol SignInVerifying: Sendable {
    /// Returns the subject of a sign-in token, or nil if the token is not valid for the app at this time. Doesn't
    /// reveal why a token is invalid.
    func subject(of token: [UInt8], for app: App, at now: Timestamp) async -> Subject?
}

/// Rejects every token.
package struct NoSignIn: SignInVerifying {
    package init() {}
    package func subject(of token: [UInt8], for app: App, at now: Timestamp) async -> Subject? { nil }
}
