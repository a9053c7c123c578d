import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// Times of a clock that was ahead or behind.
extension StoreBehavior {
    private static let day = 86_400.0

    static let clocks = [
        StoreBehavior("drops old changes and scenes although changes of another user are from a clock that was ahead") {
            store async throws in
            try await store.register(1...1)
            try await store.makeUser(user(2))
            let other = scene(of: user(2))
            try await store.add(capture(1, in: other, by: 1002, captured: 2000 * day))
            _ = try await store.forget(other, at: at(2000 * day))
            try await store.add(capture(2, captured: 10))
            _ = try await store.forget(scene(), at: at(20))
            try await store.add(capture(3, in: scene("editor"), captured: 50 * day))
            try await store.prune(at: at(60 * day))
            let page = try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 100)
            #expect(page.isTruncated && page.changes.map(\.kind) == [.archiveStored])
            #expect(try await store.scenes(of: user(1), after: nil, limit: 10).map(\.name) == ["editor"])
            let kept = try await store.changes(of: user(2), after: Revision(rawValue: 1), limit: 100)
            #expect(!kept.isTruncated && kept.changes.first?.kind == .archiveStored)
            // The order of the user's own changes has no gap.
            _ = try await store.delete(archive(3), in: scene("editor"), at: at(61 * day))
            #expect(try await store.changes(of: user(1), after: page.latest, limit: 9).changes.count == 1)
        },
        StoreBehavior("orders work above work that another instance stored with a clock that was ahead") {
            store async throws in
            try await store.register(1...2)
            try await store.add(capture(1, captured: 10_000))
            try await store.add(capture(2, by: 2, captured: 100))
            // How long ago the stored time was is not known, so an age says nothing.
            try await store.add(capture(3, by: 2, captured: 90, received: 110))
            #expect(try await store.history() == [3, 2, 1])
            let stored = try await store.history(of: scene(), below: nil, limit: 9).archives.map(\.capturedAt)
            #expect(stored == [at(10_000), at(10_000), at(10_000)])
            let forgotten = try await store.forget(scene(), at: at(200)).value
            #expect(forgotten == at(10_000))
            // The interaction was after the scene was forgotten.
            try await store.add(capture(5, captured: 228, received: 230))
            #expect(try await store.history() == [5])
            // Two machines' clocks differ by less than a minute.
            let late = try await store.add(capture(6, in: scene("editor"), captured: 9_950))
            #expect(late.capturedAt == at(9_950))
        },
        StoreBehavior("orders new work above work with later times that a device brought") { store async throws in
            try await store.register(1...1)
            _ = try await store.register(makeDevice(9, of: user(9)), token: digest(90), linkCode: nil)
            try await store.add(capture(1, captured: 100))
            try await store.add(capture(9, in: scene(of: user(9)), by: 9, captured: 90_000))
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            _ = try await store.move(device(9), of: user(9), linkCode: digest(7), at: at(110), retention: 20)
            #expect(try await store.history() == [9, 1])
            try await store.add(capture(2, captured: 120))
            #expect(try await store.history() == [2, 9, 1])
        },
        StoreBehavior("keeps a user's changes behind a change from a clock that was ahead") { store async throws in
            try await store.register(1...1)
            try await store.add(capture(1, captured: 10))
            try await store.add(capture(2, captured: 2000 * day))
            try await store.add(capture(3, captured: 20))
            try await store.makeUser(user(2))
            try await store.add(capture(4, in: scene(of: user(2)), by: 1002, captured: 59 * day))
            try await store.prune(at: at(60 * day))
            let page = try await store.changes(of: user(1), after: Revision(rawValue: 2), limit: 100)
            #expect(!page.isTruncated && page.changes.compactMap(\.archive) == [archive(2), archive(3)])
        },
        StoreBehavior("keeps the newer entries of the audit log beside one from a clock that was behind") {
            store async throws in
            func append(at time: Timestamp) async throws {
                try await store.append(
                    AuditEntry(app: app(1), at: time, actor: .user, action: .erased, subject: nil, detail: ""))
            }
            for days in [1000, 3000, 1, 1001] as [Double] { try await append(at: at(days * day)) }
            try await store.prune(at: at(1002 * day))
            let entries = try await store.audit(of: app(1), about: nil, below: nil, limit: 10)
            let times = Set(entries.map(\.at))
            #expect(times.isSuperset(of: [at(1000 * day), at(1001 * day), at(3000 * day)]))
        },
        StoreBehavior("judges a link code by the time of the request, and not by its user's times") {
            store async throws in
            try await store.makeUser(user(1))
            try await store.recordSeen([user(1): [device(1001): at(2 * day)]])
            try await store.create(LinkCode(digest: digest(7), owner: user(1), expiresAt: at(600)))
            try await store.create(LinkCode(digest: digest(8), owner: user(1), expiresAt: at(2 * day)))
            let early = try await store.register(makeDevice(2, of: user(2)), token: digest(2), linkCode: digest(8))
            #expect(early.value == .codeInvalid, "the code is from a clock that was ahead")
            let late = try await store.register(
                makeDevice(3, of: user(3), at: at(600)), token: digest(3), linkCode: digest(7))
            #expect(late.value == .codeInvalid)
            let joined = try await store.register(
                makeDevice(4, of: user(4), at: at(599)), token: digest(4), linkCode: digest(7))
            #expect(joined.value.device?.owner == user(1))
        },
        StoreBehavior("drops the counts of one kind of event after an hour") { store async throws in
            func counter(_ name: String, _ time: Timestamp) -> Counter {
                Counter(hour: time.hour, app: nil, name: name, label: "hour")
            }
            let kept = [counter("upkeep", at(0)), counter("other", at(7200))]
            try await store.add([kept[0]: 1, kept[1]: 1, counter("upkeep", at(7200)): 1])
            try await store.dropCounts(named: "upkeep", after: at(0))
            let counts = try await store.counts(from: at(0), to: at(7200))
            #expect(counts == [kept[0]: 1, kept[1]: 1])
        },
        StoreBehavior("never lowers a user's time of creation") { store async throws in
            let new = NewDevice(makeDevice(1, of: user(1), at: at(2 * day)), token: digest(1))
            _ = try await store.register(new)
            let account = Account(digest: digest(71), newUser: user(9).user) { _ in [1] }
            let joining = try await store.signIn(device(1), of: user(1), to: account, at: at(10), retention: 20).value
            #expect(joining.device?.owner == user(1))
            #expect(try await store.facts(of: user(1))?.createdAt == at(2 * day))
        },
        StoreBehavior("counts the user of an account as created after the account's last erasure") {
            store async throws in
            for (number, erasedAt) in [(1, nil), (2, at(50)), (3, at(90))] as [(UInt64, Timestamp?)] {
                var new = NewDevice(makeDevice(number, of: user(number), at: at(70)), token: digest(number))
                new.joins = .account(
                    Account(digest: digest(70 + number), newUser: user(number).user, erasedAt: erasedAt) { _ in [1] })
                _ = try await store.register(new)
                #expect(try await store.facts(of: user(number))?.createdAt == (number == 3 ? at(90) : at(70)))
            }
        },
    ]
}
