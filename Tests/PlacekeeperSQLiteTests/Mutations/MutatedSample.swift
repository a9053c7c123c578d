import Glibc
import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

/// The database that mutations start from: the contents of `SampleContents`, closed.
struct MutatedSample {
    struct User {
        /// The row in the table `user`.
        var row: Int64
        var number: Int
        var owner: UserKey
        var device: DeviceID
        var tokens: [Digest]
    }

    let directory: String
    let apps = [AppID(high: 0, low: 1), AppID(high: 0, low: 2)]
    /// A time after all times of the contents.
    let now = at(32 * 86_400_000)
    let users: [User]

    /// Fills a directory.
    static func make(in directory: String) async throws {
        let store = try DatabaseFixture.store(in: directory)
        try await SampleContents.fill(store)
        // An archive of several pages, and the free pages of another.
        for number in [201, 202] as [UInt64] {
            _ = try await store.put(
                sample(number, in: scene("large"), bytes: [UInt8](repeating: UInt8(number), count: 20_000)),
                retention: 1)
        }
        await store.close()
    }

    init(_ directory: String) throws {
        self.directory = directory
        let file = try RawDatabase(directory + "/" + SQLiteStore.fileName)
        var users: [User] = []
        let known: [(number: Int, owner: UserKey, device: UInt64, tokens: [UInt64])] = [
            (1, owner(1), 1, [1, 2, 3]), (2, owner(2), 4, [4]),
            (80, UserKey(app: AppID(high: 0, low: 2), user: UserID(high: 0, low: 80)), 8, [8, 80]),
        ]
        for (number, owner, device, tokens) in known {
            let id = String(repeating: "0", count: 30) + (number < 16 ? "0" : "") + String(number, radix: 16)
            let row = try file.rows("SELECT id FROM user WHERE uuid = x'\(id)'").first.flatMap { Int64($0) }
            users.append(
                User(
                    row: try #require(row), number: number, owner: owner, device: DeviceID(high: 0, low: device),
                    tokens: tokens.map { Digest(1, 0, 0, $0) }))
        }
        self.users = users
    }

    /// Copies the files to an empty directory.
    func copy(to path: String) throws {
        let stream = try #require(opendir(directory))
        defer { closedir(stream) }
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
                tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasPrefix(SQLiteStore.fileName) else { continue }
            let input = try File(directory + "/" + name, O_RDONLY)
            let output = try File(path + "/" + name, O_WRONLY | O_CREAT | O_EXCL)
            try output.write(try input.read(at: 0, count: try input.size()))
        }
    }
}
