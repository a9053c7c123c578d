import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// The changes of all users of an app.
extension StoreBehavior {
    /// Imports a user with many changes.
    private static func importChanges(_ count: Int, of owner: UserKey, to store: any Store) async throws {
        let user = ImportedUser(
            owner: owner, createdAt: at(0), revision: Revision(rawValue: Int64(count)),
            prunedThrough: Revision(rawValue: 0))
        #expect(try await store.begin(user).value)
        let changes = (1...Int64(count)).map { number in
            ImportedRecord.change(
                Change(revision: Revision(rawValue: number), kind: .outcomeReported, scene: "main", at: at(1)))
        }
        _ = try await store.add(changes, to: owner)
    }

    private static func expectNothing(after cursor: String, in store: any Store) async throws {
        let page = try await store.changes(of: app(1), after: cursor)
        #expect(page.changes.isEmpty && !page.isTruncated)
    }

    static let appChanges = [
        StoreBehavior("lists the changes of an app's users in the order in which they were made") {
            store async throws in
            let start = try await store.newestChanges(of: app(1), limit: 5)
            #expect(start.changes.isEmpty && !start.isTruncated)
            let other = user(1, app: 2)
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            let middle = try await store.newestChanges(of: app(1), limit: 0)
            try await store.register(3...3, of: other)
            try await store.add(capture(1, captured: 1))
            try await store.add(capture(2, in: scene(of: other), by: 3, captured: 2))
            try await store.add(capture(3, in: scene("editor", of: user(2)), by: 2, captured: 3))
            let page = try await store.changes(of: app(1), after: start.cursor)
            let all = page.changes
            #expect(all.map(\.user) == [user(1), user(2), user(1), user(2)].map(\.user) && !page.isTruncated)
            #expect(all.map(\.change.kind) == [.deviceRegistered, .deviceRegistered, .archiveStored, .archiveStored])
            let last = try #require(all.last)
            #expect(last.change.scene == "editor" && last.change.archive == archive(3))
            #expect(last.change.device == device(2) && last.change.at == at(3))
            for (owner, name) in [(user(1), 1), (user(2), 2)] as [(UserKey, UInt64)] {
                let own = try await store.changes(of: owner, after: Revision(rawValue: 0), limit: 9).changes
                #expect(all.filter { $0.user.low == name }.map(\.change) == own)
            }
            #expect(
                try await store.changes(of: app(1), after: middle.cursor).changes.map(\.change)
                    == all[2...].map(\.change))
            for cursor in [last.cursor, page.cursor] {
                try await expectNothing(after: cursor, in: store)
            }
            // A reader that got only the first changes misses none.
            let rest = try await store.changes(of: app(1), after: all[1].cursor).changes.suffix(2)
            #expect(rest.map(\.change) == all[2...].map(\.change))
            let others = try await store.changes(of: app(2), after: start.cursor).changes
            #expect(others.map(\.user) == [other.user, other.user])
            #expect(try await store.changes(of: app(3), after: start.cursor).changes.isEmpty)
        },
        StoreBehavior("cannot list an app's changes after an unknown or too old cursor") { store async throws in
            let start = try await store.newestChanges(of: app(1), limit: 0).cursor
            try await store.register(1...1)
            let second = try await store.newestChanges(of: app(1), limit: 0).cursor
            try await importChanges(Limits.appChangesBehind, of: user(2), to: store)
            for cursor in [start, "", "x", "-1", "\(Int64.max)", "1:2:3:4"] {
                let page = try await store.changes(of: app(1), after: cursor)
                #expect(page.isTruncated && page.changes.isEmpty, "\(cursor)")
                try await expectNothing(after: page.cursor, in: store)
            }
            let all = try await store.changes(of: app(1), after: second)
            #expect(all.changes.count == Limits.appChangesBehind && !all.isTruncated)
        },
        StoreBehavior("leaves out an app's changes that were dropped") { store async throws in
            let start = try await store.newestChanges(of: app(1), limit: 0).cursor
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            try await store.add(capture(1, captured: 31 * 86_400))
            try await store.prune(at: at(31 * 86_400))
            #expect(try await store.changes(of: app(1), after: start).changes.map(\.change.archive) == [archive(1)])
            // An erasure drops changes between others.
            try await store.add(capture(2, in: scene(of: user(2)), by: 2, captured: 32 * 86_400))
            try await store.add(capture(3, captured: 33 * 86_400))
            _ = try await store.erase(user(2))
            let left = [archive(1), archive(3)]
            #expect(try await store.changes(of: app(1), after: start).changes.map(\.change.archive) == left)
            #expect(try await store.newestChanges(of: app(1), limit: 9).changes.map(\.change.archive) == left)
        },
        StoreBehavior("lists an app's newest changes, the oldest of them first") { store async throws in
            let start = try await store.newestChanges(of: app(1), limit: 5).cursor
            try await store.register(1...1)
            for number in 1...5 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)))
            }
            let all = try await store.changes(of: app(1), after: start)
            try await store.register(2...2, of: user(1, app: 2))
            let page = try await store.newestChanges(of: app(1), limit: 3)
            #expect(page.changes.map(\.change) == all.changes.suffix(3).map(\.change))
            try await expectNothing(after: page.cursor, in: store)
            #expect(try await store.newestChanges(of: app(1), limit: 0).changes.isEmpty)
            #expect(
                try await store.newestChanges(of: app(1), limit: 9).changes.map(\.change) == all.changes.map(\.change))
        },
        StoreBehavior("searches only the newest changes of all apps for an app's newest changes") {
            store async throws in
            try await store.register(1...1)
            try await store.add(capture(1, captured: 1))
            try await importChanges(Limits.appChangesBehind - 1, of: user(1, app: 2), to: store)
            #expect(try await store.newestChanges(of: app(1), limit: 9).changes.map(\.change.kind) == [.archiveStored])
            try await store.register(3...3, of: user(2, app: 2))
            #expect(try await store.newestChanges(of: app(1), limit: 9).changes.isEmpty)
        },
    ]
}
