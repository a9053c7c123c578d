import PlacekeeperCompression
import Glibc
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

/// A database that an earlier build wrote with the contents of `SampleContents`. `make database-fixture` writes the
/// fixture of the current schema version.
struct DatabaseFixture: CustomStringConvertible {
    let schemaVersion: Int

    var description: String { "schema version \(schemaVersion)" }

    /// All fixtures in `Databases`, in the order of their schema versions.
    static var all: [DatabaseFixture] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var versions: [Int] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(suffix), let version = Int(name.dropLast(suffix.count)) { versions.append(version) }
        }
        return versions.sorted().map(DatabaseFixture.init)
    }

    /// Writes the database into a directory, and opens the database with today's store, which migrates it.
    func open(in directory: DataDirectory) throws -> SQLiteStore {
        try write(in: directory)
        return try Self.store(in: directory.path)
    }

    /// Writes the database into a directory.
    func write(in directory: DataDirectory) throws {
        try unpack(Self.suffix, to: directory.database)
        // 0.1.0 kept the bytes of larger archives in a file of their own.
        if schemaVersion == Migrations.oldest { try unpack(".segment-1.gz", to: directory.database + "-segment-1") }
    }

    private func unpack(_ suffix: String, to path: String) throws {
        let packed = try Self.bytes(of: "\(Self.folder)/\(schemaVersion)\(suffix)")
        let pieces = try Compressor(.gzip).inflating(packed, limit: 16 << 20, ratio: .max)
        var bytes: [UInt8] = []
        while case let piece = try pieces.next(), !piece.isEmpty { bytes += piece }
        let file = try #require(fopen(path, "w"))
        defer { fclose(file) }
        try #require(fwrite(bytes, 1, bytes.count, file) == bytes.count)
        try #require(fflush(file) == 0)
    }

    /// Opens a store that compresses as the service does.
    static func store(in directory: String) throws -> SQLiteStore {
        try SQLiteStore(directory: directory, compression: Deflated())
    }

    private static let suffix = ".sqlite.gz"
    private static let folder = String("\(#filePath)".dropLast("DatabaseFixture.swift".count)) + "Databases"

    private static func bytes(of path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "r"))
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return bytes
    }
}

/// The form in which the service compresses stored bytes.
private struct Deflated: BlobCompression {
    private let compressor = Compressor(.zlib, level: 1)

    func compress(_ bytes: [UInt8]) -> [UInt8]? { compressor.deflate(bytes) }

    func decompress(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
        try compressor.inflate(bytes, count: count)
    }
}
