import PlacekeeperCore
import PlacekeeperSQLite
import PlacekeeperService

/// Compares the answers of a restored backup with those of the data directory.
struct BackupComparison {
    /// The number of users compared, spread over all users.
    static let sampleSize = 200

    let copy: Wiring.Opened
    let original: Wiring.Opened
    private let states: Backup.States
    /// The newest entry of each app's audit log in the copy. Each backup adds one, so it tells how new the copy is.
    private var lastEntries: [AppID: AuditEntry] = [:]

    /// What differs, each a clause that names the place.
    private(set) var differences: [String] = []
    private(set) var comparedUsers = 0
    /// The users that were changed or deleted after the backup was made. They can't be compared.
    private(set) var changedUsers = 0
    /// The number of equal answers: an app's settings, a device, an archive, an item.
    private(set) var answers = 0

    init(copy: Wiring.Opened, original: Wiring.Opened, states: Backup.States) {
        (self.copy, self.original, self.states) = (copy, original, states)
    }

    /// - Parameters:
    ///   - sample: users of the copy.
    ///   - others: users of the data directory.
    mutating func run(over sample: [Backup.SampledUser], _ others: [Backup.SampledUser]) async throws(CommandFailure) {
        let apps = try await compareApps()
        for user in sample {
            guard let app = apps[user.owner.app] else { continue }
            try await compare(user, of: app)
        }
        for user in others {
            guard let app = apps[user.owner.app], let last = lastEntries[app.id],
                user.state.createdAt.milliseconds > 0, user.state.createdAt < last.at,
                try await !copyHas(user.owner), try await !hasEntry(of: [.imported], in: app.id, since: last.number)
            else { continue }
            differences.append(
                "the backup lacks the user \(user.owner.user) of \(app.bundleIdentifier), created at "
                    + user.state.createdAt.text)
        }
    }

    private func copyHas(_ owner: UserKey) async throws(CommandFailure) -> Bool {
        let latest = try await copy.ask { service async throws(ServiceError) in
            try await service.exports.summary(of: owner)
        }
        return latest != nil
    }

    /// Compares the apps, and returns those that both the backup and the service have.
    private mutating func compareApps() async throws(CommandFailure) -> [AppID: App] {
        let copies = try await copy.ask { service async throws(ServiceError) in try await service.apps.apps() }
        let originals = try await original.ask { service async throws(ServiceError) in try await service.apps.apps() }
        let byID = Dictionary(originals.map { ($0.id, $0) }) { first, _ in first }
        var common: [AppID: App] = [:]
        for app in copies {
            let newest = try await copy.ask { service async throws(ServiceError) in
                try await service.auditLog.audit(of: app.id, below: nil, limit: 1).first
            }
            lastEntries[app.id] = newest
            guard let known = byID[app.id] else {
                differences.append("the backup has the app \(app.bundleIdentifier), and the service has not")
                continue
            }
            common[app.id] = known
            var settled = known
            // Devices declare further data sources without an entry.
            settled.dataSources = known.dataSources.filter { app.dataSources[$0.key] != nil }
            if try await hasEntry(of: Self.changes, in: app.id, since: newest?.number ?? 0) {
                (settled.settings, settled.dataSources) = (app.settings, app.dataSources)
            }
            if settled == app {
                answers += 1
            } else {
                differences.append("the app \(known.bundleIdentifier) or its settings differ")
            }
        }
        let last = lastEntries.values.map(\.at).max() ?? Timestamp(milliseconds: 0)
        let ids = Set(copies.map(\.id))
        for app in originals where !ids.contains(app.id) && app.createdAt < last {
            differences.append("the backup lacks the app \(app.bundleIdentifier)")
        }
        return common
    }

    /// The actions that change an app's settings or declarations.
    private static let changes: Set<AuditAction> = [
        .settingsChanged, .keysChanged, .dataSourcesChanged, .restoresFailing,
    ]

    /// Whether the data directory's audit log of an app has an entry of one of the actions after a number.
    private func hasEntry(
        of actions: Set<AuditAction>, in app: AppID, since number: Int64
    ) async throws(CommandFailure) -> Bool {
        var position: Int64?
        while true {
            let entries = try await original.ask { [position] service async throws(ServiceError) in
                try await service.auditLog.audit(of: app, below: position, limit: Limits.page)
            }
            let later = entries.prefix { $0.number > number }
            if later.contains(where: { actions.contains($0.action) }) { return true }
            guard later.count == Limits.page else { return false }
            position = later.last?.number
        }
    }

    private mutating func compare(_ user: Backup.SampledUser, of app: App) async throws(CommandFailure) {
        guard let present = try state(of: user) else {
            changedUsers += 1
            return
        }
        guard present == user.state else {
            if user.state.version > present.version {
                differences.append("the user \(user.owner.user) is newer in the backup than in the service")
            } else if user.state.version == present.version {
                differences.append("the user \(user.owner.user) differs")
            } else {
                changedUsers += 1
            }
            return
        }
        let difference = try await firstDifference(of: user.owner, app)
        // The user may have changed meanwhile.
        guard try state(of: user) == user.state else {
            changedUsers += 1
            return
        }
        comparedUsers += 1
        if let difference {
            differences.append("\(difference), in the data of the user \(user.owner.user) of \(app.bundleIdentifier)")
        }
    }

    private func state(of user: Backup.SampledUser) throws(CommandFailure) -> Backup.SampledUser.State? {
        do throws(StoreError) {
            return try states.state(of: user.owner)
        } catch {
            throw CommandFailure(.unavailable, clause(error.message) + (error.cause.map { " (\($0))" } ?? ""))
        }
    }

    /// Asks both services for all that the user's devices can read.
    private mutating func firstDifference(of owner: UserKey, _ app: App) async throws(CommandFailure) -> String? {
        let question: @Sendable (RestorationService) async throws(ServiceError) -> UserExport? = {
            service async throws(ServiceError) in try await service.exports.export(owner, of: app)
        }
        var one = try await copy.ask(question)
        var other = try await original.ask(question)
        guard one?.header.subject == other?.header.subject else { return "the account differs" }
        while true {
            let (left, right) = (await Self.next(&one), await Self.next(&other))
            guard left == right else { return left.difference ?? right.difference ?? "the end differs" }
            if left == .end { return nil }
            answers += 1
        }
    }

    private enum Answer: Hashable {
        case record(ExportRecord)
        case fault(String)
        case end

        /// What differs if the other answer is not this one, as a clause.
        var difference: String? {
            if case .fault(let message) = self { return message }
            return place.map { $0 + " differs" }
        }

        private var place: String? {
            switch self {
            case .record(.revision): "the last revision"
            case .record(.device(let device)): "the device \(device.id)"
            case .record(.scene(let name, _)): "the scene \(quoted(name))"
            case .record(.archive(let exported)): "the archive \(exported.archive.id)"
            case .record(.change(let change)): "the change \(change.revision.rawValue)"
            case .record(.registration(let registration)): "the list \(quoted(registration.dataSource))"
            case .record(.item(let item)): "an item of the list \(quoted(item.dataSource))"
            case .record(.decision(_, let dataSource)): "a decision on the list \(quoted(dataSource))"
            case .fault, .end: nil
            }
        }
    }

    private static func next(_ export: inout UserExport?) async -> Answer {
        do throws(ServiceError) {
            guard let record = try await export?.next() else { return .end }
            // The times of last use are written without a change of the user's state.
            guard case .device(var device) = record else { return .record(record) }
            device.lastSeenAt = device.createdAt
            return .record(.device(device))
        } catch {
            return .fault(clause(error.message))
        }
    }
}
