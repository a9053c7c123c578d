import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// The deletions of administrators, which can be undone.
extension StoreBehavior {
    private static func deleteUndoably(
        _ number: UInt64, in scene: SceneKey = scene(), at seconds: Double = 100, _ store: any Store
    ) async throws -> Bool {
        try await store.delete(archive(number), in: scene, at: at(seconds), isUndoable: true).value
    }

    private static func undelete(
        _ number: UInt64, in scene: SceneKey = scene(), at time: Timestamp = at(200),
        quotas: App.Settings.Quotas = .none, _ store: any Store
    ) async throws -> Undeletion {
        try await store.undelete(archive(number), in: scene, at: time, quotas: quotas).value
    }

    private static func deleted(
        in scene: SceneKey = scene(), at time: Timestamp = at(150), _ store: any Store
    ) async throws -> [UInt64] {
        try await store.deletedArchives(in: scene, at: time).map(\.archive.id.low)
    }

    /// Stores an archive of each number, captured at as many seconds.
    private static func add(_ numbers: ClosedRange<UInt64>, by maker: UInt64 = 1, to store: any Store) async throws {
        for number in numbers { try await store.add(capture(number, by: maker, captured: Double(number))) }
    }

    static let undeletions = [
        StoreBehavior("restores a deleted archive with its screenshot, its outcomes and its servings") {
            store async throws in
            try await store.register(1...2)
            try await add(1...2, to: store)
            _ = try await store.putScreenshot(Screenshot(format: .png, bytes: [1, 2, 3]), for: archive(2), in: scene())
            try await store.recordServing(archive(2), in: scene(), to: device(2), at: at(5))
            var outcome = Outcome(
                archive: archive(2), device: device(2), result: .crashed, context: Context(idiom: .phone),
                reportedAt: at(6))
            #expect(try await store.report(outcome, in: scene()).value == .recorded)
            let history = try await store.history(of: scene(), below: nil, limit: 9)
            let usage = try await store.usage(of: user(1))
            let revision = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 9).latest

            #expect(try await deleteUndoably(2, store))
            #expect(try await store.archive(archive(2), in: scene()) == .deleted)
            #expect(try await store.history() == [1])
            #expect(try await store.screenshot(for: archive(2), in: scene()) == nil)
            #expect(try await store.outcomes(of: archive(2), in: scene()).isEmpty)
            #expect(try await store.report(outcome, in: scene()).value == .noArchive)
            let one = bytes(1).count
            #expect(try await store.usage(of: user(1)) == Usage(bytes: one, archives: 1, devices: 2))
            #expect(try await store.usage(of: app(1)) == Usage(bytes: one, archives: 1, devices: 2, users: 1))
            let upload = try await store.put(capture(2, captured: 2), retention: 20).value
            #expect(upload == .deleted(head: history.archives[1].revision))
            #expect(
                try await store.deletedArchives(in: scene(), at: at(150)) == [
                    DeletedArchive(archive: history.archives[0], deletedAt: at(100))
                ])
            #expect(try await deleted(in: scene(of: user(2)), store).isEmpty)

            let committed = try await store.undelete(archive(2), in: scene(), at: at(200), quotas: .none)
            #expect(committed.value == .restored && committed.invalidations.news == [user(1)])
            #expect(try await store.history(of: scene(), below: nil, limit: 9) == history)
            #expect(try await store.bytes(of: history.archives[0]) == bytes(2))
            #expect(try await store.usage(of: user(1)) == usage)
            #expect(try await store.screenshot(for: archive(2), in: scene())?.bytes == [1, 2, 3])
            #expect(try await store.outcomes(of: archive(2), in: scene()) == [outcome])
            outcome.reportedAt = at(201)
            #expect(try await store.report(outcome, in: scene()).value == .recorded)
            let changes = try await store.changes(of: user(1), after: revision, limit: 9).changes
            #expect(changes.map(\.kind) == [.archiveDeleted, .archiveStored, .outcomeReported])
            #expect(changes[1].archive == archive(2) && changes[1].scene == "main" && changes[1].at == at(200))
            #expect(try await deleted(store).isEmpty)
            let again = try await store.put(capture(2, captured: 2), retention: 20).value
            #expect(again == .identical(history.archives[0], head: history.archives[0].revision))
            #expect(try await undelete(2, store) == .nothing)
        },
        StoreBehavior("restores a deleted archive at its own position") { store async throws in
            try await store.register(1...1)
            try await add(1...3, to: store)
            for number in [2, 3] as [UInt64] { #expect(try await deleteUndoably(number, store)) }
            #expect(try await deleted(store) == [3, 2])
            #expect(try await undelete(2, store) == .restored)
            #expect(try await store.history() == [2, 1])
            try await add(4...4, to: store)
            #expect(try await undelete(3, store) == .restored)
            #expect(try await store.history() == [4, 3, 2, 1])
        },
        StoreBehavior("forgets a deletion that was undone") { store async throws in
            try await store.register(1...1)
            try await add(1...1, to: store)
            #expect(try await deleteUndoably(1, store))
            #expect(try await undelete(1, store) == .restored)
            // Retention drops the archive. Its device has not missed a deletion, so it may store the archive again.
            for number in [2, 3] as [UInt64] {
                try await store.add(capture(number, captured: Double(number)), retention: 1)
            }
            #expect(try await store.archive(archive(1), in: scene()) == .none)
            try await store.add(capture(1, captured: 1), retention: 1)
        },
        StoreBehavior("makes the archive the head again if it is the newest") { store async throws in
            try await store.register(1...1)
            try await add(1...2, to: store)
            let head = try await store.head(of: scene())
            #expect(try await deleteUndoably(2, store))
            #expect(try await store.head(of: scene()) != head)
            #expect(try await undelete(2, store) == .restored)
            #expect(try await store.head(of: scene()) == head)
        },
        StoreBehavior("undoes nothing for an unknown archive, and after a final deletion") { store async throws in
            try await store.register(1...1)
            try await add(1...2, to: store)
            #expect(try await undelete(1, store) == .nothing, "the archive is stored")
            #expect(try await undelete(9, store) == .nothing)
            #expect(try await undelete(1, in: scene("editor"), store) == .nothing)
            #expect(try await undelete(1, in: scene(of: user(9)), store) == .nothing)
            #expect(try await !deleteUndoably(9, store))
            #expect(try await store.delete(archive(1), in: scene(), at: at(100)).value)
            #expect(try await undelete(1, store) == .nothing)
            // The person deletes an archive that an administrator deleted before.
            #expect(try await deleteUndoably(2, store))
            #expect(try await !store.delete(archive(2), in: scene(), at: at(110)).value)
            #expect(try await deleted(store).isEmpty)
            #expect(try await undelete(2, store) == .nothing)
            #expect(try await store.archive(archive(2), in: scene()) == .deleted)
        },
        StoreBehavior("can undo a deletion for thirty days") { store async throws in
            try await store.register(1...1)
            try await add(1...3, to: store)
            for number in [1, 2] as [UInt64] { #expect(try await deleteUndoably(number, at: 0, store)) }
            let end = at(30 * 86_400)
            try await store.prune(at: end)
            #expect(try await deleted(at: end, store) == [2, 1])
            #expect(try await undelete(1, at: end, store) == .restored)
            let late = end + .milliseconds(1)
            #expect(try await deleted(at: late, store).isEmpty)
            #expect(try await undelete(2, at: late, store) == .nothing)
            try await store.prune(at: late)
            #expect(try await deleted(at: end, store).isEmpty)
            #expect(try await undelete(2, at: end, store) == .nothing)
            #expect(try await store.history() == [3, 1])
        },
        StoreBehavior("ends the deletions of a forgotten scene") { store async throws in
            try await store.register(1...1)
            try await add(1...2, to: store)
            try await store.add(capture(3, in: scene("editor"), captured: 3))
            #expect(try await deleteUndoably(1, store))
            #expect(try await deleteUndoably(3, in: scene("editor"), store))
            _ = try await store.forget(scene(), at: at(120))
            #expect(try await deleted(store).isEmpty)
            #expect(try await undelete(1, store) == .forgotten)
            #expect(try await undelete(9, store) == .nothing)
            #expect(try await undelete(3, in: scene("editor"), store) == .restored)
            // An archive that was deleted for ever after the forgetting.
            try await store.add(capture(4, captured: 130))
            #expect(try await store.delete(archive(4), in: scene(), at: at(140)).value)
            #expect(try await undelete(4, store) == .nothing)
        },
        StoreBehavior("refuses to undo a deletion beyond a quota, and keeps the archive") { store async throws in
            try await store.register(1...1)
            try await add(1...2, to: store)
            _ = try await store.putScreenshot(Screenshot(format: .png, bytes: [1, 2, 3]), for: archive(1), in: scene())
            let used = try await store.usage(of: user(1)).bytes
            #expect(try await deleteUndoably(1, store))
            var quotas = App.Settings.Quotas.none
            quotas.userBytes = used - 1
            let excess = QuotaExcess(.userBytes, limit: used - 1, used: bytes(2).count)
            #expect(try await undelete(1, quotas: quotas, store) == .quotaExceeded(excess))
            quotas = .none
            quotas.userArchives = 1
            #expect(
                try await undelete(1, quotas: quotas, store)
                    == .quotaExceeded(QuotaExcess(.userArchives, limit: 1, used: 1)))
            #expect(try await store.history() == [2])
            quotas.userArchives = 2
            quotas.userBytes = used
            #expect(try await undelete(1, quotas: quotas, store) == .restored)
        },
        StoreBehavior("refuses to undo a deletion beyond the maximum number of scenes") { store async throws in
            try await store.register(1...1)
            try await store.add(capture(1, captured: 1))
            #expect(try await deleteUndoably(1, store))
            var quotas = App.Settings.Quotas.none
            quotas.userScenes = 8
            for number in 1...8 as ClosedRange<UInt64> {
                try await store.add(capture(number, in: scene("s\(number)"), captured: 2))
            }
            #expect(try await undelete(1, quotas: quotas, store) == .tooManyScenes)
            _ = try await store.delete(archive(7), in: scene("s7"), at: at(110))
            #expect(try await undelete(1, quotas: quotas, store) == .restored)
        },
        StoreBehavior("does not count deleted archives for retention") { store async throws in
            try await store.register(1...1)
            try await add(1...3, to: store)
            for number in [2, 3] as [UInt64] { #expect(try await deleteUndoably(number, store)) }
            try await store.add(capture(4, captured: 4, received: 120), retention: 2)
            #expect(try await store.history() == [4, 1])
            try await store.add(capture(5, captured: 7, received: 120), retention: 2)
            #expect(try await store.history() == [5, 4])
            #expect(try await deleted(store) == [3, 2])
            #expect(try await undelete(3, store) == .restored)
            #expect(try await store.history() == [5, 4, 3])
        },
        StoreBehavior("keeps the newest deletions of a scene") { store async throws in
            try await store.register(1...1)
            let count = UInt64(Retention.deletedArchives)
            for number in 1...count + 2 {
                try await store.add(capture(number, captured: Double(number)))
                #expect(try await deleteUndoably(number, at: Double(200 + number), store))
            }
            #expect(try await deleted(at: at(900), store) == (3...count + 2).reversed())
            #expect(try await undelete(2, at: at(900), store) == .nothing)
            #expect(try await undelete(3, at: at(900), store) == .restored)
        },
        StoreBehavior("ends the deletions of a moved device's archives") { store async throws in
            try await store.register(1...1)
            try await store.register(2...3, of: user(2))
            let source = scene(of: user(2))
            for (number, maker) in [(1, 2), (2, 2), (3, 3), (4, 3)] as [(UInt64, UInt64)] {
                try await store.add(capture(number, in: source, by: maker, captured: Double(number)))
            }
            for number in [2, 3] as [UInt64] { #expect(try await deleteUndoably(number, in: source, store)) }
            for number in [7, 8] as [UInt64] {
                try await store.create(LinkCode(digest: digest(number), owner: user(1), expiresAt: at(600)))
            }
            _ = try await store.move(device(2), of: user(2), linkCode: digest(7), at: at(110), retention: 20)
            #expect(try await deleted(in: source, store) == [3])
            #expect(try await undelete(2, in: source, store) == .nothing)
            // The last device of a user takes all archives along.
            try await store.add(capture(5, in: source, by: 3, captured: 5))
            _ = try await store.revoke(device(3), of: user(2), at: at(120))
            try await store.register(4...4, of: user(2))
            _ = try await store.move(device(4), of: user(2), linkCode: digest(8), at: at(130), retention: 20)
            #expect(try await deleted(in: source, store).isEmpty)
            #expect(try await undelete(3, in: source, store) == .nothing)
            #expect(try await deleted(store).isEmpty)
        },
        StoreBehavior("keeps the deletions of a device's user who signs in") { store async throws in
            try await store.register(1...1)
            try await add(1...1, to: store)
            #expect(try await deleteUndoably(1, store))
            let account = Account(digest: digest(70), newUser: user(9).user) { _ in [1] }
            let joining = try await store.signIn(device(1), of: user(1), to: account, at: at(110), retention: 20).value
            #expect(joining.device?.owner == user(1))
            #expect(try await undelete(1, store) == .restored)
        },
        StoreBehavior("keeps the items of a revoked device whose archive can be undeleted") { store async throws in
            try await store.register(1...2)
            try await add(1...1, by: 2, to: store)
            _ = try await store.apply(delta([(1, [7], 0)]), to: list, of: device(2), limit: 10)
            #expect(try await deleteUndoably(1, store))
            _ = try await store.revoke(device(2), of: user(1), at: at(110))
            try await store.prune(at: at(30 * 86_400))
            #expect(try await store.registries(of: list).map(\.device) == [device(2)])
            try await store.prune(at: at(30 * 86_400 + 101))
            #expect(try await store.registries(of: list).isEmpty)
        },
        StoreBehavior("ends the deletions of an erased user, and of a user without devices") { store async throws in
            for owner in [user(1), user(2)] {
                try await store.register(owner.user.low...owner.user.low, of: owner)
                try await store.add(capture(1, in: scene(of: owner), by: owner.user.low, captured: 1))
                #expect(try await deleteUndoably(1, in: scene(of: owner), store))
            }
            #expect(try await store.erase(user(1)).value)
            #expect(try await deleted(store).isEmpty)
            #expect(try await undelete(1, store) == .nothing)
            #expect(try await deleted(in: scene(of: user(2)), store) == [1])
            _ = try await store.revoke(device(2), of: user(2), at: at(100))
            try await store.prune(at: at(100) + Retention.usersWithoutDevices + .milliseconds(1))
            #expect(try await store.facts(of: user(2)) == nil)
            #expect(try await deleted(in: scene(of: user(2)), store).isEmpty)
        },
    ]
}
