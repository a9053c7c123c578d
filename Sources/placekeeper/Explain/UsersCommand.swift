import RestorationService

extension Subcommand {
    static let users = Subcommand(
        name: "users", summary: "list an app's users with how many devices each has and when one was last used",
        operands: ["APP"], options: [.data, .after, .json],
        discussion: """
            They come in the order of their ids, \(pageSize) at a time. explain with --user tells what a user's devices
            would get, and lists the devices.
            """,
        examples: [
            ("users com.example.photos", "prints a line for each user"),
            ("users com.example.photos --after 7d4f6f0e-3f43-4a5c-9d0e-0d6c1f2b7a10", "goes on with the next page"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let last: UserID? = arguments.source(of: .after) == nil ? nil : try arguments.id(of: .after)
            let app = try await opened.app(arguments.operands[0]).id
            // One more tells whether there are others.
            let found = try await opened.ask { service async throws(ServiceError) in
                try await service.users(of: app, after: last, limit: pageSize + 1)
            }
            let users = found.prefix(pageSize)
            if try arguments.isOn(.json) {
                try Output.json(users.map(UserReport.init))
                return .success
            }
            let rows = users.map { [$0.user.description, "\($0.deviceCount)", $0.lastSeenAt?.text ?? "–"] }
            try Output.print(Table(header: ["USER", "DEVICES", "LAST SEEN"], rows: rows).text)
            if found.count > users.count, let end = users.last {
                try Output.print("and more; go on with --after \(end.user)")
            }
            return .success
        }
    }

    private static let pageSize = 100
}

extension Option {
    static let after = Option("after", "ID", help: "users behind this one, the last of a page before")
}

/// A user as the command prints one.
struct UserReport: Encodable {
    var id: String
    var devices: Int
    /// nil without devices.
    var lastSeenAt: String?

    init(_ user: UserOverview) {
        id = user.user.description
        devices = user.deviceCount
        lastSeenAt = user.lastSeenAt?.text
    }
}
