import PlacekeeperCore
import PlacekeeperService

extension Subcommand {
    static let users = Subcommand(
        name: "users", summary: "list an app's users with their number of devices and their last use",
        operands: ["APP"], options: [.data, .database, .databasePassword, .after, .json],
        discussion: """
            The list is sorted by id and has \(pageSize) users on a page. explain with --user prints the archive that a
            user's device would get, or lists the devices.
            """,
        examples: [
            ("users com.example.photos", "prints a line for each user"),
            ("users com.example.photos --after 7d4f6f0e-3f43-4a5c-9d0e-0d6c1f2b7a10", "prints the next page"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let last: UserID? = arguments.source(of: .after) == nil ? nil : try arguments.id(of: .after)
            let app = try await opened.app(arguments.operands[0]).id
            try await opened.record(.usersListed, in: app)
            // Request one user more than a page, to find out whether there is a next page.
            let found = try await opened.ask { service async throws(ServiceError) in
                try await service.devices.users(of: app, after: last, limit: pageSize + 1)
            }
            let users = found.prefix(pageSize)
            if try arguments.isOn(.json) {
                try Output.json(users.map(UserReport.init))
                return .success
            }
            let rows = users.map { [$0.user.description, "\($0.deviceCount)", $0.lastSeenAt?.text ?? "–"] }
            try Output.print(Table(header: ["USER", "DEVICES", "LAST SEEN"], rows: rows).text)
            if found.count > users.count, let end = users.last {
                try Output.print("more users follow; continue with --after \(end.user)")
            }
            return .success
        }
    }

    private static let pageSize = 100
}

extension Option {
    static let after = Option("after", "ID", help: "continue after this user, the last user of the previous page")
}

/// The JSON form of a user.
struct UserReport: Encodable {
    var id: String
    var devices: Int
    /// Nil if the user has no devices.
    var lastSeenAt: String?

    init(_ user: UserOverview) {
        id = user.user.description
        devices = user.deviceCount
        lastSeenAt = user.lastSeenAt?.text
    }
}
