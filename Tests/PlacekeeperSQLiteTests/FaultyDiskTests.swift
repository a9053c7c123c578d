import Foundation
import Glibc
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperStoreConformance
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperSQLite

/// Runs a story of writes on a disk that fails at one operation: at the first in the first run, at a later one in the next
/// run, and so on until the story ends without a failure. After each run, the power fails. `make long-runs` fails each
/// operation, and other runs every fourth.
@Suite(.timeLimit(.minutes(20)))
struct FaultyDiskTests {
    /// What the story was told about its writes.
    private struct Story {
        /// All archives that were uploaded.
        var sent: [UInt64: [UInt8]] = [:]
        /// The archives whose upload was acknowledged, and no deletion of them was tried.
        var stored: [UInt64: [UInt8]] = [:]
        /// The archives whose deletion or erasure was acknowledged.
        var deleted: Set<UInt64> = []
        /// The number of the last archive.
        var last: UInt64 = 0
        /// Whether one of the last two uploads was acknowledged.
        var isRecovered = false
        /// Whether the log was emptied before the store was closed.
        var hasEmptiedLog = false
    }

    @Test(arguments: FaultyDisk.Fault.allCases)
    func losesNothingAcknowledgedAtAnyFailure(_ fault: FaultyDisk.Fault) async throws {
        // Each kind of failure begins at another operation.
        var failing = (FaultyDisk.Fault.allCases.firstIndex(of: fault) ?? 0) % samplingStride - samplingStride + 1
        var isReached = true
        while isReached {
            failing += samplingStride
            let directory = try DataDirectory()
            let disk = FaultyDisk(below: directory.path, failing: failing, fault)
            defer { FaultyDisk.forget(below: directory.path) }
            let store = try? directory.open()
            let story = if let store { await tell(to: store, on: disk) } else { Story() }
            isReached = disk.hasFailed
            if store != nil, [.once, .onlyReported].contains(fault) || !isReached {
                #expect(story.isRecovered, "the store did not recover from a failure of operation \(failing)")
            }
            #expect(isReached || story.hasEmptiedLog, "the whole story empties the log")
            for loss in FaultyDisk.Loss.allCases {
                // The first sync of the log also syncs the directory, so a deleted journal stays deleted.
                let names = directory.names
                let contents = disk.contents(losing: loss, seed: UInt64(failing)).filter { names.contains($0.key) }
                let comment = "operation \(failing), \(loss) is lost"
                do {
                    try await expect(story, in: contents, comment)
                } catch {
                    Issue.record("\(comment): \(error)")
                }
            }
        }
    }

    /// Uploads archives of three sizes, deletes one, and erases a user, so that the log is emptied in the middle.
    private func tell(to store: SQLiteStore, on disk: FaultyDisk) async -> Story {
        var story = Story()
        func put(_ sizes: [Int], of user: UInt64 = 1) async {
            for size in sizes {
                story.last += 1
                let bytes = Array(Self.noise[Int(story.last)..<Int(story.last) + size])
                story.sent[story.last] = bytes
                let archive = sample(story.last, in: scene(of: user), bytes: bytes)
                if (try? await store.put(archive, retention: 1000)) != nil { story.stored[story.last] = bytes }
            }
        }
        await put([20_000, 140_000, 40_000])
        await put([30_000], of: 2)
        story.stored[4] = nil
        if (try? await store.erase(owner(2))) != nil { story.deleted.insert(4) }
        await put([300, 300])
        story.stored[1] = nil
        let deletion = try? await store.delete(ArchiveID(high: 0, low: 1), in: scene(), at: at(2000))
        if deletion?.value == true { story.deleted.insert(1) }
        await put([20_000, 17_000, 300])
        story.isRecovered = [story.last - 1, story.last].contains { story.stored[$0] != nil }
        story.hasEmptiedLog = disk.hasEmptiedLog
        await store.close()
        return story
    }

    private static let noise: [UInt8] = {
        var numbers = SeededNumbers(seed: 1)
        return (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &numbers) }
    }()

    /// Opens a store with the contents of files after a power loss, and compares it with what the story was told.
    private func expect(_ story: Story, in contents: [String: [UInt8]], _ comment: String) async throws {
        let directory = try DataDirectory()
        for (name, bytes) in contents {
            let file = try File(directory.path + "/" + name, O_CREAT | O_WRONLY)
            try file.write(bytes)
        }
        let store = try directory.open()
        #expect(try await store.findings() == [], "\(comment)")
        let archives = try await store.history(of: scene(), below: nil, limit: 100).archives
        let found = Set(archives.map(\.id.low))
        #expect(found.isSuperset(of: story.stored.keys), "\(comment)")
        #expect(found.isDisjoint(with: story.deleted), "\(comment)")
        #expect(try await !store.numbers(in: scene(of: 2)).contains(where: story.deleted.contains), "\(comment)")
        for archive in archives {
            let bytes = try await store.bytes(of: archive)
            #expect(bytes == story.sent[archive.id.low], "\(comment), archive \(archive.id.low)")
        }
        // The next large archive overwrites nothing.
        _ = try await store.put(sample(1000, bytes: Array(Self.noise[..<60_000])), retention: 1000)
        for archive in archives {
            let bytes = try await store.bytes(of: archive)
            #expect(bytes == story.sent[archive.id.low], "\(comment), archive \(archive.id.low)")
        }
        await store.close()
    }
}
