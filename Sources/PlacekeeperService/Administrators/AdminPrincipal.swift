import PlacekeeperCore

/// The administrator or the program that sends a request of the admin API.
package struct AdminPrincipal: Sendable, Hashable {
    package enum Credential: Sendable, Hashable {
        /// The session of a cookie.
        case session(AdminSession)
        case token(APITokenID)
    }

    /// The administrator, or the administrator who made the API token. Nil if a command made the token.
    package var id: AdministratorID?
    /// The administrator's name, or the API token's label.
    package var name: String
    package var role: Role
    package var credential: Credential

    package init(id: AdministratorID?, name: String, role: Role, credential: Credential) {
        self.id = id
        self.name = name
        self.role = role
        self.credential = credential
    }

    /// The caller as an actor in the audit log.
    package var auditor: Auditor {
        switch credential {
        case .session: .administrator(name)
        case .token: .token(name)
        }
    }
}
