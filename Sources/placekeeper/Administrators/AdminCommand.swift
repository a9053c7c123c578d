import PlacekeeperCore
import PlacekeeperService

extension Subcommand {
    static let adminCreate = Subcommand(
        name: "admin create", summary: "add an administrator of the admin page and its API",
        operands: ["NAME"], options: [.data, .database, .databasePassword, .role, .passwordFile, .invite, .json],
        discussion: """
            A viewer reads, an operator also changes the data of users, and an owner also manages administrators, API
            tokens and apps. On a terminal the command asks for the password, which has 10 to 256 bytes. With --invite it
            prints a link instead, with which the person sets the password within three days. A service may run on the
            same directory, and accepts the administrator at once.
            """,
        examples: [
            ("admin create anna --role owner", "asks for a password, and adds an owner"),
            (
                "admin create ben --role viewer --password-file password.txt",
                "takes the password from the first line of a file that only its owner can read"
            ), ("admin create cleo --role operator --invite", "prints a link with which cleo sets a password"),
        ]
    ) { arguments throws(CommandFailure) in
        let role = try arguments.role()
        if arguments.value(of: .invite) != nil { return try await invite(arguments, role) }
        let password = try PasswordInput.read(arguments)
        return try await Wiring.withDatabase(of: arguments, mayCreate: true) { opened throws(CommandFailure) in
            let administrator = try await opened.ask { service async throws(ServiceError) in
                try await service.administration.createAdministrator(
                    arguments.operands[0], role, password: password, by: .person, source: "command")
            }
            try Output.show(
                AdministratorReport(administrator), as: "added \(administrator.name) as \(role.rawValue)",
                next: "log in at \(arguments.serviceURL)/admin/", for: arguments)
            return .success
        }
    }

    private static func invite(
        _ arguments: Arguments, _ role: Role
    ) async throws(CommandFailure) -> Exit {
        if arguments.value(of: .passwordFile) != nil {
            throw arguments.failure(over: .invite, "leave out --password-file: the person sets the password")
        }
        return try await Wiring.withDatabase(of: arguments, mayCreate: true) { opened throws(CommandFailure) in
            let (administrator, invitation) = try await opened.ask { service async throws(ServiceError) in
                try await service.administration.inviteAdministrator(arguments.operands[0], role, by: .person)
            }
            let link = "\(arguments.serviceURL)/admin/#/invitation/\(invitation.text)"
            var report = AdministratorReport(administrator)
            (report.invitation, report.invitationExpiresAt) = (link, invitation.expiresAt.text)
            try Output.show(
                report, as: "added \(administrator.name) as \(role.rawValue)",
                next: "give this link to \(administrator.name), who sets a password with it until "
                    + "\(invitation.expiresAt.text): \(link)", for: arguments)
            return .success
        }
    }

    static let adminList = Subcommand(
        name: "admin list", summary: "list the administrators", options: [.data, .database, .databasePassword, .json],
        examples: [("admin list", "prints a line for each administrator")]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            var reports: [AdministratorReport] = []
            var page: [Administrator] = []
            repeat {
                let last = page.last?.name
                page = try await opened.ask { service async throws(ServiceError) in
                    try await service.administration.administrators(after: last, limit: Limits.page)
                }
                reports += page.map(AdministratorReport.init)
            } while page.count == Limits.page
            let rows = reports.map { report in
                [
                    report.name, report.role, report.createdAt, report.lastSeenAt ?? "–",
                    report.hasSecondFactor ? "yes" : "–",
                ]
            }
            let header = ["NAME", "ROLE", "CREATED", "LAST SEEN", "SECOND FACTOR"]
            try Output.show(reports, as: Table(header: header, rows: rows).text, for: arguments)
            return .success
        }
    }

    static let adminReset = Subcommand(
        name: "admin reset",
        summary: "set a new password for an administrator, remove their second factor, and end all their sessions",
        operands: ["NAME"], options: [.data, .database, .databasePassword, .passwordFile],
        examples: [("admin reset anna", "asks for a new password")]
    ) { arguments throws(CommandFailure) in
        let password = try PasswordInput.read(arguments)
        return try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            try await opened.ask { service async throws(ServiceError) in
                let administrator = try await service.administration.administrator(.name(arguments.operands[0]))
                _ = try await service.administration.changeAdministrator(
                    administrator.id, password: password, by: .person, source: "command")
                // Last, so that the old password never suffices.
                try await service.administration.removeSecondFactor(of: administrator.id, by: .person)
            }
            try Output.print("the password was changed, a second factor was removed, and the sessions have ended")
            try Output.next("log in at \(arguments.serviceURL)/admin/", for: arguments)
            return .success
        }
    }

    static let adminRemove = Subcommand(
        name: "admin remove", summary: "remove an administrator with all their sessions and API tokens",
        operands: ["NAME"], options: [.data, .database, .databasePassword],
        discussion: """
            The administrator's sessions, and the API tokens that they made, end at once, even in a running service. The
            last owner cannot be removed.
            """,
        examples: [("admin remove ben", "removes an administrator")]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            try await opened.ask { service async throws(ServiceError) in
                let administrator = try await service.administration.administrator(.name(arguments.operands[0]))
                try await service.administration.removeAdministrator(administrator.id, by: .person)
            }
            try Output.print("removed \(arguments.operands[0])")
            return .success
        }
    }
}

extension Option {
    static let role = Option(
        "role", "ROLE", help: "what the holder may do", isRequired: true, words: ["viewer", "operator", "owner"])
    static let invite = Option("invite", help: "print a link with which the person sets a password")
    static let passwordFile = Option(
        "password-file", "FILE", help: "take the password from the first line of a file with the mode 0600")
}

extension Arguments {
    func role() throws(CommandFailure) -> Role {
        guard let role = try word(of: .role).flatMap(Role.init(rawValue:)) else {
            throw failure(over: .role, "set it to \(Option.role.choices)")
        }
        return role
    }
}

extension Auditor {
    /// The user of this machine who runs the command.
    static var person: Auditor { .command(Wiring.Opened.person) }
}

/// The JSON form of an administrator.
struct AdministratorReport: Encodable {
    var id: String
    var name: String
    var role: String
    var createdAt: String
    var lastSeenAt: String?
    var hasSecondFactor: Bool
    /// The link to set a password.
    var invitation: String?
    var invitationExpiresAt: String?

    init(_ administrator: Administrator) {
        id = administrator.id.description
        name = administrator.name
        role = administrator.role.rawValue
        createdAt = administrator.createdAt.text
        lastSeenAt = administrator.lastSeenAt?.text
        hasSecondFactor = administrator.hasSecondFactor
    }
}
