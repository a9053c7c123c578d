import Glibc
import PlacekeeperCore
import PlacekeeperService

@testable import PlacekeeperSQLite

/// A temporary directory for one test, deleted with its files when the test ends.
final class DataDirectory: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/placekeeper-store-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StoreError(.unavailable, "no temporary directory") }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        for name in names { unlink(path + "/" + name) }
        rmdir(path)
    }

    var database: String { path + "/" + SQLiteStore.fileName }

    func open(_ configure: (inout SQLiteStore.Configuration) -> Void = { _ in }) throws(StoreError) -> SQLiteStore {
        var configuration = SQLiteStore.Configuration()
        // All tests run at once on few cores, so these deadlines are long. A test of a deadline sets its own deadline.
        configuration.writeDeadline = .seconds(600)
        configuration.deltaDeadline = .seconds(600)
        configuration.readDeadline = .seconds(600)
        configuration.lockTimeout = .seconds(600)
        configure(&configuration)
        return try SQLiteStore(directory: path, compression: RunLength(), configuration: configuration)
    }

    /// The names of the files in the directory.
    var names: [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// Compresses repetitions of one byte to that byte. This is enough to see whether bytes are compressed.
struct RunLength: BlobCompression {
    struct Damaged: Error {}

    func compress(_ bytes: [UInt8]) -> [UInt8]? {
        guard let first = bytes.first, bytes.allSatisfy({ $0 == first }) else { return nil }
        return [first]
    }

    func decompress(_ bytes: [UInt8], count: Int) throws -> [UInt8] {
        guard bytes.count == 1 else { throw Damaged() }
        return Array(repeating: bytes[0], count: count)
    }
}
