import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    static let droppedChanges = [
        StoreBehavior("serves every reader that is at most Limits.changesBehind behind, after many changes") {
            store async throws in
            try await store.register(1...1)
            let count = 2 * Limits.changesBehind + 10
            try await log(count - 1, in: store)
            let page = try await store.changes(
                of: user(1), after: Revision(rawValue: Int64(count - Limits.changesBehind)), limit: count)
            #expect(!page.isTruncated && page.changes.count == Limits.changesBehind)
            let behind = Revision(rawValue: Int64(count - Limits.changesBehind - 1))
            #expect(try await store.changes(of: user(1), after: behind, limit: 1).isTruncated)
        },
        StoreBehavior("remembers a forgotten scene whose change was dropped, and refuses its old state later") {
            store async throws in
            try await store.register(1...1)
            let old = try await store.add(capture(1, in: scene("editor"), captured: 1))
            _ = try await store.forget(scene("editor"), at: at(10))
            try await log(2 * Limits.changesBehind, in: store)
            func put(_ number: UInt64, captured: Double, received: Double, from source: Revision?) async throws -> Bool
            {
                let new = capture(
                    number, in: scene("editor"), captured: captured, received: received, restoredFrom: source)
                if case .forgotten = try await store.put(new, retention: 20).value { return false }
                return true
            }
            try await store.prune(at: at(86_400))
            #expect(try await !put(2, captured: 5, received: 86_400, from: nil))
            #expect(try await !put(3, captured: 86_400, received: 86_400, from: old.revision))
            let month: Double = 31 * 86_400
            try await store.prune(at: at(month))
            #expect(try await !put(4, captured: month, received: month, from: old.revision))
            #expect(try await put(5, captured: month, received: month, from: nil))
        },
        StoreBehavior("accepts a capture whose source's change was dropped, if its scene was not forgotten") {
            store async throws in
            try await store.register(1...1)
            let old = try await store.add(capture(1, in: scene("editor"), captured: 1))
            _ = try await store.delete(archive(1), in: scene("editor"), at: at(2))
            try await log(2 * Limits.changesBehind, in: store)
            try await store.prune(at: at(86_400))
            try await store.add(
                capture(2, in: scene("editor"), captured: 86_400, restoredFrom: old.revision))
        },
    ]

    /// Logs changes of `user(1)` in the scene `main`.
    private static func log(_ count: Int, in store: any Store) async throws {
        for start in stride(from: 0, to: count, by: 100) {
            try await withThrowingTaskGroup { group in
                for _ in start..<min(start + 100, count) {
                    group.addTask { _ = try await store.forget(scene(), at: at(20)) }
                }
                try await group.waitForAll()
            }
        }
    }
}
