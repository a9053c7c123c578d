import Foundation
import PlacekeeperCore
import PlacekeeperCryptography
import PlacekeeperPostgresServer
import PlacekeeperSQLite
import PlacekeeperService
import Testing

@testable import PlacekeeperPostgres

/// The places of a test: data directories, and an empty PostgreSQL database with tables.
final class Places {
    let url: String
    let folder = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
    private let server: PostgresServer

    /// Runs a test with its own places. Few tests run at a time.
    static func use(_ test: (Places) async throws -> Void) async throws {
        await TestPlaces.shared.take()
        let result: Result<Void, any Error>
        do {
            result = .success(try await test(try await Places()))
        } catch {
            result = .failure(error)
        }
        await TestPlaces.shared.give()
        try result.get()
    }

    private init() async throws {
        server = try #require(PostgresServer.shared, "PostgreSQL is not installed. In CI, these tests must run.")
        url = try server.makeDatabase()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        await (try postgres()).close()
    }

    deinit {
        server.dropDatabase(url)
        try? FileManager.default.removeItem(at: folder)
    }

    /// The path of a data directory.
    func directory(_ name: String = "data") -> String { folder.path + "/" + name }

    /// Opens the store of a data directory, with deadlines that suit many tests at once.
    func sqlite(_ name: String = "data") throws -> SQLiteStore {
        var configuration = SQLiteStore.Configuration()
        configuration.writeDeadline = .seconds(600)
        configuration.deltaDeadline = .seconds(600)
        configuration.readDeadline = .seconds(600)
        configuration.lockTimeout = .seconds(600)
        configuration.compressedSize = 64
        return try SQLiteStore(directory: directory(name), compression: Shortened(), configuration: configuration)
    }

    var configuration: PostgresStore.Configuration { PostgresServer.configuration(url) }

    func postgres() async throws -> PostgresStore { try await PostgresStore(configuration) }

    /// Deletes all rows, so that the database is empty again.
    func emptyDatabase() throws {
        let names = TransferTable.all.map(\.name).filter { $0 != "store" }.joined(separator: ", ")
        try run("TRUNCATE \(names), device_head")
        try run("UPDATE store SET restore_log_position = 0, audit_number = 0")
    }

    func isEmpty() throws -> Bool {
        for table in TransferTable.all where table != .store {
            let count = try run("SELECT count(*) FROM \(table.name)")[0]
                .first { row throws(StoreError) in try row.key() }
            if count != 0 { return false }
        }
        return true
    }

    func findings() throws -> [String] { try server.findings(in: url) }

    @discardableResult
    func run(_ sql: String) throws -> [Rows] {
        try Connection(configuration).run(Batch([Statement(sql)]), until: nil)
    }

    func toPostgres(from name: String = "data") throws -> Transfer.Report {
        try Transfer(hashing: Hash(), checksArchives: false).run(
            from: SQLiteTransferSource(directory: directory(name), compression: Shortened()),
            to: PostgresTransferDestination(configuration))
    }

    func toSQLite(_ name: String, replaces: Bool = false) throws -> Transfer.Report {
        try Transfer(hashing: Hash(), checksArchives: false).run(
            from: PostgresTransferSource(configuration),
            to: sqliteDestination(name, replaces: replaces))
    }

    func sqliteDestination(_ name: String, replaces: Bool = false) throws -> SQLiteTransferDestination {
        try FileManager.default.createDirectory(atPath: directory(name), withIntermediateDirectories: true)
        return try SQLiteTransferDestination(directory: directory(name), compression: Shortened(), replaces: replaces)
    }
}

/// SHA-256.
struct Hash: Hashing {
    func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest {
        let words = SHA256.words(of: bytes)
        return Digest(words.0, words.1, words.2, words.3)
    }
}

/// Stores bytes of one value as this byte.
struct Shortened: BlobCompression {
    func compress(_ bytes: [UInt8]) -> [UInt8]? { Set(bytes).count == 1 ? Array(bytes.prefix(1)) : nil }

    func decompress(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
        guard let byte = bytes.first else { throw StoreError.corrupt("There is no byte.") }
        return Array(repeating: byte, count: count)
    }
}
