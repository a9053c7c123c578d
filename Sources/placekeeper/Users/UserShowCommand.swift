import PlacekeeperCore
import PlacekeeperService

extension Subcommand {
    static let userShow = Subcommand(
        name: "user show", summary: "print what the service stores for a user",
        operands: ["APP", "[SUBJECT]"], options: [.data, .database, .databasePassword, .userInsteadOfSubject, .json],
        discussion: """
            Prints the user's id and subject, the devices, the scenes with their archives, and the numbers of registered
            items. The command prints no contents of archives; user export writes the contents. Exit code 1 means that
            there is no such user.
            """,
        examples: [
            ("user show com.example.photos anna", "prints the user of the account anna"),
            ("user show com.example.photos --user 7d4f… --json", "prints an anonymous user as JSON"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let owner = try await opened.selectedUser(arguments).owner
            try await opened.record(.shown, in: owner.app, about: owner)
            let summary = try await opened.ask { service async throws(ServiceError) in
                try await service.exports.summary(of: owner)
            }
            guard let summary else { throw CommandFailure(.failure, "the user was erased in the meantime") }
            try Output.show(SummaryReport(summary), as: summary.text, for: arguments)
            return .success
        }
    }
}

extension UserSummary {
    fileprivate var text: String {
        let archives = scenes.reduce(0) { $0 + $1.archiveCount }
        let bytes = scenes.reduce(0) { $0 + $1.archiveBytes }
        var text = """
            user      \(user)
            subject   \(subject.map { escapedForTerminal($0.text) } ?? "none: the user is anonymous")
            created   \(createdAt?.text ?? "unknown")
            archives  \(archives) with \(bytes) bytes
            """
        let devices = devices.map { device in
            [
                device.id.description, device.idiom.name, device.name ?? device.model ?? "–", device.createdAt.text,
                device.lastSeenAt.text,
            ]
        }
        text += "\n\n" + Table(header: ["DEVICE", "IDIOM", "NAME", "CREATED", "LAST SEEN"], rows: devices).text
        let scenes = scenes.map { scene in
            [scene.name, "\(scene.archiveCount)", "\(scene.archiveBytes)", scene.forgotten?.at.text ?? "–"]
        }
        text += "\n\n" + Table(header: ["SCENE", "ARCHIVES", "BYTES", "FORGOTTEN"], rows: scenes).text
        guard !registrations.isEmpty else { return text }
        let items = registrations.map { [$0.dataSource, $0.device.description, "\($0.itemCount)"] }
        return text + "\n\n" + Table(header: ["DATA SOURCE", "DEVICE", "ITEMS"], rows: items).text
    }
}

/// The JSON form of a user's overview.
private struct SummaryReport: Encodable {
    struct Device: Encodable {
        var id: String
        var idiom: String
        var model: String?
        var name: String?
        var systemVersion: String?
        var createdAt: String
        var lastSeenAt: String
    }

    struct Scene: Encodable {
        var name: String
        var archives: Int
        var bytes: Int
        var forgottenAt: String?
    }

    struct Registration: Encodable {
        var dataSource: String
        var device: String
        var items: Int
    }

    var id: String
    var subject: String?
    var createdAt: String?
    var devices: [Device]
    var scenes: [Scene]
    var registrations: [Registration]

    init(_ summary: UserSummary) {
        id = summary.user.description
        subject = summary.subject?.text
        createdAt = summary.createdAt?.text
        devices = summary.devices.map { device in
            Device(
                id: device.id.description, idiom: device.idiom.name, model: device.model, name: device.name,
                systemVersion: device.systemVersion, createdAt: device.createdAt.text,
                lastSeenAt: device.lastSeenAt.text)
        }
        scenes = summary.scenes.map { scene in
            Scene(
                name: scene.name, archives: scene.archiveCount, bytes: scene.archiveBytes,
                forgottenAt: scene.forgotten?.at.text)
        }
        registrations = summary.registrations.map { registration in
            Registration(
                dataSource: registration.dataSource, device: registration.device.description,
                items: registration.itemCount)
        }
    }
}
