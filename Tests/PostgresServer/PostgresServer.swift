import Foundation

/// A PostgreSQL server for the tests of this process, started by `scripts/postgres-for-tests`. The server ends with the
/// process.
package final class PostgresServer: Sendable {
    /// The server. Nil if PostgreSQL is not installed.
    package static let shared = try? PostgresServer()

    /// Whether the tests that need a server run. In CI, PostgreSQL must be installed, so these tests run, and fail
    /// without it.
    package static var isNeeded: Bool {
        shared != nil || !(ProcessInfo.processInfo.environment["CI"] ?? "").isEmpty
    }

    /// The reason for which tests are skipped.
    package static let skipped = "PostgreSQL is not installed"

    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    private let folder: String
    private let programs: String
    /// The server ends when this pipe is closed.
    private let input: Pipe

    private init() throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let process = Process()
        process.executableURL = root.appendingPathComponent("scripts/postgres-for-tests")
        let output = Pipe()
        input = Pipe()
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        folder = try Self.line(of: output)
        programs = try Self.line(of: output)
    }

    private static func line(of pipe: Pipe) throws -> String {
        var line: [UInt8] = []
        while let byte = try pipe.fileHandleForReading.read(upToCount: 1)?.first, byte != UInt8(ascii: "\n") {
            line.append(byte)
        }
        guard !line.isEmpty else { throw Failure(description: "The PostgreSQL server for tests did not start.") }
        return String(decoding: line, as: UTF8.self)
    }

    /// The URL of a database.
    package func url(_ database: String) -> String { "postgres:///\(database)?host=\(folder)&user=test" }

    /// Creates an empty database, and returns its URL. Blocks the thread.
    package func makeDatabase(named name: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: programs + "/createdb")
        process.arguments = ["--host", folder, "--username", "test", name]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "createdb failed") }
        return url(name)
    }
}
