import PlacekeeperCore
import PlacekeeperService

extension Subcommand {
    static let generate = Subcommand(
        name: "generate", summary: "fill an app with invented users, devices and archives, for experiments",
        operands: ["APP"], options: [.data, .database, .databasePassword, .users, .archives, .seed, .hostile, .json],
        discussion: """
            The users have one to three devices and two scenes. One user of ten registers the items of a list. The
            restore log has the restores of the first 2500 users, and the counts have those of all. Many restores of
            version 43 fail on pads, and older versions are refused its states. The archives and restores lie in the
            last 30 days. The same seed makes the same content, with other ids. Adds the app if it does not exist, and
            declares the data source albums. An app that has users is refused.
            """,
        examples: [
            ("generate com.example.demo --users 1000 --archives 10000", "adds a small fleet"),
            (
                "generate com.example.demo --users 100000 --archives 1000000 --data DIR",
                "adds a large fleet; this takes some minutes and about 2 GB"
            ),
            ("generate com.example.demo --users 100 --archives 1000 --hostile", "adds names that try to break a page"),
        ],
        usesInstalledService: false
    ) { arguments throws(CommandFailure) in
        let users = try arguments.number(of: .users, in: 1...10_000_000) ?? 0
        let archives = try arguments.number(of: .archives, in: 0...100_000_000) ?? 0
        guard archives <= users * GeneratedUser.maximumArchives else {
            throw CommandFailure(
                .usage, "a user has at most \(GeneratedUser.maximumArchives) generated archives; add --users")
        }
        let seed: UInt64 = try arguments.number(of: .seed, in: 0...UInt64.max) ?? 0
        let isHostile = try arguments.isOn(.hostile)
        return try await Wiring.withDatabase(of: arguments, mayCreate: true) { opened throws(CommandFailure) in
            let app = try await opened.appToFill(arguments.operands[0])
            let fleet = Fleet(
                app: app, users: users, archives: archives, seed: seed, isHostile: isHostile, opened: opened)
            try await fleet.write(Progress())
            let report = GenerationReport(app: app.bundleIdentifier, users: users, archives: archives)
            try Output.show(
                report, as: "added \(users) users with \(archives) archives to \(app.bundleIdentifier)",
                next: "placekeeper users \(shellQuoted(app.bundleIdentifier))\(arguments.sharedFlags)", for: arguments)
            return .success
        }
    }
}

extension Option {
    static let users = Option("users", "N", help: "number of users", initial: "1000")
    static let archives = Option("archives", "N", help: "number of archives of all users", initial: "10000")
    static let seed = Option("seed", "N", help: "number that decides the content", initial: "1")
    static let hostile = Option("hostile", help: "give one user of ten names with markup, control characters and so on")
}

extension Wiring.Opened {
    /// Returns the app with a bundle identifier. Adds the app if needed, and the data source's declaration, because
    /// only the items of a declared data source can be shown.
    fileprivate func appToFill(_ bundleIdentifier: String) async throws(CommandFailure) -> App {
        try await ask { service async throws(ServiceError) in
            let known = try await service.apps.apps().first { $0.bundleIdentifier == bundleIdentifier }
            let app = if let known { known } else { try await service.apps.createApp(bundleIdentifier) }
            if app.dataSource(named: GeneratedUser.dataSource) == nil {
                let source = DataSource(scope: .registered, selectsNeighbors: true)
                try await service.lists.redeclare([(GeneratedUser.dataSource, source)], of: app)
            }
            return app
        }
    }
}

private struct GenerationReport: Encodable {
    var app: String
    var users: Int
    var archives: Int
}

/// Writes the generated users of an app. Several users are written at the same time, so they share commits.
private struct Fleet: Sendable {
    let app: App
    let users: Int
    let archives: Int
    let seed: UInt64
    let isHostile: Bool
    let opened: Wiring.Opened

    private static let usersAtOnce = 64
    /// The number of users with entries in the restore log, which keeps 10,000 answers per app.
    private static let usersWithRestores = 2500

    func write(_ progress: Progress) async throws(CommandFailure) {
        let now = SystemClock().now()
        defer { progress.end() }
        do {
            guard try await opened.service.apps.usage(of: app.id).users == 0 else {
                throw CommandFailure(.failure, "the app \(app.bundleIdentifier) has users already; choose another app")
            }
            let generated = try await withThrowingTaskGroup(of: Restores.self) { group in
                var sum: Restores = ([], [:])
                for number in 0..<users {
                    if number >= Self.usersAtOnce, let some = try await group.next() { Self.add(some, to: &sum) }
                    if number % 256 == 0 { progress.show("generating users: \(number * 100 / users) %") }
                    group.addTask { try await write(number, at: now) }
                }
                return try await group.reduce(into: sum) { Self.add($1, to: &$0) }
            }
            // The log is ordered by time.
            let restores = generated.log.sorted { $0.at < $1.at }
            for start in stride(from: 0, to: restores.count, by: 500) {
                try await opened.service.health.add(Array(restores[start...].prefix(500)))
            }
            try await opened.service.upkeep.add(generated.counts)
        } catch let error as ServiceError {
            throw CommandFailure(.unavailable, "\(error.message)\(error.cause.map { " (\($0))" } ?? "")")
        } catch let error as CommandFailure {
            throw error
        } catch {
            throw CommandFailure(.failure, "\(error)")
        }
    }

    /// The entries of the restore log, and the service's counts.
    private typealias Restores = (log: [RestoreLogEntry], counts: [Counter: Int])

    private static func add(_ some: Restores, to sum: inout Restores) {
        sum.log += some.log
        sum.counts.merge(some.counts, uniquingKeysWith: +)
    }

    /// Writes a user. Returns the user's restores, but log entries only of the first users.
    private func write(_ number: Int, at now: Timestamp) async throws -> Restores {
        let count = archives * (number + 1) / users - archives * number / users
        var user = try GeneratedUser(
            number, of: app.id, archives: count, seed: seed, isHostile: isHostile && number % 10 == 0, until: now)
        let entries = user.restore(judgedBy: app.settings, until: now)
        let isWritten = try await opened.service.exports.writeUser(
            ImportedUser(
                owner: user.owner, createdAt: user.createdAt, revision: user.revision, prunedThrough: user.revision),
            user.records, devices: user.devices, subject: user.subject)
        guard isWritten else {
            throw CommandFailure(.failure, "another command fills the app at the same time; choose another app")
        }
        return (number < Self.usersWithRestores ? entries : [], user.counts)
    }
}
