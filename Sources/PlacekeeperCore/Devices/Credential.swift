/// The device of a bearer token, and the access that the token grants.
package struct Credential: Sendable, Hashable {
    package var device: Device
    package var access: TokenAccess
    /// When the token expires. Nil if it doesn't.
    package var expiresAt: Timestamp?

    package init(device: Device, access: TokenAccess = .full, expiresAt: Timestamp? = nil) {
        self.device = device
        self.access = access
        self.expiresAt = expiresAt
    }

    /// How long a replaced token is still accepted, so a device that missed the response with the new token can ask
    /// again.
    package static let grace = Duration.seconds(60)
}

/// The requests that a bearer token allows.
package enum TokenAccess: Int64, Sendable, Hashable, CaseIterable {
    case full = 0
    /// Only requests that change nothing. An app gives such a token to its widget, for example.
    case readOnly = 1
}

/// A new token for a device. Replaces the device's current token of the same access.
package struct NewToken: Sendable, Hashable {
    package var digest: Digest
    package var access: TokenAccess
    /// The token in the request, or nil if there was none. It is accepted for `Credential.grace` longer, even if an
    /// earlier request already replaced it, because the device may have missed that response.
    package var presented: Digest?
    /// Whether to revoke the replaced token immediately. A new token with full access then also revokes the device's
    /// read-only tokens.
    package var revokesPrevious: Bool

    package init(
        digest: Digest, access: TokenAccess = .full, presented: Digest? = nil, revokesPrevious: Bool = false
    ) {
        self.digest = digest
        self.access = access
        self.presented = presented
        self.revokesPrevious = revokesPrevious
    }
}
