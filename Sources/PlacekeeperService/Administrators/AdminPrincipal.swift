import PlacekeeperCore

/// The administrator or program behind a request to the admin API.
package struct AdminPrincipal: Sendable, Hashable {
    package enum Credential: Sendable, Hashable {
        /// A session, identified by a cookie.
        case session(AdminSession)
        case token(APITokenID)
    }

    /// The administrator, or the creator of the API token. Nil if the token was created by a command.
    package var id: AdministratorID?
    /// The administrator's name, or the API token's label.
    package var name: String
    package var role: Role
    package var credential: Credential
    /// Whether the administrator's log-in needs a code. False for an API token.
    package var hasSecondFactor: Bool

    package init(
        id: AdministratorID?, name: String, role: Role, credential: Credential, hasSecondFactor: Bool = false
    ) {
        self.id = id
        self.name = name
        self.role = role
        self.credential = credential
        self.hasSecondFactor = hasSecondFactor
    }

    /// The actor to record in the audit log.
    package var auditor: Auditor {
        switch credential {
        case .session: .administrator(name)
        case .token: .token(name)
        }
    }
}
