import Glibc
import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

struct ErasureFileTests {
    private let directory: DataDirectory

    init() throws { directory = try DataDirectory() }

    private var path: String { directory.path + "/" + ErasureFile.fileName }

    private func entry(_ number: UInt64) -> ErasureEntry {
        ErasureEntry(digest: Digest(1, 2, .max, number), time: at(Int64(number)))
    }

    private func write(_ text: String) throws {
        let file = try File(path, O_WRONLY | O_CREAT | O_TRUNC)
        try file.write(Array(text.utf8))
    }

    private func text() throws -> String {
        let file = try File(path, O_RDONLY)
        return String(decoding: try file.read(at: 0, count: 1 << 20), as: UTF8.self)
    }

    @Test func returnsEntriesInOrder() async throws {
        let log = ErasureFile(directory: directory.path)
        #expect(try await log.entries() == [])
        try await log.append([entry(1), entry(2)])
        try await log.append([entry(3)])
        #expect(try await ErasureFile(directory: directory.path).entries() == [entry(1), entry(2), entry(3)])
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(
            try text().hasPrefix("1 1750000000001 00000000000000010000000000000002ffffffffffffffff0000000000000001\n"))
    }

    @Test func ignoresTornLastLineAndRemovesItBeforeNextEntry() async throws {
        let log = ErasureFile(directory: directory.path)
        try await log.append([entry(1)])
        let whole = try text()
        for length in 1..<whole.utf8.count {
            try write(whole + whole.prefix(length))
            #expect(try await log.entries() == [entry(1)])
        }
        try await log.append([entry(2)])
        #expect(try await log.entries() == [entry(1), entry(2)])
        #expect(try text().hasPrefix(whole))
        // The first line may be torn, too.
        try write(String(whole.dropLast()))
        #expect(try await log.entries() == [])
        try await log.append([entry(3)])
        #expect(try await log.entries() == [entry(3)])
    }

    @Test func findsTheLatestEntryOfADigest() async throws {
        let (log, other) = (ErasureFile(path: path), ErasureFile(path: path))
        #expect(try await log.latest(of: [entry(1).digest]) == nil)
        try await log.append([entry(1), entry(2)])
        #expect(try await log.latest(of: [entry(1).digest]) == entry(1).time)
        #expect(try await log.latest(of: [entry(2).digest, entry(1).digest, entry(9).digest]) == entry(2).time)
        // Another process adds an entry.
        try await other.append([ErasureEntry(digest: entry(1).digest, time: at(77))])
        #expect(try await log.latest(of: [entry(1).digest]) == at(77))
        // A line that is not complete counts when it is.
        let (whole, line) = (try text(), "1 1750000000099 \(String(repeating: "0", count: 64))\n")
        try write(whole + line.dropLast())
        #expect(try await log.latest(of: [Digest(0, 0, 0, 0)]) == nil)
        try write(whole + line)
        #expect(try await log.latest(of: [Digest(0, 0, 0, 0)]) == Timestamp(milliseconds: 1_750_000_000_099))
        // Another file takes the place of the log.
        try write("1 1750000000123 \(String(repeating: "0", count: 64))\n")
        #expect(try await log.latest(of: [Digest(0, 0, 0, 0)]) == Timestamp(milliseconds: 1_750_000_000_123))
        try write("damaged\n")
        await #expect(throws: StoreError.self) { try await log.latest(of: [entry(1).digest]) }
    }

    @Test func reportsDamagedLine() async throws {
        let log = ErasureFile(directory: directory.path)
        try await log.append([entry(1), entry(2), entry(3)])
        let lines = try text().split(separator: "\n")
        let damaged: [any StringProtocol] = [
            "", "1", "2" + lines[1].dropFirst(), lines[1].dropLast() + "G", lines[1] + " ",
            "1 -5 " + lines[1].suffix(64), "1 9223372036854775807 " + lines[1].suffix(64),
            "1 253402300800001 " + lines[1].suffix(64),
            lines[1].replacing("1 1", with: "1  1"), Substring(String(repeating: "a", count: 200)),
        ]
        for line in damaged {
            try write("\(lines[0])\n\(line)\n\(lines[2])\n")
            do {
                _ = try await log.entries()
                Issue.record("The line was accepted: \(line)")
            } catch {
                #expect(error.code == .corrupt && error.message.contains("Line 2"))
            }
        }
        // A long tail without a line feed is not a torn line.
        try write(lines[0] + "\n" + String(repeating: "a", count: 200))
        await #expect(throws: StoreError.self) { try await log.entries() }
        await #expect(throws: StoreError.self) { try await log.append([entry(4)]) }
    }

    /// Each writer opens the file for each entry, so `flock` treats the writers like processes.
    @Test func keepsAllEntriesOfSeveralWriters() async throws {
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<4 as Range<UInt64> {
                group.addTask { [path = directory.path] in
                    let log = ErasureFile(directory: path)
                    for number in 0..<25 as Range<UInt64> {
                        do {
                            try await log.append([entry(writer * 100 + number)])
                        } catch {
                            Issue.record(error)
                        }
                    }
                }
            }
        }
        let found = try await ErasureFile(path: path).entries()
        #expect(found.count == 100 && Set(found).count == 100)
    }

    @Test(arguments: [mode_t(0o666), 0o644, 0o620]) func keepsOtherUsersFromItsLog(mode: mode_t) async throws {
        let log = ErasureFile(directory: directory.path)
        try await log.append([entry(1)])
        try #require(chmod(path, mode) == 0)
        #expect(try await log.entries() == [entry(1)])
        #expect(permissions() == 0o600)
        try #require(chmod(path, mode) == 0)
        try await log.append([entry(2)])
        #expect(permissions() == 0o600)
        // A copy that an operator gives stays as it is.
        try #require(chmod(path, mode) == 0)
        #expect(try await ErasureFile(path: path).entries() == [entry(1), entry(2)])
        #expect(permissions() == mode)
    }

    private func permissions() -> mode_t {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func refusesALogThatIsALinkOrAPipe() async throws {
        let (log, target) = (ErasureFile(directory: directory.path), directory.path + "/target")
        for make in [{ mkfifo($0, 0o600) }, { symlink(target, $0) }] as [(String) -> Int32] {
            try #require(make(path) == 0)
            await #expect(throws: StoreError.self) { try await log.entries() }
            await #expect(throws: StoreError.self) { try await log.append([entry(1)]) }
            unlink(path)
        }
        #expect(access(target, F_OK) != 0)
    }
}
