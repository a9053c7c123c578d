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

    private static func everything(of app: AppID, in store: any Store) async throws -> [AppChange] {
        var changes: [AppChange] = []
        var position: Int64 = 0
        while true {
            let page = try await store.changes(of: app, after: position, isReplay: true)
            #expect(!page.isTruncated)
            changes += page.changes
            position = page.position
            if !page.hasMore { return changes }
        }
    }

    static let appChanges = [
        StoreBehavior("lists the changes of an app's users in the order in which they were made") {
            store async throws in
            let other = user(1, app: 2)
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            try await store.register(3...3, of: other)
            try await store.add(capture(1, captured: 1))
            try await store.add(capture(2, in: scene(of: other), by: 3, captured: 2))
            try await store.add(capture(3, in: scene("editor", of: user(2)), by: 2, captured: 3))
            let all = try await everything(of: app(1), in: store)
            #expect(all.map(\.user) == [user(1), user(2), user(1), user(2)].map(\.user))
            #expect(all.map(\.change.kind) == [.deviceRegistered, .deviceRegistered, .archiveStored, .archiveStored])
            let last = try #require(all.last)
            #expect(last.change.scene == "editor" && last.change.archive == archive(3))
            #expect(last.change.device == device(2) && last.change.at == at(3))
            for (owner, name) in [(user(1), 1), (user(2), 2)] as [(UserKey, UInt64)] {
                let own = try await store.changes(of: owner, after: Revision(rawValue: 0), limit: 9).changes
                #expect(all.filter { $0.user.low == name }.map(\.change) == own)
            }
            #expect(all.map(\.position) == all.map(\.position).sorted() && Set(all.map(\.position)).count == 4)
            let page = try await store.changes(of: app(1), after: all[1].position, isReplay: true)
            #expect(page.changes == Array(all[2...]) && page.position == last.position && !page.hasMore)
            let rest = try await store.changes(of: app(1), after: last.position, isReplay: true)
            #expect(rest == AppChangePage(position: last.position))
            #expect(try await everything(of: app(2), in: store).map(\.user) == [other.user, other.user])
            #expect(try await everything(of: app(3), in: store).isEmpty)
        },
        StoreBehavior("lists the changes of an app's users in pages") { store async throws in
            try await importChanges(Limits.changesAtOnce + 5, of: user(1), to: store)
            let page = try await store.changes(of: app(1), after: 0, isReplay: true)
            #expect(page.changes.count == Limits.changesAtOnce && page.hasMore)
            let all = try await everything(of: app(1), in: store)
            #expect(all.map(\.change.revision.rawValue) == (1...Int64(Limits.changesAtOnce) + 5).map { $0 })
            // The changes of other apps are read as well.
            try await importChanges(Limits.changesAtOnce + 5, of: user(1, app: 2), to: store)
            let others = try await store.changes(of: app(1), after: try #require(all.last).position, isReplay: true)
            #expect(others.changes.isEmpty && others.hasMore)
        },
        StoreBehavior("cannot list an app's changes after an unknown or too old position") { store async throws in
            try await store.register(1...1)
            try await importChanges(Limits.appChangesBehind, of: user(2), to: store)
            let newest = Int64(Limits.appChangesBehind) + 1
            let truncated = AppChangePage(position: newest, isTruncated: true)
            for position in [0, newest + 1, .max] {
                #expect(
                    try await store.changes(of: app(1), after: position, isReplay: true) == truncated, "\(position)")
            }
            #expect(try await !store.changes(of: app(1), after: 1, isReplay: true).isTruncated)
            let next = try await store.changes(of: app(1), after: 0, isReplay: false)
            #expect(next.position == Int64(Limits.changesAtOnce) && next.hasMore && !next.isTruncated)
        },
        StoreBehavior("cannot list an app's changes if one of them was dropped") { store async throws in
            try await store.register(1...1)
            try await store.register(2...2, of: user(2))
            try await store.add(capture(1, captured: 31 * 86_400))
            let before = try await everything(of: app(1), in: store)
            try await store.prune(at: at(31 * 86_400))
            let newest = try #require(before.last).position
            #expect(
                try await store.changes(of: app(1), after: before[0].position, isReplay: true)
                    == AppChangePage(position: newest, isTruncated: true))
            #expect(
                try await store.changes(of: app(1), after: before[1].position, isReplay: true).changes == [before[2]])
            // An erasure drops changes between others.
            try await store.add(capture(2, in: scene(of: user(2)), by: 2, captured: 32 * 86_400))
            try await store.add(capture(3, captured: 33 * 86_400))
            _ = try await store.erase(user(2))
            #expect(try await store.changes(of: app(1), after: newest, isReplay: true).isTruncated)
            #expect(
                try await store.changes(of: app(1), after: newest + 1, isReplay: true).changes.map(\.change.archive)
                    == [archive(3)])
            #expect(try await store.newestChanges(of: app(1), limit: 9).changes.map(\.user.low) == [1, 1])
        },
        StoreBehavior("lists an app's newest changes, the oldest of them first") { store async throws in
            #expect(try await store.newestChanges(of: app(1), limit: 5) == AppChangePage(position: 0))
            try await store.register(1...1)
            for number in 1...5 as ClosedRange<UInt64> {
                try await store.add(capture(number, captured: Double(number)))
            }
            let all = try await everything(of: app(1), in: store)
            try await store.register(2...2, of: user(1, app: 2))
            let page = try await store.newestChanges(of: app(1), limit: 3)
            #expect(page.changes == all.suffix(3) && page.position == 7)
            #expect(try await store.newestChanges(of: app(1), limit: 0) == AppChangePage(position: 7))
            #expect(try await store.newestChanges(of: app(1), limit: 9).changes == all)
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
