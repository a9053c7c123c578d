package import PlacekeeperCore

/// Verifies the tokens with which people sign in to an app's accounts.
package protocol SignInVerifying: Sendable {
    /// Returns the subject of a sign-in token. Nil if the token is not valid for the app at this time. The caller does
    /// not learn why a token is not valid.
    func subject(of token: [UInt8], for app: App, at now: Timestamp) async -> Subject?
}

/// Accepts no token.
package struct NoSignIn: SignInVerifying {
    package init() {}
    package func subject(of token: [UInt8], for app: App, at now: Timestamp) async -> Subject? { nil }
}
