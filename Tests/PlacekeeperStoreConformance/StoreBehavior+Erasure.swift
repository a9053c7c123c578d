import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    /// Stores data of each kind for user 1 (devices 1 and 2) and for user 2 (device 3).
    static func fill(_ store: any Store) async throws {
        try await store.create(makeApp(1))
        try await store.register(1...2)
        try await store.register(3...3, of: user(2))
        for (owner, maker) in [(user(1), 1), (user(2), 3)] as [(UserKey, UInt64)] {
            for number in 0..<3 as Range<UInt64> {
                let new = capture(
                    10 * maker + number, in: scene(number == 2 ? "editor" : "main", of: owner), by: maker,
                    captured: Double(number))
                try await store.add(new)
            }
            let id = archive(10 * maker)
            let main = scene(of: owner)
            _ = try await store.putScreenshot(Screenshot(format: .png, bytes: [1, 2, 3]), for: id, in: main)
            try await store.recordServing(id, in: main, to: device(maker), at: at(5))
            let outcome = Outcome(
                archive: id, device: device(maker), result: .began, context: Context(idiom: .phone), reportedAt: at(6))
            _ = try await store.report(outcome, in: main)
            _ = try await store.delete(archive(10 * maker + 1), in: main, at: at(7))
            let list = ItemList(owner: owner, dataSource: "photos")
            _ = try await store.apply(
                delta([(1, [7], 0), (2, [7], 1)]), to: list, of: device(maker), limit: 10)
            let ends = [1, 2].map { number in
                Link.End(device: device(number), key: LookupKey(rawValue: Int64(number)), texts: [9])
            }
            _ = try await store.decide(Link(ends[0], ends[1], .same, note: "same", at: at(8)), in: list)
            try await store.create(LinkCode(digest: digest(100 + maker), owner: owner, expiresAt: at(6000)))
            try await store.log([
                .answer(makeAnswer(9, of: owner, device: maker)), .report(makeReport(9, of: owner, device: maker)),
            ])
        }
    }

    /// Returns everything that the reading methods return for a user.
    static func contents(
        of owner: UserKey, device maker: UInt64, in store: any Store
    ) async throws -> [String: AnyHashable] {
        var parts: [String: AnyHashable] = [:]
        parts["account"] = try await store.facts(of: owner)
        parts["accounts"] = try await store.facts(after: nil, limit: 10).filter { $0.owner == owner }
        parts["user"] = try await store.users(of: owner.app, after: nil, limit: 10).filter { $0.user == owner.user }
            .map { [$0.archiveCount, $0.bytes, $0.deviceCount, Int($0.lastSeenAt?.milliseconds ?? 0)] }
        parts["devices"] = try await store.devices(of: owner)
        parts["device"] = try await store.device(token: digest(maker))?.value
        let page = try await store.changes(of: owner, after: Revision(rawValue: 0), limit: 100)
        parts["changes"] = page.changes
        parts["revision"] = page.latest
        parts["heads"] = try await store.heads(of: owner, below: nil, limit: 100)
        parts["scenes"] = try await store.sceneHeads(of: owner, behind: nil, limit: 100)
        parts["log"] = try await usersInLog(store).filter { $0 == owner }
        parts["latest time"] = try await store.latestTime(of: owner)
        for name in ["main", "editor"] {
            let key = SceneKey(owner: owner, name: name)
            parts["history of \(name)"] = try await store.history(of: key, below: nil, limit: 100)
            for number in 10 * maker..<10 * maker + 3 {
                parts["archive \(number) in \(name)"] = try await store.archive(archive(number), in: key)
                parts["outcomes of \(number) in \(name)"] = try await store.outcomes(of: archive(number), in: key)
                parts["screenshot of \(number) in \(name)"] = try await store.screenshot(for: archive(number), in: key)
            }
        }
        let list = ItemList(owner: owner, dataSource: "photos")
        parts["decisions"] = try await store.links(in: list)
        let registries = try await store.registries(of: list)
        parts["registrations"] = registries
        for registry in registries {
            parts["items"] = ranked(try await store.items(above: nil, in: registry, limit: 10))
            parts["ambiguous"] = try await store.ambiguousAliases(above: nil, in: registry, limit: 10)
        }
        return parts
    }
}

extension StoreBehavior {
    /// Returns the items with their ranks in place of their ordinals. Only the order of ordinals has a meaning.
    private static func ranked(_ items: [StoredItem]) -> [StoredItem] {
        let ordinals = items.map(\.ordinal).sorted()
        return items.map { item in
            var item = item
            item.ordinal = Int64(ordinals.firstIndex(of: item.ordinal) ?? 0)
            return item
        }
    }

    static let erasure = [
        StoreBehavior("leaves nothing of an erased user, and everything of other users") { store async throws in
            let nothing = try await contents(of: user(1), device: 1, in: store)
            try await fill(store)
            let before = try await contents(of: user(2), device: 3, in: store)
            #expect(try await contents(of: user(1), device: 1, in: store) != nothing)
            #expect(try await store.erase(user(1)).value)
            #expect(try await contents(of: user(1), device: 1, in: store) == nothing)
            #expect(try await contents(of: user(2), device: 3, in: store) == before)
            #expect(try await store.app(.id(app(1))) != nil)
            let joining = makeDevice(4, of: user(3))
            let code = try await store.register(joining, token: digest(4), linkCode: digest(101)).value
            #expect(code == .codeInvalid)
        },
        StoreBehavior("raises the versions of an erased user, and returns false if there is no such user") {
            store async throws in
            try await fill(store)
            let before = try await store.userVersion(of: user(1))
            let erased = try await store.erase(user(1))
            #expect(erased.value && erased.invalidations.news == [user(1)])
            let after = try await store.userVersion(of: user(1))
            #expect(after.version > before.version && after.access > before.access)
            let again = try await store.erase(user(1))
            #expect(!again.value && again.invalidations == .none)
            #expect(try await store.userVersion(of: user(1)) == after)
        },
        // These requests were authenticated before the erasure.
        StoreBehavior("does not bring back an erased user by a write that comes late") { store async throws in
            try await fill(store)
            _ = try await store.erase(user(1))
            var upload = capture(10, captured: 1)
            upload.actor = device(1)
            #expect(try await store.put(upload, retention: 20).value == .actorGone)
            let outcome = Outcome(
                archive: archive(10), device: device(1), result: .began, context: Context(idiom: .phone),
                reportedAt: at(6))
            #expect(try await store.report(outcome, in: scene()).value == .noArchive)
            try await store.recordServing(archive(10), in: scene(), to: device(1), at: at(9))
            try await store.recordSeen([user(1): [device(1): at(9)]])
            #expect(try await !store.revoke(device(1), of: user(1), at: at(9)).value)
            #expect(try await !store.delete(archive(10), in: scene(), at: at(9)).value)
            #expect(
                try await store.apply(delta([(1, [7], nil)]), to: list, of: device(1), limit: 10).value == .actorGone)
            let code = LinkCode(digest: digest(300), owner: user(1), expiresAt: at(6000))
            try await expectUserGone { try await store.create(code) }
            try await expectUserGone { _ = try await store.forget(scene(), at: at(9)) }
            try await store.log([.answer(makeAnswer(9)), .report(makeReport(9, .restored))])
            #expect(try await !usersInLog(store).contains(user(1)))
            let ends = [1, 2].map { Link.End(device: device($0), key: LookupKey(rawValue: 1), texts: []) }
            try await expectUserGone {
                _ = try await store.decide(Link(ends[0], ends[1], .same, note: "", at: at(9)), in: list)
            }
            #expect(try await !store.removeDecision(ends[0], ends[1], in: list).value)
            #expect(try await store.facts(of: user(1)) == nil)
            #expect(try await store.users(of: app(1), after: nil, limit: 10).map(\.user) == [user(2).user])
        },
        StoreBehavior("erases several users, and nothing of others") { store async throws in
            try await fill(store)
            let others = (3...20 as ClosedRange<UInt64>).map { user($0) }
            for owner in others {
                try await store.makeUser(owner)
                for number in 0..<12 as Range<UInt64> {
                    let id = 1000 * owner.user.low + number
                    try await store.add(capture(id, in: scene(of: owner), by: 1000 + owner.user.low, captured: 1))
                }
            }
            let before = try await contents(of: user(2), device: 3, in: store)
            _ = try await store.erase([user(1), user(99)] + others)
            #expect(try await store.facts(after: nil, limit: 100).map(\.owner) == [user(2)])
            #expect(try await contents(of: user(2), device: 3, in: store) == before)
            #expect(try await store.usage(of: app(1)).archives == store.usage(of: user(2)).archives)
            #expect(try await store.usage(of: app(1)).devices == 1)
        },
        StoreBehavior("returns all users in pages, ordered by app and user") { store async throws in
            let owners = [user(1), user(2), user(3), user(1, app: 2)]
            for (number, owner) in owners.enumerated() {
                try await store.register(UInt64(number)...UInt64(number), of: owner)
            }
            var found: [UserKey] = []
            while true {
                let page = try await store.facts(after: found.last, limit: 3)
                if page.isEmpty { break }
                found += page.map(\.owner)
            }
            #expect(found == owners)
        },
        // Pruning keeps only the newest change of the store, which belongs to the erased user. A store must not assign
        // the numbers of pruned changes again.
        StoreBehavior("keeps the change logs of users apart after an erasure") { store async throws in
            try await fill(store)
            try await store.add(capture(50, by: 1, captured: 20))
            try await store.prune(at: at(40 * 86_400))
            _ = try await store.erase(user(1))
            try await store.makeUser(user(3))
            for number in 0..<40 {
                _ = try await store.forget(scene(of: user(3)), at: at(41 * 86_400 + Double(number)))
            }
            let before = try await store.changes(of: user(2), after: Revision(rawValue: 0), limit: 100)
            #expect(before.changes.isEmpty)
            try await store.add(capture(60, in: scene(of: user(2)), by: 3, captured: 42 * 86_400))
            let after = try await store.changes(of: user(2), after: before.latest, limit: 100)
            #expect(after.changes.map(\.archive) == [archive(60)])
        },
    ]

    private static func expectUserGone(_ write: () async throws -> Void) async throws {
        do {
            try await write()
            Issue.record("The write succeeded.")
        } catch let error as StoreError {
            #expect(error.code == .userGone)
        }
    }
}
