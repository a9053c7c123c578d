@testable import PlacekeeperCore
@testable import PlacekeeperMatching
import PlacekeeperTestSupport

@testable import PlacekeeperService

/// Contents of a store with at least one of each kind of stored data. Every run makes the same contents: identifiers
/// and times are fixed. A later schema version that stores more adds to these contents. Earlier fixtures lack the
/// addition, so `parts` must not return it.
enum SampleContents {
    static let list = ItemList(owner: owner(1), dataSource: "photos")
    private static let day: Int64 = 86_400_000
    /// The time of the pruning in `fill`. Contents that expire by this time are removed.
    private static let month = 31 * day

    private static func device(_ number: UInt64) -> DeviceID { DeviceID(high: 0, low: number) }
    private static func archive(_ number: UInt64) -> ArchiveID { ArchiveID(high: 0, low: number) }
    private static func app(_ number: UInt64) -> AppID { AppID(high: 0, low: number) }
    private static func code(_ number: UInt64) -> Digest { Digest(2, 0, 0, number) }

    static func fill(_ store: some Store) async throws {
        try await addApps(to: store)
        for (number, owner) in [(1, owner(1)), (2, owner(1)), (3, owner(2)), (4, owner(2)), (5, owner(1))] {
            let device = Device(
                id: device(UInt64(number)), owner: owner, idiom: number == 2 ? .pad : .phone, model: "iPhone16,1",
                name: "Ada’s device \(number)", createdAt: at(Int64(number)), lastSeenAt: at(Int64(number)))
            _ = try await store.register(device, token: Digest(1, 0, 0, UInt64(number)), linkCode: nil)
        }
        try await addAccount(to: store)
        _ = try await store.put(upload(90, by: 1, captured: 10), retention: 3)
        try await store.prune(at: at(month))
        try await addArchives(to: store)
        try await addItems(to: store)
        try await moveAndRevoke(in: store)
        try await addDeletedArchive(of: device(8), to: store)
        try await addAdministrator(to: store)
        let hour = at(month).hour
        try await store.add([
            Counter(hour: hour, app: app(1), name: "outcome", label: "restored"): 3,
            Counter(hour: hour, app: nil, name: "request", label: "GET /v1/places 200"): 7,
        ])
    }

    /// The user of an account. Databases before schema version 4 have no accounts, so `parts` leaves this user out.
    private static let accountOwner = UserKey(app: app(2), user: UserID(high: 0, low: 80))

    /// Adds an account with a device that has an installation and a read-only token, and an entry of the audit log.
    private static func addAccount(to store: some Store) async throws {
        let device = Device(
            id: device(8), owner: accountOwner, idiom: .phone, systemVersion: "18.1", createdAt: at(8),
            lastSeenAt: at(8))
        let account = Account(digest: Digest(3, 0, 0, 1), newUser: accountOwner.user) { _ in Array("anna".utf8) }
        let installation = Installation(id: InstallationID(high: 0, low: 8), secret: Digest(4, 0, 0, 1))
        _ = try await store.register(
            NewDevice(device, token: Digest(1, 0, 0, 8), installation: installation, joins: .account(account)))
        let reading = NewToken(digest: Digest(1, 0, 0, 80), access: .readOnly)
        _ = try await store.replaceToken(of: device.id, of: accountOwner, by: reading, at: at(9))
        try await addOutcome(of: device.id, to: store)
        try await store.append(
            AuditEntry(app: app(2), at: at(9), actor: .user, action: .signedIn, subject: account.digest))
    }

    /// Adds an archive whose deletion can be undone. Databases before schema version 7 have no such archive.
    private static func addDeletedArchive(of device: DeviceID, to store: some Store) async throws {
        let scene = SceneKey(owner: accountOwner, name: "main")
        var new = upload(91, in: scene, by: 8, captured: month)
        new.actor = device
        _ = try await store.put(new, retention: 3)
        _ = try await store.delete(new.id, in: scene, at: at(month), isUndoable: true)
    }

    /// Adds an outcome with a launch id and details. Databases before schema version 5 have neither.
    private static func addOutcome(of device: DeviceID, to store: some Store) async throws {
        let scene = SceneKey(owner: accountOwner, name: "main")
        var new = upload(80, in: scene, by: 8, captured: 9)
        new.device = device
        _ = try await store.put(new, retention: 3)
        var outcome = outcome(.failed, of: 80, by: 8, at: 10)
        outcome.launch = LaunchID("launch-1")
        outcome.details = Outcome.Details(path: "root/list", step: 1, duration: .milliseconds(250))
        _ = try await store.report(outcome, in: scene)
    }

    /// Adds an administrator with a session and an API token, and an entry of the audit log of the whole service. Databases
    /// before schema version 6 have none of them.
    private static func addAdministrator(to store: some Store) async throws {
        let administrator = Administrator(
            id: AdministratorID(high: 0, low: 1), name: "anna", role: .owner, createdAt: at(month))
        let password = PasswordHash(salt: [UInt8](repeating: 1, count: 16), key: [UInt8](repeating: 2, count: 32))
        let entry = AuditEntry(
            app: nil, at: at(month), actor: .administrator("anna"), action: .loggedIn, subject: nil)
        _ = try await store.create(administrator, password, isFirst: true, recording: entry)
        _ = try await store.start(
            AdminSession(
                id: Digest(5, 0, 0, 1), administrator: administrator.id, createdAt: at(month), lastUsedAt: at(month)))
        let token = APIToken(
            id: APITokenID(high: 0, low: 1), label: "check", role: .viewer, creator: administrator.id,
            createdAt: at(month), expiresAt: at(month + day))
        _ = try await store.create(token, digest: Digest(5, 0, 0, 2))
    }

    private static func addApps(to store: some Store) async throws {
        for (number, name) in [(1, "com.example.photos"), (2, "com.example.notes")] {
            try await store.create(
                App(
                    id: app(UInt64(number)), bundleIdentifier: name, publishableKey: "pk_\(number)",
                    createdAt: at(0)))
        }
        var settings = App.Settings()
        settings.allowsScreenshots = true
        settings.retainedArchives = 3
        settings.policy.acceptedIdioms = ["phone": ["pad"]]
        settings.policy.minimumBundleVersion = "40"
        _ = try await store.replaceSettings(of: app(1), with: settings)
        let photos = DataSource(scope: .registered, selectsNeighbors: true)
        _ = try await store.declare(photos, named: "photos", of: app(1), overriding: false)
        _ = try await store.declare(DataSource(scope: .keyed), named: "albums", of: app(1), overriding: false)
        _ = try await store.declare(DataSource(scope: .shared), named: "notes", of: app(2), overriding: false)
    }

    /// A capture by a device. Archives with even numbers are long and compressible.
    private static func upload(
        _ number: UInt64, in scene: SceneKey = scene(), by maker: UInt64, captured: Int64
    ) -> NewArchive {
        let text = Array("state \(number) ".utf8)
        let bytes = number.isMultiple(of: 2) ? Array(repeating: text, count: 2000).flatMap { $0 } : text
        var context = Context(idiom: maker == 2 ? .pad : .phone, layout: maker == 2 ? .regular : .compact)
        context.bundleVersion = "42"
        context.systemVersion = "18.1"
        context.stateVersion = 2
        var new = NewArchive(
            id: archive(number), scene: scene, device: device(maker), capturedAt: at(captured),
            writtenAt: at(captured - 1), receivedAt: at(captured + 5), sequence: Int64(number), context: context,
            digest: Digest(0, 0, UInt64(bytes.count), number),
            summary: Archive.Summary(place: ["Albums", "Méditerranée"], objectCount: 12, referenceCount: 2),
            bytes: bytes)
        new.actor = device(maker)
        return new
    }

    private static func outcome(
        _ result: Outcome.Result, of number: UInt64, by reporter: UInt64, at time: Int64
    ) -> Outcome {
        Outcome(
            archive: archive(number), device: device(reporter), result: result,
            context: Context(idiom: .phone, layout: .compact, bundleVersion: "42", systemVersion: "18.1"),
            reportedAt: at(time))
    }

    private static func addArchives(to store: some Store) async throws {
        let (editor, old) = (scene("editor"), scene("old"))
        for number in 1...5 as ClosedRange<UInt64> {
            let maker = 1 + number % 2
            _ = try await store.put(upload(number, by: maker, captured: month + Int64(number) * 100), retention: 3)
        }
        for number in 6...8 as ClosedRange<UInt64> {
            _ = try await store.put(
                upload(number, in: editor, by: 1, captured: month + Int64(number) * 100), retention: 3)
        }
        _ = try await store.put(upload(9, in: old, by: 2, captured: month + 900), retention: 3)
        _ = try await store.put(upload(10, in: editor, by: 5, captured: month + 1000), retention: 3)
        for number in 11...13 as ClosedRange<UInt64> {
            let (place, maker) = (scene(number == 13 ? "editor" : "main", of: 2), 3 + number % 2)
            _ = try await store.put(
                upload(number, in: place, by: maker, captured: month + Int64(number) * 100), retention: 3)
        }
        _ = try await store.delete(archive(7), in: editor, at: at(month + 1400))
        _ = try await store.forget(old, at: at(month + 1500))
        _ = try await store.putScreenshot(
            Screenshot(format: .png, bytes: [0x89, 0x50, 0x4E, 0x47, 1, 2, 3]), for: archive(4), in: scene())
        try await store.recordServing(archive(4), in: scene(), to: device(2), at: at(month + 1600))
        try await store.recordServing(archive(8), in: editor, to: device(2), at: at(month + 1700))
        for (result, number, time) in [(.began, 4, 1800), (.restored, 4, 1900), (.crashed, 5, 2000)]
            as [(Outcome.Result, UInt64, Int64)]
        {
            _ = try await store.report(outcome(result, of: number, by: 2, at: month + time), in: scene())
        }
    }

    private static func addItems(to store: some Store) async throws {
        var first = delta([(1, [11, 12], 10), (2, [12], 20), (3, [13], 30), (4, [], nil), (5, [15], nil)], at: 3000)
        _ = try await store.apply(first, to: list, of: device(1), limit: 100)
        first = delta([(2, [12, 14], -20)], removals: [3], redirects: [(5, 1)], after: 1, at: 3100)
        _ = try await store.apply(first, to: list, of: device(1), limit: 100)
        let second = delta([(21, [11], 1), (22, [14], 2)], at: 3200)
        _ = try await store.apply(second, to: list, of: device(2), limit: 100)
        _ = try await store.apply(delta([(51, [13], nil)], at: 3300), to: list, of: device(5), limit: 100)
        _ = try await store.decide(link(.same, 1, 21, at: 3400), in: list)
        _ = try await store.decide(link(.different, 2, 22, at: 3500), in: list)
    }

    /// A device leaves the second user for the first user, and a device of the first user is revoked.
    private static func moveAndRevoke(in store: some Store) async throws {
        try await store.create(LinkCode(digest: code(1), owner: owner(1), expiresAt: at(month + 600_000)))
        _ = try await store.move(
            device(3), of: owner(2), linkCode: code(1), at: at(month + 4000), retention: 3)
        _ = try await store.revoke(device(5), of: owner(1), at: at(month + 4100))
        // Revoking deletes the user's codes, so these codes are made afterward.
        for number in 2...3 as ClosedRange<UInt64> {
            let user = number - 1
            try await store.create(LinkCode(digest: code(number), owner: owner(user), expiresAt: at(month + 600_000)))
        }
        try await store.recordSeen([
            owner(1): [device(1): at(month + 4200)], owner(2): [device(4): at(month + 4300)],
        ])
    }

    private static func link(_ kind: Link.Kind, _ first: Int64, _ second: Int64, at time: Int64) -> Link {
        Link(
            Link.End(device: device(1), key: LookupKey(rawValue: first), texts: [1, UInt8(first)]),
            Link.End(device: device(2), key: LookupKey(rawValue: second), texts: [2, UInt8(second)]), kind,
            note: "seen by Ada", at: at(month + time))
    }

    /// A delta. The digest of an item follows from its key, its aliases and its position.
    private static func delta(
        _ items: [(key: Int64, aliases: [Int64], position: Int64?)] = [], removals: [Int64] = [],
        redirects: [(from: Int64, to: Int64)] = [], after: Int64? = nil, at time: Int64
    ) -> PreparedDelta {
        @Sendable func digest(_ key: LookupKey, _ aliases: [LookupKey], _ position: Int64?) -> ItemDigest {
            let mixed = aliases.reduce(key.rawValue &* 31) { $0 ^ $1.rawValue &* 17 } ^ (position ?? -1) &* 7
            return ItemDigest(high: UInt64(bitPattern: mixed), low: UInt64(bitPattern: key.rawValue))
        }
        return PreparedDelta(
            upserts: items.map { item in
                let (key, aliases) = (LookupKey(rawValue: item.key), item.aliases.map(LookupKey.init))
                return PreparedDelta.Upsert(
                    key: key, aliases: aliases, position: item.position, texts: [0, 1, UInt8(item.key)],
                    digest: digest(key, aliases, item.position))
            }, removals: removals.map(LookupKey.init),
            redirects: redirects.map { redirect in
                PreparedDelta.Redirect(
                    from: LookupKey(rawValue: redirect.from), to: LookupKey(rawValue: redirect.to), texts: [])
            }, after: after, time: at(month + time)
        ) { item, _ in digest(item.key, item.aliases, item.position) }
    }

    /// Makes writes whose results depend on the stored facts. Returns the results.
    static func continueWriting(in store: some Store) async throws -> [String] {
        let later = month + 10_000
        var (results, number): ([String], UInt64) = ([], 30)
        // Device 3 moved to the first user. The last revision, 3, is a revision of the device's former user.
        for (maker, revision) in [(1, nil), (2, 5), (3, 9), (3, 3), (4, nil), (5, nil)] as [(UInt64, Int64?)] {
            number += 1
            var new = upload(
                number, in: scene("main", of: maker == 4 ? 2 : 1), by: maker, captured: later + Int64(number))
            new.restoredFrom = revision.map(Revision.init)
            results.append("\(try await store.put(new, retention: 2).value)")
        }
        let deleted = upload(7, in: scene("editor"), by: 1, captured: later)
        results.append("\(try await store.put(deleted, retention: 2).value)")
        let forgotten = upload(40, in: scene("old"), by: 1, captured: month + 1499)
        results.append("\(try await store.put(forgotten, retention: 2).value)")
        for (reporter, archive) in [(2, 4), (2, 8), (1, 8), (3, 8)] as [(UInt64, UInt64)] {
            let report = outcome(.restored, of: archive, by: reporter, at: later + 100)
            results.append("\(try await store.report(report, in: scene(archive == 8 ? "editor" : "main")).value)")
        }
        let joining = Device(
            id: device(6), owner: owner(9), idiom: .tv, createdAt: at(later), lastSeenAt: at(later))
        let joined = try await store.register(joining, token: Digest(1, 0, 0, 6), linkCode: code(2)).value
        results.append("\(joined)")
        let change = delta([(2, [16], -20), (6, [16], 5)], removals: [1], after: 2, at: 11_000)
        results.append("\(try await store.apply(change, to: list, of: device(1), limit: 100).value)")
        let first = delta([(60, [16], nil)], at: 11_100)
        results.append("\(try await store.apply(first, to: list, of: device(6), limit: 100).value)")
        let link = link(.same, 1, 21, at: 3400)
        results.append("\(try await store.removeDecision(link.first, link.second, in: list).value)")
        try await store.check()
        return results
    }

    /// Everything that can be read from a store with these contents, by name.
    static func parts(of store: some Store) async throws -> [String: AnyHashable] {
        var parts: [String: AnyHashable] = [:]
        parts["apps"] = try await store.apps()
        for number in 1...2 as ClosedRange<UInt64> {
            parts["users of app \(number)"] = try await store.users(of: app(number), after: nil, limit: 10)
        }
        for number in 1...6 as ClosedRange<UInt64> {
            parts["device \(number)"] = try await store.device(token: Digest(1, 0, 0, number))?.value
        }
        for number in 1...2 as ClosedRange<UInt64> {
            let owner = owner(number)
            parts["devices of user \(number)"] = try await store.devices(of: owner)
            parts["heads of user \(number)"] = try await store.heads(of: owner, below: nil, limit: 100)
            parts["scenes of user \(number)"] = try await store.sceneHeads(of: owner, behind: nil, limit: 100)
            for revision in [0, 12] as [Int64] {
                let page = try await store.changes(of: owner, after: Revision(rawValue: revision), limit: 100)
                parts["latest revision of user \(number) after \(revision)"] = page.latest
                parts["truncation of user \(number) after \(revision)"] = page.isTruncated
                parts["changes of user \(number) after \(revision)"] = page.changes
            }
            for name in ["main", "editor", "old"] {
                let scene = SceneKey(owner: owner, name: name)
                for (part, value) in try await archives(in: scene, of: store) {
                    parts["\(part) in \(name) of user \(number)"] = value
                }
            }
        }
        for (part, value) in try await items(of: store) { parts[part] = value }
        let links = try await store.links(in: list)
        parts["decisions"] = links
        parts["texts of decisions"] = links.map { [$0.first.texts, $0.second.texts] }
        parts["counts"] = try await store.counts(from: at(0), to: at(100 * day))
        return parts
    }

    private static func archives(
        in scene: SceneKey, of store: some Store
    ) async throws -> [String: AnyHashable] {
        var parts: [String: AnyHashable] = [:]
        let page = try await store.history(of: scene, below: nil, limit: 100)
        parts["history"] = page
        parts["head"] = try await store.head(of: scene)
        for archive in page.archives {
            let number = archive.id.low
            parts["bytes of \(number)"] = try await store.bytes(of: archive)
            parts["outcomes of \(number)"] = try await store.outcomes(of: archive.id, in: scene)
            parts["screenshot of \(number)"] = try await store.screenshot(for: archive.id, in: scene)
        }
        for number in 1...90 as ClosedRange<UInt64> {
            parts["lookup of \(number)"] = try await store.archive(archive(number), in: scene)
        }
        return parts
    }

    private static func items(of store: some Store) async throws -> [String: AnyHashable] {
        var parts: [String: AnyHashable] = [:]
        let registries = try await store.registries(of: list)
        parts["registrations"] = registries
        for registry in registries {
            let name = "of device \(registry.device.low)"
            let items = try await store.items((1...60).map { LookupKey(rawValue: $0) }, in: registry)
            let aliases = (11...16).map { LookupKey(rawValue: $0) }
            parts["items \(name)"] = items
            parts["texts \(name)"] = try await store.texts(of: items.compactMap { $0 }, in: registry)
            parts["items by alias \(name)"] = try await store.items(withAliases: aliases, in: registry)
            parts["texts by alias \(name)"] = try await store.textsOfSoleItems(withAliases: aliases, in: registry)
            parts["ambiguous aliases \(name)"] = try await store.ambiguousAliases(
                above: nil, in: registry, limit: 100)
            parts["items by position \(name)"] = try await store.items(
                next: 0, behind: true, in: registry, limit: 100
            )
            parts["items by key \(name)"] = try await store.items(above: nil, in: registry, limit: 100)
        }
        return parts
    }
}
