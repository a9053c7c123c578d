import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import PlacekeeperTestSupport
import Testing

extension StoreBehavior {
    /// Returns the records that an import of a user's data needs.
    static func records(of owner: UserKey, in store: any Store) async throws -> [ImportedRecord] {
        var records: [ImportedRecord] = []
        for scene in try await store.scenes(of: owner, after: nil, limit: 100) {
            records.append(.scene(name: scene.name, forgotten: scene.forgotten))
            let key = SceneKey(owner: owner, name: scene.name)
            for archive in try await store.history(of: key, below: nil, limit: 100).archives {
                records.append(
                    .archive(
                        ExportedArchive(
                            archive: archive, bytes: try #require(try await store.bytes(of: archive)),
                            screenshot: try await store.screenshot(for: archive.id, in: key),
                            outcomes: try await store.outcomes(of: archive.id, in: key))))
            }
        }
        let page = try await store.changes(of: owner, after: Revision(rawValue: 0), limit: 100)
        records += page.changes.map { .change($0) }
        for name in try await store.dataSources(of: owner, after: nil, limit: 10) {
            let list = ItemList(owner: owner, dataSource: name)
            for registry in try await store.registries(of: list) {
                var items = ImportedItems(
                    dataSource: name, device: registry.device, cursor: registry.state.cursor)
                let listed = try await store.items(after: nil, in: registry, limit: 100)
                for (listed, texts) in zip(listed, try await store.texts(of: listed.map(\.item), in: registry)) {
                    let texts = try #require(texts)
                    items.items.append(
                        ImportedItems.Item(
                            item: listed.item, removedAt: listed.removedAt, texts: texts,
                            digest: try delta().digest(listed.item, texts)))
                }
                records.append(.items(items))
            }
        }
        return records
    }

    private static func imported(_ owner: UserKey, revision: Int64 = 20) -> ImportedUser {
        ImportedUser(
            owner: owner, createdAt: at(1000), revision: Revision(rawValue: revision),
            prunedThrough: Revision(rawValue: 0))
    }

    private static func account(_ number: UInt64) -> Account {
        Account(digest: digest(500 + number), newUser: user(number).user) { _ in [1, 2, 3] }
    }

    static let imports = [
        StoreBehavior("imports the order of captures of the same time") { store async throws in
            try await store.register(1...1)
            let source = try await store.add(capture(9, by: 2, captured: 50))
            for (id, sequence) in [(1, 1), (4, 4), (3, 3), (2, 2)] as [(UInt64, Int64)] {
                try await store.add(capture(id, captured: 90, sequence: sequence))
            }
            try await store.add(capture(5, captured: 100, sequence: 5, restoredFrom: source.revision))
            let before = try await store.history(of: scene(), below: nil, limit: 10)
            let records = try await records(of: user(1), in: store)
            _ = try await store.erase(user(1))
            #expect(try await store.begin(imported(user(1))).value)
            for record in records { #expect(try await store.add([record], to: user(1)).value) }
            #expect(try await store.history(of: scene(), below: nil, limit: 10) == before)
            #expect(before.archives.map(\.id.low) == [4, 3, 2, 1, 9, 5])
        },
        StoreBehavior("imports a user with everything that it lists for the user") { store async throws in
            try await fill(store)
            _ = try await store.forget(scene("old"), at: at(30))
            let change = delta([(3, [8], nil)], removals: [1], redirects: [(2, 3)])
            _ = try await store.apply(change, to: list, of: device(1), limit: 10)
            let before = try await contents(of: user(1), device: 1, in: store)
            let others = try await contents(of: user(2), device: 3, in: store)
            let scenes = try await store.scenes(of: user(1), after: nil, limit: 10)
            let registry = try #require(try await store.registries(of: list).first)
            let items = try await store.items(after: nil, in: registry, limit: 10)
            let records = try await records(of: user(1), in: store)
            let devices = try await store.devices(of: user(1))
            let links = try await store.links(in: list)
            let latest = try #require(before["revision"] as? Revision)
            _ = try await store.erase(user(1))

            #expect(try await store.begin(imported(user(1), revision: latest.rawValue)).value)
            for record in records { #expect(try await store.add([record], to: user(1)).value) }
            for link in links { #expect(try await store.decide(link, in: list).value) }
            let end = try await store.end(importOf: user(1), devices: devices, account: nil)
            #expect(end.value == .done && end.invalidations.access == [user(1)])

            let after = try await contents(of: user(1), device: 1, in: store)
            // The tombstone of a deleted archive, the devices' tokens and the restore log are not imported.
            let isKept: (String) -> Bool = { part in
                !["account", "accounts", "device", "latest time", "archive 11 in main", "log"].contains(part)
            }
            for part in before.keys where isKept(part) { #expect(after[part] == before[part], "\(part)") }
            #expect(after["device"] == AnyHashable?.none)
            #expect(try await store.facts(of: user(1))?.createdAt == at(1000))
            #expect(try await store.latestTime(of: user(1)) == at(1000))
            #expect(try await store.scenes(of: user(1), after: nil, limit: 10) == scenes)
            let again = try #require(try await store.registries(of: list).first)
            #expect(again == registry)
            let listed = try await store.items(after: nil, in: again, limit: 10)
            #expect(
                listed.map(\.item.key) == items.map(\.item.key) && listed.map(\.removedAt) == items.map(\.removedAt))
            #expect(listed.map(\.item.presence) == items.map(\.item.presence))
            #expect(try await contents(of: user(2), device: 3, in: store) == others)
        },
        StoreBehavior("continues an imported user with greater revisions, and keeps its forgotten scenes") {
            store async throws in
            try await store.create(makeApp(1))
            #expect(try await store.begin(imported(user(1), revision: 7)).value)
            let forgotten = CaptureOrder.Forgotten(at: at(50), revision: Revision(rawValue: 6))
            _ = try await store.add([.scene(name: "main", forgotten: forgotten)], to: user(1))
            _ = try await store.end(importOf: user(1), devices: [makeDevice(1)], account: nil)
            #expect(
                try await store.put(capture(1, captured: 49, received: 1000), retention: 20).value
                    == .forgotten(head: nil))
            let archive = try await store.add(capture(2, captured: 51, received: 1000))
            #expect(archive.revision == Revision(rawValue: 8))
            #expect(try await store.changes(of: user(1), after: Revision(rawValue: 0), limit: 10).changes.count == 1)
        },
        StoreBehavior("refuses to import a user that exists") { store async throws in
            try await fill(store)
            let before = try await contents(of: user(1), device: 1, in: store)
            let begun = try await store.begin(imported(user(1)))
            #expect(!begun.value && begun.invalidations == .none)
            #expect(try await contents(of: user(1), device: 1, in: store) == before)
        },
        StoreBehavior("ends no import with another user's device or account") { store async throws in
            try await store.create(makeApp(1))
            try await store.register(3...3, of: user(2))
            _ = try await store.begin(imported(user(1)))
            let device = makeDevice(3)
            let taken = try await store.end(importOf: user(1), devices: [makeDevice(4), device], account: nil)
            #expect(taken.value == .deviceTaken(device.id))
            #expect(try await store.devices(of: user(1)).isEmpty)
            #expect(try await store.end(importOf: user(1), devices: [], account: account(1)).value == .done)
            #expect(try await store.userID(ofSubject: account(1).digest, in: app(1)) == user(1).user)
            #expect(try await store.sealedSubject(of: user(1)) == [1, 2, 3])
            _ = try await store.begin(imported(user(4)))
            let account = try await store.end(importOf: user(4), devices: [makeDevice(5)], account: account(1))
            #expect(account.value == .accountTaken)
            #expect(try await store.devices(of: user(4)).isEmpty)
        },
        StoreBehavior("refuses an imported item that is registered already") { store async throws in
            _ = try await store.begin(imported(user(1)))
            let stored = StoredItem(
                ordinal: 0, key: LookupKey(rawValue: 1), aliases: [], position: nil, changedAt: at(1), presence: .live)
            let item = ImportedItems.Item(item: stored, removedAt: nil, texts: [1], digest: ItemDigest())
            let items = ImportedItems(dataSource: "photos", device: device(1), cursor: 1, items: [item])
            #expect(try await store.add([.items(items)], to: user(1)).value)
            #expect(try await !store.add([.items(items)], to: user(1)).value)
        },
        StoreBehavior("adds no imported data to a user that does not exist") { store async throws in
            for write in [
                { _ = try await store.add([.scene(name: "main", forgotten: nil)], to: user(1)) },
                { _ = try await store.end(importOf: user(1), devices: [], account: nil) },
            ] as [() async throws -> Void] {
                do {
                    try await write()
                    Issue.record("The write succeeded.")
                } catch let error as StoreError {
                    #expect(error.code == .userGone)
                }
            }
            #expect(try await store.facts(of: user(1)) == nil)
        },
        StoreBehavior("lists scenes, data sources and items in pages") { store async throws in
            try await fill(store)
            #expect(try await store.scenes(of: user(1), after: nil, limit: 1).map(\.name) == ["editor"])
            let main = try await store.scenes(of: user(1), after: "editor", limit: 5)
            #expect(main.map(\.name) == ["main"] && main[0].archiveCount == 1)
            #expect(main[0].archiveBytes == bytes(10).count && main[0].forgotten == nil)
            #expect(try await store.scenes(of: user(1), after: "main", limit: 5).isEmpty)
            let albums = ItemList(owner: user(1), dataSource: "albums")
            _ = try await store.apply(delta([(9, [], nil)]), to: albums, of: device(2), limit: 10)
            #expect(try await store.dataSources(of: user(1), after: nil, limit: 1) == ["albums"])
            #expect(try await store.dataSources(of: user(1), after: "albums", limit: 9) == ["photos"])
            let registry = try #require(try await store.registries(of: list).first)
            let first = try await store.items(after: nil, in: registry, limit: 1)
            #expect(first.map(\.item.key.rawValue) == [1])
            let second = try await store.items(after: first[0].item.ordinal, in: registry, limit: 5)
            #expect(second.map(\.item.key.rawValue) == [2])
        },
    ]
}
