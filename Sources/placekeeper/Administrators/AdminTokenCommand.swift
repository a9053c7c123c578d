import PlacekeeperCore
import PlacekeeperService

extension Subcommand {
    static let adminTokenCreate = Subcommand(
        name: "admin token create", summary: "add a token for a program that uses the admin API",
        operands: ["LABEL"], options: [.data, .database, .databasePassword, .role, .days, .json],
        discussion: """
            LABEL names the program. The command prints the token once. The service keeps only its digest. A program sends
            the token as Authorization: Bearer TOKEN.
            """,
        examples: [
            ("admin token create backup-check --role viewer --days 90", "prints a token that is valid for 90 days")
        ]
    ) { arguments throws(CommandFailure) in
        let role = try arguments.role()
        let days = try arguments.number(of: .days, in: Limits.tokenDays)
        return try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let (token, text) = try await opened.ask { service async throws(ServiceError) in
                try await service.administration.createToken(
                    arguments.operands[0], role, days: days, creator: nil, by: .person)
            }
            var report = APITokenReport(token)
            report.token = text
            try Output.show(
                report, as: text,
                next: "send it as Authorization: Bearer TOKEN to \(arguments.serviceURL)/admin/api/apps", for: arguments
            )
            return .success
        }
    }

    static let adminTokenList = Subcommand(
        name: "admin token list", summary: "list the admin API tokens",
        options: [.data, .database, .databasePassword, .json],
        examples: [("admin token list", "prints a line for each token, without the tokens themselves")]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            var reports: [APITokenReport] = []
            var page: [APIToken] = []
            repeat {
                let last = page.last?.id
                page = try await opened.ask { service async throws(ServiceError) in
                    try await service.administration.tokens(after: last, limit: Limits.page)
                }
                reports += page.map(APITokenReport.init)
            } while page.count == Limits.page
            let rows = reports.map { [$0.id, $0.label, $0.role, $0.expiresAt ?? "–", $0.lastUsedAt ?? "–"] }
            try Output.show(
                reports, as: Table(header: ["TOKEN", "LABEL", "ROLE", "EXPIRES", "LAST USED"], rows: rows).text,
                for: arguments)
            return .success
        }
    }

    static let adminTokenRevoke = Subcommand(
        name: "admin token revoke", summary: "revoke an admin API token",
        operands: ["ID"], options: [.data, .database, .databasePassword],
        examples: [
            (
                "admin token revoke 7d4f6f0e-3f43-4a5c-9d0e-0d6c1f2b7a10",
                "revokes the token with an id of admin token list"
            )
        ]
    ) { arguments throws(CommandFailure) in
        guard let id = APITokenID(arguments.operands[0]) else {
            throw CommandFailure(
                .usage, "\(quoted(arguments.operands[0])) is not an id; admin token list shows the ids")
        }
        return try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            try await opened.ask { service async throws(ServiceError) in
                try await service.administration.revokeToken(id, by: .person)
            }
            try Output.print("revoked the token \(id)")
            return .success
        }
    }
}

extension Option {
    static let days = Option(
        "days", "N", help: "number of days for which the token is valid; by default it does not expire")
}

/// The JSON form of an API token.
struct APITokenReport: Encodable {
    var id: String
    var label: String
    var role: String
    var createdAt: String
    var expiresAt: String?
    var lastUsedAt: String?
    /// The token itself, only when it is created.
    var token: String?

    init(_ token: APIToken) {
        id = token.id.description
        label = token.label
        role = token.role.rawValue
        createdAt = token.createdAt.text
        expiresAt = token.expiresAt?.text
        lastUsedAt = token.lastUsedAt?.text
    }
}
