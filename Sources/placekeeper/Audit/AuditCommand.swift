import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let audit = Subcommand(
        name: "audit", summary: "list who did what to the data of an app's users, or to the service",
        operands: ["[APP]"],
        options: [
            .data, .database, .databasePassword, .auditKind, .auditAction, .auditActor, .auditDay, .auditSubject,
            .auditUser, .before, .json,
        ],
        discussion: """
            The newest entry is first, with \(pageSize) entries on a page. The list shows the commands of operators, and
            what users did themselves: signing in and out, exports and erasures. An entry is written before the action,
            so an action with an entry may have failed. Entries are kept for 400 days. The list names nobody: SUBJECT
            shows a user's keyed hash, and --subject and --user find the entries about one user. For the user of an
            account, --user also finds the entries from before the user had the account. After the user was erased, only
            --subject finds the entries about the account. Without APP, the list shows the entries of the whole service:
            log-ins of administrators, and changes to administrators and API tokens.
            """,
        examples: [
            ("audit com.example.photos", "prints the newest entries"),
            ("audit com.example.photos --subject anna@example.com", "prints the entries about an account"),
            ("audit", "prints the newest entries of the whole service"),
            (
                "audit com.example.photos --kind changes --day 2026-11-30",
                "prints what was changed on a day, without the reads"
            ),
            ("audit --action log-in-failed", "prints the failed log-ins"),
            ("audit com.example.photos --actor user", "prints what users did themselves"),
            ("audit com.example.photos --before 1200", "prints the page after entry 1200"),
        ]
    ) { arguments throws(CommandFailure) in
        try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            var app: AppID?
            if let name = arguments.operands.first { app = try await opened.app(name).id }
            let position: Int64? = try arguments.number(of: .before, in: 1...Int64.max)
            let subjects = try await opened.askedDigests(in: app, arguments)
            var filter = try arguments.auditFilter()
            // Request one entry more than a page, to find out whether there is a next page.
            var found: [AuditEntry] = []
            for subject in subjects {
                filter.subject = subject
                var (next, room) = (position, pageSize + 1)
                repeat {
                    let page = try await opened.ask { [filter, next, room] service async throws(ServiceError) in
                        try await service.auditLog.audit(of: app, matching: filter, below: next, limit: room)
                    }
                    found += page.entries
                    room -= page.entries.count
                    next = page.next
                } while next != nil && room > 0
            }
            found.sort { $0.number > $1.number }
            let entries = found.prefix(pageSize).map(AuditReport.init)
            if try arguments.isOn(.json) {
                try Output.json(entries)
                return .success
            }
            let rows = entries.map { entry in
                ["\(entry.number)", entry.at, entry.actor, entry.action, entry.subject ?? "–", entry.detail]
            }
            try Output.print(
                Table(header: ["ENTRY", "TIME", "WHO", "ACTION", "SUBJECT", "DETAIL"], rows: rows).text)
            if found.count > entries.count, let last = entries.last {
                try Output.print("more entries follow; continue with --before \(last.number)")
            }
            return .success
        }
    }

    private static let pageSize = 100
}

extension Arguments {
    fileprivate func auditFilter() throws(CommandFailure) -> AuditFilter {
        var filter = AuditFilter(
            kind: try word(of: .auditKind).flatMap(AuditAction.Kind.init(rawValue:)),
            action: value(of: .auditAction).map(AuditAction.init(rawValue:)), actor: value(of: .auditActor))
        if let action = filter.action, !AuditAction.all.contains(action) {
            let words = AuditAction.all.map(\.rawValue)
            throw failure(
                over: .auditAction,
                nearest(to: action.rawValue, among: words).map { "did you mean \($0)?" }
                    ?? "the actions are \(words.joined(separator: ", "))")
        }
        guard let text = value(of: .auditDay) else { return filter }
        guard let day = Time(text + "T00:00:00Z") else {
            throw failure(over: .auditDay, "give a day such as 2026-11-30")
        }
        filter.day = Timestamp(milliseconds: day.milliseconds)
        return filter
    }
}

extension Option {
    static let auditKind = Option(
        "kind", "KIND", help: "only such entries", words: AuditAction.Kind.allCases.map(\.rawValue))
    static let auditAction = Option("action", "ACTION", help: "only entries about this action, such as erased")
    static let auditActor = Option("actor", "WHO", help: "only entries of this actor or name, as the list shows it")
    static let auditDay = Option("day", "YYYY-MM-DD", help: "only entries of this day in UTC")
    static let auditSubject = Option("subject", "SUBJECT", help: "only entries about the account with this subject")
    static let auditUser = Option("user", "ID", help: "only entries about the user with this id")
    static let before = Option(
        "before", "NUMBER", help: "continue after this entry, the last entry of the previous page")
}

extension Wiring.Opened {
    /// Adds an entry to the audit log, in the name of the user who runs the command.
    func record(
        _ action: AuditAction, in app: AppID, about owner: UserKey? = nil, detail: String = ""
    ) async throws(CommandFailure) {
        try await ask { service async throws(ServiceError) in
            try await service.auditLog.record(action, by: .command(Self.person), in: app, about: owner, detail: detail)
        }
    }

    /// The name of the account that runs the command, or its number if it has no name.
    static let person: String = {
        let number = getuid()
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16_384) { buffer in
            guard let start = buffer.baseAddress,
                getpwuid_r(number, &entry, start, buffer.count, &found) == 0, found != nil,
                let name = entry.pw_name
            else { return "\(number)" }
            return String(cString: name)
        }
    }()

    /// Returns the keyed hashes under which the log lists the user of `--subject` or `--user`. Without these options,
    /// returns `[nil]`, which means all users.
    fileprivate func askedDigests(in app: AppID?, _ arguments: Arguments) async throws(CommandFailure) -> [Digest?] {
        guard let app else {
            guard [Option.auditSubject, .auditUser].allSatisfy({ arguments.source(of: $0) == nil }) else {
                throw CommandFailure(.usage, "a user belongs to an app; give APP before --subject or --user")
            }
            return [nil]
        }
        if let text = arguments.value(of: .auditSubject) {
            guard let subject = Subject(text) else {
                throw arguments.failure(over: .auditSubject, "give a subject of 1 to \(Limits.subject) bytes")
            }
            return [service.accountHashing.digest(of: subject, in: app)]
        }
        guard arguments.source(of: .auditUser) != nil else { return [nil] }
        let owner = UserKey(app: app, user: try arguments.id(of: .auditUser))
        var digests: [Digest?] = [service.accountHashing.digest(of: owner)]
        let subject = try await ask { service async throws(ServiceError) in
            try await service.accounts.subject(of: owner)
        }
        if let subject { digests.append(service.accountHashing.digest(of: subject, in: app)) }
        return digests
    }
}

/// The JSON form of an entry of the audit log.
private struct AuditReport: Encodable {
    var number: Int64
    var at: String
    var actor: String
    var action: String
    /// The first 16 hexadecimal digits of the keyed hash. Nil if the action isn't about a single user.
    var subject: String?
    var detail: String

    init(_ entry: AuditEntry) {
        number = entry.number
        at = entry.at.text
        actor = entry.actor.text
        action = entry.action.rawValue
        subject = entry.subject.map { digest in
            let digits = String(digest.words.0, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        detail = entry.detail
    }
}
