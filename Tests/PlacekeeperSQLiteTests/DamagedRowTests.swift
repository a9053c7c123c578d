import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Synchronization
import Testing

@testable import PlacekeeperSQLite

/// Rows with values that no version of the store writes.
@Suite struct DamagedRowTests {
    private let directory: DataDirectory
    private let reports = Reports()

    init() throws { directory = try DataDirectory() }

    private final class Reports: Sendable {
        private let lines = Mutex<[String]>([])
        var all: [String] { lines.withLock { $0 } }
        @Sendable func add(_ line: String) { lines.withLock { $0.append(line) } }
    }

    private func open() throws -> SQLiteStore { try directory.open { $0.report = reports.add } }

    /// Two users with a device and an archive each, and a statement that damages the first one.
    private func damaged(by sql: String) async throws -> SQLiteStore {
        let store = try open()
        for number in 1...2 as ClosedRange<UInt64> {
            _ = try await store.register(
                sampleDevice(number, of: owner(number)), token: Digest(0, 0, 0, number), linkCode: nil)
            _ = try await store.put(sample(number, in: scene(of: number)), retention: 3)
        }
        await store.close()
        try #require(try RawDatabase(directory.database).run(sql))
        return try open()
    }

    @Test(arguments: [-1, -2_147_483_648, 2_147_483_647])
    func refusesASchemaVersionOutsideItsBounds(_ version: Int) async throws {
        await (try open()).close()
        try #require(try RawDatabase(directory.database).run("PRAGMA user_version = \(version)"))
        let error = #expect(throws: StoreError.self) { try open() }
        #expect(error?.message.contains("schema version \(version)") == true)
        #expect(throws: StoreError.self) { try Backup.verify(directory.database) }
    }

    @Test func listsOtherUsersBesideADamagedOneAndReportsItOnce() async throws {
        let store = try await damaged(by: "UPDATE user SET archives = 9007199254740993 WHERE id = 1")
        for _ in 0..<2 {
            let users = try await store.users(of: owner().app, after: nil, limit: 1)
            #expect(users.map(\.user) == [owner(2).user])
        }
        #expect(reports.all.count == 1)
        let line = reports.all.first ?? ""
        #expect(line.contains("\(owner(1).user)") && line.contains("archives") && line.contains("9007199254740993"))
        await #expect(throws: StoreError.self) { try await store.put(sample(7), retention: 3) }
        #expect(try await store.put(sample(8, in: scene(of: 2)), retention: 3).value.isCreated)
        await store.close()
    }

    @Test(arguments: [
        "UPDATE user SET created_at = -9223372036854775807",
        "UPDATE user SET latest_time = 9223372036854775807, revision = 9223372036854775807",
        "UPDATE device SET last_seen_at = 9223372036854775807",
        "UPDATE change SET revision = 9223372036854775807, at = -9223372036854775807",
        "UPDATE change SET previous = id",
        "UPDATE archive SET revision = -5, size = 9223372036854775807",
        "UPDATE app_usage SET bytes = -9223372036854775807",
    ])
    func prunesAndChecksADatabaseWithDamagedRows(_ sql: String) async throws {
        let store = try await damaged(by: sql)
        try await store.prune(at: at(500 * 86_400_000))
        _ = try await store.facts(after: nil, limit: 10)
        try await store.check()
        _ = try await store.put(sample(9, in: scene("new", of: 3)), retention: 3)
        await store.close()
    }

    @Test func erasesADamagedUser() async throws {
        let store = try await damaged(
            by: """
                UPDATE user SET revision = 9223372036854775807, bytes = -9223372036854775807 WHERE id = 1;
                UPDATE archive SET captured_at = 9223372036854775807, size = -5 WHERE scene = 1;
                """)
        await #expect(throws: StoreError.self) { try await store.put(sample(7), retention: 3) }
        #expect(try await store.erase(owner(1)).value)
        #expect(try await store.users(of: owner().app, after: nil, limit: 9).map(\.user) == [owner(2).user])
        #expect(try await store.usage(of: owner().app).bytes >= 0)
        await store.close()
        #expect(try RawDatabase(directory.database).rows("SELECT count(*) FROM archive") == ["1"])
    }

    @Test func namesTheRowOfABackupThatItRefuses() async throws {
        let store = try await damaged(by: "UPDATE archive SET order_revision = 9007199254740993 WHERE scene = 1")
        #expect(try await store.findings().contains { $0.contains("order_revision of the table archive") })
        await store.close()
        let (files, target) = (try DataDirectory(), try DataDirectory())
        let file = files.path + "/backup"
        // A backup with a damaged user is better than none, but it replaces nothing.
        let made = try Backup.create(from: directory.path, to: file, replaces: false)
        #expect(made.wrongRows.count == 1)
        #expect(throws: StoreError.self) { try Backup.create(from: directory.path, to: file, replaces: true) }
        let error = #expect(throws: StoreError.self) { try Backup.prepare(file, in: target.path, replaces: false) }
        #expect(error?.code == .corrupt)
        let message = error?.message ?? ""
        #expect(message.contains("order_revision of the table archive in the row with scene 1"), "\(message)")
        #expect(target.names == [])
    }

    @Test func acceptsDamagedValuesThatOnlySortLists() async throws {
        let store = try await damaged(
            by: "UPDATE user SET seen_at = 9223372036854775807, seen_bytes = -9223372036854775807 WHERE id = 1")
        for order in UserOrder.allCases {
            let users = try await store.users(
                of: owner().app, by: order, after: nil, limit: 9, matching: UserConditions())
            #expect(users.count == 2)
        }
        #expect(try await store.findings().isEmpty)
        await store.close()
    }

    @Test func recordsTheLastUsesOfOtherUsersBesideADamagedOne() async throws {
        let store = try await damaged(by: "UPDATE user SET archives = -1 WHERE id = 1")
        let time = Timestamp(milliseconds: 1_800_000_000_000)
        let uses = try await store.devices(of: owner(2)).map { ($0.id, time) }
        try await store.recordSeen([
            owner(1): Dictionary(uniqueKeysWithValues: uses), owner(2): Dictionary(uniqueKeysWithValues: uses),
        ])
        #expect(try await store.devices(of: owner(2)).map(\.lastSeenAt) == uses.map(\.1) && !uses.isEmpty)
        await store.close()
    }

    @Test func findsItemsOfOtherUsersBesideADamagedOne() async throws {
        let store = try await damaged(
            by: """
                INSERT INTO item_text (number, key, texts) VALUES (1, 7, x'00'), (2, 7, x'00');
                INSERT INTO registry (id, user, data_source, device, digest)
                VALUES (1, 1, 'photos', x'00', zeroblob(16)), (2, 2, 'photos', zeroblob(16), zeroblob(16));
                INSERT INTO item (registry, key, number, changed_at) VALUES (1, 7, 1, 0), (2, 7, 2, 0);
                """)
        let key = LookupKey(rawValue: 7)
        let found = try await store.items(
            [(user: owner(1).user, key: key), (user: owner(2).user, key: key)], of: owner().app)
        #expect(found.count == 1)
        #expect(reports.all.count == 1 && reports.all.first?.contains("\(owner(1).user)") == true)
        await store.close()
    }

    /// The columns without a rule are texts of any characters, references to rows, which SQLite checks, and values that
    /// only sort lists.
    @Test func hasARuleForEveryColumn() async throws {
        await (try open()).close()
        let file = try RawDatabase(directory.database)
        let free: Set = [
            "app.bundle_identifier", "app.publishable_key", "app.settings", "app.data_sources", "user.subject",
            "user.last_change", "user.seen_at", "user.seen_bytes",
            "device.model", "device.name", "device.system_version", "device.user", "device.launch",
            "device_head.user", "device_head.period", "token.device", "installation.device", "link_code.user",
            "scene.user", "scene.name", "scene.last_removal", "content.bytes",
            "screenshot.bytes", "outcome.launch", "outcome.path", "change.user", "change.previous", "change.scene",
            "registry.user", "registry.data_source", "item.registry", "item.key", "item.number", "item.position",
            "item.replaced_by", "item_text.number", "item_text.key", "item_text.texts", "alias.registry", "alias.key",
            "alias.item", "ambiguous_alias.registry", "ambiguous_alias.key", "link.user", "link.data_source",
            "link.first_key",
            "link.second_key", "link.note", "link.first_texts", "link.second_texts", "counter.name", "counter.label",
            "audit.actor", "audit.action", "audit.detail", "restore_log.user", "restore_log.body", "administrator.name",
            "administrator.password_salt", "administrator.password_key", "administrator.second_factor",
            "admin_session.administrator",
            "api_token.label", "api_token.administrator", "store.lookup_secret",
        ]
        let ofAnyTable: Set = [
            "id", "scene", "content", "bundle_version", "system_version", "state_version", "place",
        ]
        for table in try file.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'") {
            let columns = try file.rows("SELECT name FROM pragma_table_info('\(table)')")
            let ruled = Set(Schema.rules[table, default: [:]].keys)
            #expect(ruled.isSubset(of: columns + ["latest_time"]), "\(table)")
            for column in columns where !ruled.contains(column) && !ofAnyTable.contains(column) {
                #expect(free.contains("\(table).\(column)"), "\(table).\(column)")
            }
        }
    }
}

extension PutResult {
    fileprivate var isCreated: Bool { if case .created = self { true } else { false } }
}
