import Foundation
import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperSQLite
import PlacekeeperService
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperPostgres

@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct RefusalTests {
    /// Fills a data directory.
    private func fill(_ places: Places, _ name: String = "data", seed: UInt64 = 1) async throws {
        let store = try places.sqlite(name)
        var intents = RandomIntents(seed: seed)
        for _ in 0..<200 { _ = try await intents.next().carryOut(in: store) }
        await store.close()
    }

    private func source(_ places: Places) throws -> SQLiteTransferSource {
        try SQLiteTransferSource(directory: places.directory(), compression: Shortened())
    }

    @Test func refusesADatabaseWithData() async throws {
        try await Places.use { places in
            try await fill(places)
            let store = try await places.postgres()
            try await store.create(
                App(
                    id: AppID(high: 1, low: 1), bundleIdentifier: "a.b", publishableKey: "pk_",
                    createdAt: Timestamp(milliseconds: 0)))
            await store.close()
            let error = try #require(throws: StoreError.self) { try places.toPostgres() }
            #expect(error.code == .exists)
            // The refusal leaves no transaction.
            try places.run("DELETE FROM app")
            _ = try places.toPostgres()
            let again = try #require(throws: StoreError.self) { try places.toPostgres() }
            #expect(again.code == .exists)
            try await fill(places, "other")
            let replacing = try #require(throws: StoreError.self) { try places.toSQLite("other") }
            #expect(replacing.code == .exists)
        }
    }

    /// A command that creates a database takes no lock in a directory without one.
    @Test func keepsADatabaseThatWasMadeDuringTheTransfer() async throws {
        try await Places.use { places in
            try await fill(places)
            try FileManager.default.createDirectory(
                atPath: places.directory("other"), withIntermediateDirectories: false)
            let destination = try SQLiteTransferDestination(
                directory: places.directory("other"), compression: Shortened(), replaces: false)
            let source = try source(places)
            try copy(from: source, to: destination)
            let store = try places.sqlite("other")
            try await store.create(
                App(
                    id: AppID(high: 1, low: 1), bundleIdentifier: "a.b", publishableKey: "pk_",
                    createdAt: Timestamp(milliseconds: 0)))
            let error = try #require(throws: StoreError.self) { try destination.finish() }
            #expect(error.code == .exists)
            destination.abandon()
            #expect(try await store.apps().map(\.bundleIdentifier) == ["a.b"])
            await store.close()
            let again = try places.sqlite("other")
            #expect(try await again.apps().map(\.bundleIdentifier) == ["a.b"])
            await again.close()
        }
    }

    private func copy(from source: some TransferSource, to destination: some TransferDestination) throws {
        for table in TransferTable.all {
            try source.read(table) { rows throws(StoreError) in try destination.insert(rows, into: table) }
        }
        try destination.complete()
    }

    /// Its writes wait until the transfer has ended, and would then be missing in the copy.
    @Test func noticesAProgramThatStartsDuringTheTransfer() async throws {
        try await Places.use { places in
            try await fill(places)
            _ = try places.toPostgres()
            let source = try PostgresTransferSource(places.configuration)
            try source.requireExclusiveAccess()
            let store = try await places.postgres()
            _ = try await store.apps()
            let error = try #require(throws: StoreError.self) { try source.requireExclusiveAccess() }
            #expect(error.code == .unavailable)
            await store.close()
        }
    }

    @Test func refusesADatabaseThatIsServed() async throws {
        try await Places.use { places in
            try await fill(places)
            let store = try await places.postgres()
            _ = try await store.apps()
            for transfer in [{ try places.toPostgres() }, { try places.toSQLite("other") }] {
                let error = try #require(throws: StoreError.self) { try transfer() }
                #expect(error.code == .unavailable && error.message.contains("Stop all instances"))
            }
            #expect(!FileManager.default.fileExists(atPath: places.directory("other")))
            await store.close()
            _ = try places.toPostgres()
        }
    }

    @Test func commitsNothingIfAValueIsChangedOnTheWay() async throws {
        try await Places.use { places in
            try await fill(places)
            for table in ["store", "users", "archive", "change"] {
                let destination = Changing(try PostgresTransferDestination(places.configuration), table: table)
                let error = try #require(throws: StoreError.self) {
                    try Transfer(hashing: Hash(), checksArchives: false).run(from: try source(places), to: destination)
                }
                #expect(error.message.contains("The copy of the table \(table) differs"))
                #expect(try places.isEmpty())
            }
            _ = try places.toPostgres()
            let destination = Changing(try places.sqliteDestination("other"), table: "archive")
            #expect(throws: StoreError.self) {
                try Transfer(hashing: Hash(), checksArchives: false).run(
                    from: try PostgresTransferSource(places.configuration), to: destination)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: places.directory("other")) == [])
        }
    }

    @Test func keepsTheOldDatabaseIfATransferFailsInTheMiddle() async throws {
        try await Places.use { places in
            try await fill(places)
            try await fill(places, "other", seed: 2)
            let old = try places.sqlite("other")
            let answers = try await Agreement.everything(in: old)
            await old.close()
            let there = try places.toPostgres()
            for table in ["store", "archive", "change"] {
                let failing = Changing(
                    try places.sqliteDestination("other", replaces: true), table: table, fails: true)
                #expect(throws: StoreError.self) {
                    try Transfer(hashing: Hash(), checksArchives: false).run(
                        from: try PostgresTransferSource(places.configuration), to: failing)
                }
                #expect(!FileManager.default.fileExists(atPath: places.directory("other") + "/transfer.partial"))
            }
            // A process that was killed leaves a partial directory.
            try FileManager.default.createDirectory(
                atPath: places.directory("other") + "/transfer.partial", withIntermediateDirectories: false)
            try Data("left".utf8).write(
                to: URL(filePath: places.directory("other") + "/transfer.partial/placekeeper.sqlite"))
            let same = try places.sqlite("other")
            #expect(try await Agreement.everything(in: same) == answers)
            await same.close()
            let back = try places.toSQLite("other", replaces: true)
            #expect(back.digest == there.digest)
            let new = try places.sqlite("other")
            #expect(try await new.findings() == [])
            #expect(try await Agreement.everything(in: new) != answers)
            await new.close()
        }
    }

    @Test func commitsNothingIfATransferFailsInTheMiddle() async throws {
        try await Places.use { places in
            try await fill(places)
            for table in ["users", "archive", "change"] {
                let failing = Changing(
                    try PostgresTransferDestination(places.configuration), table: table, fails: true)
                #expect(throws: StoreError.self) {
                    try Transfer(hashing: Hash(), checksArchives: false).run(from: try source(places), to: failing)
                }
                #expect(try places.isEmpty())
            }
        }
    }

    @Test func reportsValuesThatTheOtherDatabaseCannotHold() async throws {
        try await Places.use { places in
            try await fill(places)
            for (sql, text) in [
                (
                    "UPDATE scene SET name = 'a' || char(0) || 'b' WHERE id = (SELECT min(id) FROM scene)",
                    "the column name of the table scene"
                ),
                ("UPDATE device SET uuid = x'01' WHERE id = (SELECT min(id) FROM device)", "an identifier of 1 bytes"),
                (
                    "UPDATE user SET revision = -1 WHERE id = (SELECT min(id) FROM user)",
                    "the column revision of the table users"
                ),
                ("UPDATE device SET idiom = 7 WHERE id = (SELECT min(id) FROM device)", "the number 7"),
                (
                    "UPDATE token SET digest = x'01' WHERE digest = (SELECT min(digest) FROM token)",
                    "a digest of 1 bytes"
                ),
                ("UPDATE change SET kind = 'other' WHERE id = (SELECT min(id) FROM change)", "an unknown word"),
                ("UPDATE content SET bytes = x'', encoding = 1", "is damaged, so nothing was transferred"),
            ] {
                let copy = places.directory("damaged")
                try? FileManager.default.removeItem(atPath: copy)
                try FileManager.default.copyItem(atPath: places.directory(), toPath: copy)
                try Database.run(sql, in: copy + "/placekeeper.sqlite")
                let error = try #require(throws: StoreError.self) { try places.toPostgres(from: "damaged") }
                #expect(error.code == .corrupt && error.message.contains(text), "\(error)")
                #expect(try places.isEmpty())
            }
        }
    }
}

/// A destination that changes or refuses the first row of a table.
private final class Changing: TransferDestination {
    private let destination: any TransferDestination
    private let table: String
    private let fails: Bool
    private var isDone = false

    init(_ destination: any TransferDestination, table: String, fails: Bool = false) {
        (self.destination, self.table, self.fails) = (destination, table, fails)
    }

    func insert(_ rows: [TransferRow], into table: TransferTable) throws(StoreError) {
        var rows = rows
        if table.name == self.table, !isDone {
            isDone = true
            if fails { throw StoreError(.full, "No space is left.") }
            switch rows[0].last {
            case .bytes(let bytes)?: rows[0][rows[0].count - 1] = .bytes(bytes.map { $0 ^ 1 })
            case .int(let number)?: rows[0][rows[0].count - 1] = .int(number + 1)
            default: rows.removeFirst()
            }
        }
        if !rows.isEmpty { try destination.insert(rows, into: table) }
    }

    func count(of table: TransferTable) throws(StoreError) -> Int {
        try destination.count(of: table)
    }
    func read(
        _ table: TransferTable, _ receive: ([TransferRow]) throws(StoreError) -> Void
    ) throws(StoreError) {
        try destination.read(table, receive)
    }
    func complete() throws(StoreError) { try destination.complete() }
    func finish() throws(StoreError) { try destination.finish() }
    func abandon() { destination.abandon() }
}
