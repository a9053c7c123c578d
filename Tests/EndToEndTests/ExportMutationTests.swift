import PlacekeeperCore
import PlacekeeperServer
@testable import PlacekeeperService
import PlacekeeperSystem
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Imports mutated exports, in other processes, because a trap ends a process.
@Suite(.onOwnThreads, .onSQLite) struct ExportMutationTests {
    /// The number of mutated exports: half of `PLACEKEEPER_MUTATIONS`. Databases are the other half.
    static let count = (ProcessInfo.processInfo.environment["PLACEKEEPER_MUTATIONS"].flatMap { UInt64($0) } ?? 100) / 2
    /// The first seed, to repeat a run from a seed.
    static let first = ProcessInfo.processInfo.environment["PLACEKEEPER_MUTATION_SEED"].flatMap { UInt64($0) } ?? 1
    /// The number of exports that one process imports.
    private static let step: UInt64 = 25

    /// What an import accepts can be read, exported and erased. What it refuses leaves nothing behind.
    @Test(arguments: stride(from: first, to: first + count, by: UInt64.Stride(step)).map { $0 })
    func readsWhatAnImportAccepts(from seed: UInt64) async throws {
        let files = try TemporaryDirectory()
        let sample = files.path + "/sample.ndjson"
        try await Self.writeSample(sample)
        let (data, end) = (files.path + "/data", min(seed + Self.step, Self.first + Self.count))
        let result = await #expect(processExitsWith: .success) {
            [data = data as String, sample = sample as String, seed = seed as UInt64, end = end as UInt64] in
            let imports = try await MutatedImports(to: data, of: sample)
            do {
                for number in seed..<end { try await imports.check(number) }
            } catch {
                imports.note("\(error)")
                throw error
            }
            await imports.opened.service.upkeep.close()
        }
        guard result == nil else { return }
        Issue.record("\(try String(contentsOfFile: data + ".log", encoding: .utf8).suffix(2000))")
    }

    /// Writes the export of a user with archives, outcomes and items.
    private static func writeSample(_ path: String) async throws {
        let data = try TemporaryDirectory()
        let made = try ChildProcess.run(
            "generate", "com.example.photos", "--users", "1", "--archives", "12", "--data", data.path)
        try #require(made.end == .exit(0), "\(made.error)")
        let opened = try await Wiring.open(directory: data.path)
        let app = try #require(try await opened.service.apps.apps().first)
        let user = try #require(try await opened.service.store.users(of: app.id, after: nil, limit: 1).first?.user)
        let bytes = try await opened.exported(UserKey(app: app.id, user: user), of: app)
        try Data(bytes).write(to: URL(filePath: path))
        await opened.service.upkeep.close()
    }
}

extension Wiring.Opened {
    fileprivate func exported(_ owner: UserKey, of app: App) async throws -> [UInt8] {
        var text = ExportText(
            try #require(try await service.exports.export(owner, of: app)), hashing: service.hashing, version: "test")
        var bytes: [UInt8] = []
        while let piece = try await text.next() { bytes += piece }
        return bytes
    }
}

/// Imports mutated copies of an export into a database, one after another.
private struct MutatedImports {
    let opened: Wiring.Opened
    let app: App
    let lines: [String]
    /// The file in which the process notes what it does. The test shows it if the process does not end well.
    let log: String

    init(to data: String, of sample: String) async throws {
        opened = try await Wiring.open(directory: data)
        log = data + ".log"
        app = try await opened.service.apps.createApp("com.example.photos")
        lines = String(decoding: try Data(contentsOf: URL(filePath: sample)), as: UTF8.self)
            .split(separator: "\n").map(String.init)
    }

    func note(_ line: String) {
        let known = (try? String(contentsOfFile: log, encoding: .utf8)) ?? ""
        try? Data((known + line + "\n").utf8).write(to: URL(filePath: log))
    }

    func check(_ seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        var lines = lines
        let change = Self.change(&lines, &random)
        // Most files have the digest of their changed lines, so that the import reads every line.
        if Int.random(in: 0..<10, using: &random) > 0 { complete(&lines) }
        note("seed \(seed): \(change.prefix(200))")
        let result: ImportResult
        do throws(ServiceError) {
            let file = MemoryFile(Array((lines.joined(separator: "\n") + "\n").utf8))
            var reader = try ExportReader(hashing: opened.service.hashing, rewind: file.rewind, read: file.read)
            result = try await opened.service.exports.importUser(from: &reader, into: app, by: .command("test"))
        } catch {
            try require(![.storeFailed, .storeUnavailable].contains(error.code), "the store failed: \(error)")
            let left = try await opened.service.store.users(of: app.id, after: nil, limit: 10)
            return try require(left.isEmpty, "a refused import left \(left)")
        }
        let owner = UserKey(app: app.id, user: result.user)
        _ = try await opened.exported(owner, of: app)
        _ = try #require(try await opened.service.exports.summary(of: owner))
        try require(
            try await opened.service.store.users(of: app.id, after: nil, limit: 10).count == 1, "the user is not listed"
        )
        for scene in try await opened.service.store.scenes(of: owner, after: nil, limit: 100) {
            let key = SceneKey(owner: owner, name: scene.name)
            _ = try await opened.service.store.history(of: key, below: nil, limit: 100)
            _ = try await opened.service.store.forget(
                key, at: opened.service.clock.now(), quotas: App.Settings.Quotas())
        }
        try await opened.service.upkeep.prune()
        try require(try await opened.service.accounts.erase(owner), "the user cannot be erased")
    }

    private func require(_ condition: Bool, _ message: String) throws {
        guard condition else { throw CommandFailure(.failure, message) }
    }

    /// Writes the last line anew.
    private func complete(_ lines: inout [String]) {
        guard lines.count > 2 else { return }
        let bytes = lines[1..<lines.count - 1].flatMap { Array(($0 + "\n").utf8) }
        let digest = opened.service.hashing.sha256(bytes).bytes
        let digits = digest.map { (($0 < 16 ? "0" : "") + String($0, radix: 16)) }.joined()
        lines[lines.count - 1] = "{\"kind\":\"end\",\"lines\":\(lines.count - 2),\"sha256\":\"\(digits)\"}"
    }

    /// Changes the lines between the header and the end, and describes the change.
    private static func change(_ lines: inout [String], _ random: inout SeededGenerator) -> String {
        let line = Int.random(in: 0..<lines.count - 1, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            lines.remove(at: line)
            return "without line \(line + 1)"
        case 1:
            lines.insert(lines[line], at: line)
            return "line \(line + 1) twice"
        case 2:
            let other = Int.random(in: 0..<lines.count - 1, using: &random)
            lines.swapAt(line, other)
            return "lines \(line + 1) and \(other + 1) exchanged"
        default:
            let values = members(of: Array(lines[line].utf8))
            guard let member = values.randomElement(using: &random) else { return "no change" }
            let value = Self.values.randomElement(using: &random) ?? "null"
            var bytes = Array(lines[line].utf8)
            bytes.replaceSubrange(member, with: value.utf8)
            let old = lines[line].utf8.prefix(member.upperBound).suffix(60)
            lines[line] = String(decoding: bytes, as: UTF8.self)
            return "line \(line + 1): \(value.prefix(60)) in place of \(String(decoding: Array(old), as: UTF8.self))"
        }
    }

    private static let values = [
        "-9223372036854775808", "9223372036854775807", "9007199254740993", "9007199254740992", "4503599627370497",
        "4503599627370496", "-1", "0", "1", "2", "2147483648", "1e400", "1e18", "0.5", "null", "true", "\"\"", "\"0\"",
        "[]", "{}", "\"0000-01-01T00:00:00.000Z\"", "\"1969-12-31T23:59:59.999Z\"", "\"1970-01-01T00:00:00.000Z\"",
        "\"9999-12-31T23:59:59.999Z\"", "\"" + String(repeating: "x", count: 100_000) + "\"",
        "\"a" + String(repeating: "\u{301}", count: 1000) + "\"", "\"00000000-0000-0000-0000-000000000000\"",
    ]

    /// The ranges of the values of members that are numbers or strings.
    private static func members(of line: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var index = 1
        while index + 1 < line.count {
            defer { index += 1 }
            guard line[index] == UInt8(ascii: ":"), line[index - 1] == UInt8(ascii: "\"") else { continue }
            let start = index + 1
            var end = start
            switch line[start] {
            case UInt8(ascii: "\""):
                end += 1
                while end < line.count, line[end] != UInt8(ascii: "\"") {
                    end += line[end] == UInt8(ascii: "\\") ? 2 : 1
                }
                end += 1
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                while end < line.count, line[end] != UInt8(ascii: ","), line[end] != UInt8(ascii: "}") { end += 1 }
            default: continue
            }
            ranges.append(start..<min(end, line.count))
        }
        return ranges
    }
}

/// The bytes of a file that an import reads twice.
private final class MemoryFile {
    private let bytes: [UInt8]
    private var isRead = false

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func rewind() throws(ServiceError) { isRead = false }

    func read() throws(ServiceError) -> [UInt8] {
        defer { isRead = true }
        return isRead ? [] : bytes
    }
}
