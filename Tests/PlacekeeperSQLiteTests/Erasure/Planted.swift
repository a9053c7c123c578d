import Glibc
@testable import PlacekeeperCore
@testable import PlacekeeperMatching
import PlacekeeperTestSupport
@testable import PlacekeeperSQLite
@testable import PlacekeeperService

/// Users whose data has a recognizable text in each place that can have a text.
enum Planted {
    /// The mark of a user. Each of the user's texts contains the mark.
    static func mark(_ number: UInt64) -> String { "planted-\(1000 + number)-" }

    /// Stores data of each kind for a user.
    static func fill(_ store: SQLiteStore, _ number: UInt64, archives: UInt64 = 30) async throws {
        let mark = mark(number)
        let owner = owner(number)
        let ids = [DeviceID(high: number, low: 1), DeviceID(high: number, low: 2)]
        for (index, id) in ids.enumerated() {
            let device = Device(
                id: id, owner: owner, idiom: .phone, model: mark + "model", name: mark + "name", createdAt: at(0),
                lastSeenAt: at(0))
            _ = try await store.register(device, token: Digest(9, number, 0, UInt64(index)), linkCode: nil)
        }
        let context = Context(
            idiom: .phone, layout: .compact, bundleVersion: mark + "bundle", systemVersion: mark + "system")
        for index in 0..<archives {
            let scene = SceneKey(owner: owner, name: mark + "scene\(index % 3)")
            let text = Array((mark + "state\(index) ").utf8)
            // Archives of several sizes: in one page, and in overflow pages.
            let bytes = (0...Int(index % 5 * 100)).flatMap { _ in text }
            let id = ArchiveID(high: number, low: index)
            let new = NewArchive(
                id: id, scene: scene, device: ids[Int(index % 2)], capturedAt: at(Int64(index)),
                receivedAt: at(Int64(index)), context: context, digest: Digest(0, 0, number, index),
                summary: Archive.Summary(place: [mark + "title", mark + "other"]), bytes: bytes)
            _ = try await store.put(new, retention: 1000)
            if index % 4 == 0 {
                let picture = Array((mark + "screenshot").utf8)
                _ = try await store.putScreenshot(Screenshot(format: .png, bytes: picture), for: id, in: scene)
                let outcome = Outcome(
                    archive: id, device: ids[Int(index % 2)], result: .restored, context: context,
                    reportedAt: at(Int64(index)))
                _ = try await store.report(outcome, in: scene)
                try await store.recordServing(id, in: scene, to: ids[0], at: at(Int64(index)))
            }
        }
        try await deleteUndoably(
            in: store, owner, ids[0], context, Array((mark + "deleted ").utf8), mark,
            ArchiveID(high: number, low: archives))
        try await log(store, owner, ids[0], context, mark)
        let list = ItemList(owner: owner, dataSource: mark + "source")
        let items = (1...200 as ClosedRange<Int64>).map { key in
            let texts = ItemTexts(identifier: mark + "item\(key)", aliases: [mark + "alias\(key)"]).bytes
            return PreparedDelta.Upsert(
                key: LookupKey(rawValue: key), aliases: [LookupKey(rawValue: key % 20)], position: key, texts: texts,
                digest: ItemDigest())
        }
        _ = try await store.apply(sampleDelta(items), to: list, of: ids[0], limit: 1000)
        let ends = ids.map { id in
            Link.End(
                device: id, key: LookupKey(rawValue: 1),
                texts: ItemTexts(identifier: mark + "end", aliases: []).bytes)
        }
        _ = try await store.decide(Link(ends[0], ends[1], .same, note: mark + "note", at: at(1)), in: list)
        try await store.create(LinkCode(digest: Digest(8, 0, 0, number), owner: owner, expiresAt: at(600_000)))
        try await store.setSubject(Array((mark + "subject").utf8), Digest(7, 0, 0, number), of: owner)
    }

    /// Stores an archive with a screenshot and an outcome, and deletes it so that the deletion can be undone.
    private static func deleteUndoably(
        in store: SQLiteStore, _ owner: UserKey, _ device: DeviceID, _ context: Context, _ bytes: [UInt8],
        _ mark: String,
        _ id: ArchiveID
    ) async throws {
        let scene = SceneKey(owner: owner, name: mark + "scene of a deletion")
        let new = NewArchive(
            id: id, scene: scene, device: device, capturedAt: at(0), receivedAt: at(0), context: context,
            digest: Digest(0, 1, id.high, id.low), summary: Archive.Summary(place: [mark + "deleted title"]),
            bytes: bytes)
        _ = try await store.put(new, retention: 1000)
        let picture = Array((mark + "deleted screenshot").utf8)
        _ = try await store.putScreenshot(Screenshot(format: .png, bytes: picture), for: id, in: scene)
        let outcome = Outcome(archive: id, device: device, result: .restored, context: context, reportedAt: at(0))
        _ = try await store.report(outcome, in: scene)
        _ = try await store.delete(id, in: scene, at: at(1), isUndoable: true)
    }

    /// Adds entries to the restore log with the mark in each text.
    private static func log(
        _ store: SQLiteStore, _ owner: UserKey, _ device: DeviceID, _ context: Context, _ mark: String
    ) async throws {
        let archive = ArchiveID(high: 0, low: 1)
        let facts = RestoreCandidate(context: context, capturedAt: at(0), hasPlace: true)
        let answer = RestoreAnswer(
            at: at(1), owner: owner, device: device, scene: mark + "scene0", asked: context,
            candidates: [.init(archive: archive, facts: facts, fidelity: .full)])
        let report = RestoreReport(
            at: at(2), owner: owner, device: device, scene: mark + "scene0", archive: archive, result: .failed,
            path: mark + "path", source: context, target: context)
        try await store.log(Array(repeating: .answer(answer), count: 20) + Array(repeating: .report(report), count: 20))
    }
}

extension SQLiteStore {
    func setSubject(
        _ subject: [UInt8], _ digest: Digest, of owner: UserKey, createdAt: Timestamp = at(0)
    ) async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            guard let user = try transaction.connection.user(owner) else { throw StoreError.userGone }
            let digits = "0123456789ABCDEF".map(String.init)
            func hexadecimal(_ bytes: [UInt8]) -> String {
                bytes.map { digits[Int($0 >> 4)] + digits[Int($0 & 15)] }.joined()
            }
            try transaction.connection.execute(
                """
                UPDATE user SET subject = x'\(hexadecimal(subject))', subject_digest = x'\(hexadecimal(digest.bytes))',
                    created_at = \(createdAt.milliseconds) WHERE id = \(user.id)
                """)
        }
    }
}

extension DataDirectory {
    /// Returns the names of the files that contain a text.
    func files(with text: String) throws -> [String] {
        let pattern = Array(text.utf8)
        return try names.filter { name in
            let file = try File(path + "/" + name, O_RDONLY)
            let bytes = try file.read(at: 0, count: try file.size())
            return bytes.withUnsafeBytes { DataDirectory.contains(pattern, $0) }
        }
    }

    private static func contains(_ pattern: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while rest.count >= pattern.count, let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
            let found = memchr(base, Int32(pattern[0]), rest.count - pattern.count + 1)
        {
            if memcmp(found, pattern, pattern.count) == 0 { return true }
            rest = rest.dropFirst(UnsafeRawPointer(found) - base + 1)
        }
        return false
    }
}
