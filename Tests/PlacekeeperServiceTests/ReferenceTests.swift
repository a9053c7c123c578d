import PlacekeeperArchive
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService
import Testing

/// The references of a served archive.
@Suite struct ReferenceTests {
    typealias Step = ModelReference.Step

    @Test func areServedUnchangedToTheirDevice() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        let bytes = try await fixture.upload([.to("p1")], by: fixture.phone)
        guard case .served(let served, let own) = try await fixture.latest(for: fixture.phone) else {
            return #expect(Bool(false))
        }
        #expect(own == bytes)
        #expect(served.references == [.exact: 1])
    }

    @Test func areRewrittenWithIdentifiersOfRequestingDevice() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), Item("p2", aliases: ["b"]), on: fixture.phone)
        // The identifiers collide: the phone's p1 is the pad's p2.
        try await fixture.register(Item("p2", aliases: ["a"]), Item("p1", aliases: ["b"]), on: fixture.pad)
        let bytes = try await fixture.upload([.to("p1"), .to("p2", role: .firstVisible)], by: fixture.phone)
        guard case .served(let served, let rewritten) = try await fixture.latest(for: fixture.pad) else {
            return #expect(Bool(false))
        }
        #expect(served.references == [.alias: 2])
        let archive = try StateArchive(reading: rewritten)
        #expect(archive.references.map(\.element.identifier) == ["p2", "p1"])
        #expect(archive.references.map(\.resolution?.step) == [.alias, .alias])
        // A string in the app's own state is unchanged, even if it equals an identifier.
        #expect(archive.application == (try StateArchive(reading: bytes)).application)
    }

    @Test func stayPendingUntilRequestingDeviceRegistersItem() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        _ = try await fixture.upload([.to("p1", aliases: ["a"], role: .firstVisible, after: ["p2"])], by: fixture.phone)
        var reference = try await fixture.references(for: fixture.pad)[0]
        #expect(reference.element == .init(nil, aliases: ["a"]))
        #expect(reference.resolution?.step == .pending)
        try await fixture.register(Item("q7", aliases: ["a"]), on: fixture.pad)
        reference = try await fixture.references(for: fixture.pad)[0]
        #expect(reference.element == .init("q7", aliases: ["a"]))
        #expect(reference.resolution == .init(step: .alias, confidence: 0.997))
    }

    /// A device could find a wrong item by an ambiguous alias, so the service marks such an alias.
    @Test func markAmbiguousAliases() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a", "b"]), Item("p2", aliases: ["b"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["b"]), on: fixture.pad)
        var reference = ModelReference.to("p1", aliases: ["a", "b"])
        reference.before = [.init("p2", aliases: ["b"])]
        let bytes = try await fixture.upload([reference], by: fixture.phone)
        let served = try await fixture.references(for: fixture.pad)[0]
        #expect(served.element == .init(nil, aliases: ["a"], sharedAliases: ["b"]))
        #expect(served.before == [.init(nil, sharedAliases: ["b"])])
        #expect(served.resolution?.step == .pending)
        guard case .served(_, let own) = try await fixture.latest(for: fixture.phone) else {
            return #expect(Bool(false))
        }
        #expect(own == bytes)
    }

    @Test func omitAliasesOfItemsDecidedDifferent() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a", "b"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        _ = try await fixture.upload([.to("p1", aliases: ["a", "b"])], by: fixture.phone)
        func decide(_ identifier: String) async throws {
            try await fixture.service.lists.decide(
                .different, .init(device: fixture.phone.device.id, identifier: "p1"),
                .init(device: fixture.pad.device.id, identifier: identifier), note: "a copy",
                in: ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list))
        }
        #expect(try await fixture.references(for: fixture.pad)[0].element == .init("q1", aliases: ["a", "b"]))
        try await decide("q1")
        #expect(try await fixture.references(for: fixture.pad)[0].element == .init(nil, aliases: ["b"]))
        // The item `q9` is not registered and may have any of the aliases, so the service omits all aliases.
        try await decide("q9")
        #expect(try await fixture.references(for: fixture.pad)[0].element == .init(nil))
    }

    /// Until the app has loaded the selected item, an alias of the item that was not selected would lead the device to
    /// that item.
    @Test func omitAliasesOfItemsThatWereNotSelected() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a", "b", "c"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a", "b"]), Item("r1", aliases: ["c"]), on: fixture.pad)
        _ = try await fixture.upload([.to("p1", aliases: ["a", "b", "c"])], by: fixture.phone)
        let served = try await fixture.references(for: fixture.pad)[0]
        #expect(served.element == .init("q1", aliases: ["a", "b"]))
        #expect(served.resolution?.isAmbiguous == true)
    }

    /// The entity tag covers the served bytes, so it changes only if the identifiers in these bytes change.
    @Test func changeEntityTagOnlyWithServedIdentity() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        let pending = try #require(try await fixture.latest(for: fixture.pad).served?.version)
        try await fixture.register(Item("q7", aliases: ["a"]), on: fixture.pad)
        guard case .served(let served, _) = try await fixture.latest(for: fixture.pad, isHeld: { $0 == pending }) else {
            return #expect(Bool(false))
        }
        #expect(served.version != pending)
        try await fixture.register(Item("q8", aliases: ["z"]), on: fixture.pad)
        guard case .notModified = try await fixture.latest(for: fixture.pad, isHeld: { $0 == served.version }) else {
            return #expect(Bool(false))
        }
    }

    /// Equivalent aliases are one alias, so each item shares one alias with the reference. Of two such items, the item
    /// that was registered later is selected.
    @Test(arguments: ["caf\u{E9}", "cafe\u{301}"]) func countEquivalentAliasesOnce(_ other: String) async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("q1", aliases: ["caf\u{E9}"]), on: fixture.pad)
        try await fixture.register(Item("q2", aliases: ["b"]), on: fixture.pad)
        _ = try await fixture.upload([.to(nil, aliases: ["caf\u{E9}", other, "b"])], by: fixture.phone)
        let reference = try await fixture.references(for: fixture.pad)[0]
        #expect(reference.element.identifier == "q2")
        #expect(reference.resolution?.isAmbiguous == true)
    }

    @Test func keepIndexPathInFixedList() async throws {
        let fixture = try await IdentityFixture()
        let reference = ModelReference(
            dataSource: IdentityFixture.list, element: .init(nil), role: .selected, indexPath: [0, 4])
        let bytes = try await fixture.upload([reference], by: fixture.phone)
        guard case .served(let served, let own) = try await fixture.latest(for: fixture.pad) else {
            return #expect(Bool(false))
        }
        #expect(own == bytes)
        #expect(served.references == [.indexPath: 1])
    }

    @Test(arguments: [DataSource.Scope.shared, .keyed]) func stayUnchangedInSharedAndKeyedDataSources(
        _ scope: DataSource.Scope
    ) async throws {
        let fixture = try await IdentityFixture(DataSource(scope: scope))
        let bytes = try await fixture.upload([.to("p1")], by: fixture.phone)
        guard case .served(let served, let same) = try await fixture.latest(for: fixture.pad) else {
            return #expect(Bool(false))
        }
        #expect(same == bytes)
        #expect(served.references == nil)
    }

    @Test func stayUnchangedIfDataSourceIsNotDeclared() async throws {
        let fixture = try await IdentityFixture()
        let reference = ModelReference(dataSource: "books", element: .init("b1"), role: .selected)
        let bytes = try await fixture.upload([reference], by: fixture.phone)
        guard case .served(_, let same) = try await fixture.latest(for: fixture.pad) else {
            return #expect(Bool(false))
        }
        #expect(same == bytes)
    }

    /// The memory for other devices' items does not grow with the number of references. Repeated references cause no
    /// further lookups.
    @Test func areLookedUpOnceEachInLimitedBatches() async throws {
        let store = FaultyStore()
        let fixture = try await IdentityFixture(store: store.intercepted)
        let names = (0..<Limits.batch + 200).map { "p\($0)" }
        for (prefix, principal) in [("", fixture.phone), ("q", fixture.pad)] {
            let items = names.map { Item(prefix + $0, aliases: ["of " + $0]) }
            _ = try await fixture.service.lists.apply(
                ItemDelta(upserts: items), to: IdentityFixture.list, for: principal)
        }
        let references = names.map { ModelReference.to($0, before: [names[0], names[1]]) }
        _ = try await fixture.upload(references + references, by: fixture.phone)
        guard case .served(_, let bytes) = try await fixture.latest(for: fixture.pad) else {
            return #expect(Bool(false))
        }
        let served = try StateArchive(reading: bytes, limits: .init(maximumByteCount: 4 << 20)).references
        #expect(served.map(\.element.identifier) == (names + names).map { "q" + $0 })
        #expect(served.allSatisfy { $0.before.map(\.identifier) == ["qp0", "qp1"] })
        #expect(store.asked("items(_:in:)").largest == Limits.batch)
        // Each alias needs two lookups: one for the alias, and one for the texts of the found item. A batch thus has
        // half as many aliases.
        #expect(store.asked("textsOfSoleItems(withAliases:in:)").largest == Limits.batch / 2)
        #expect(store.asked("items(_:in:)").total == names.count)
    }

    /// The two references with the ambiguous alias are in different batches of the search.
    @Test func markAmbiguousAliasOfDistantReferences() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("q", aliases: ["default"]), on: fixture.pad)
        let others = (0..<Limits.batch).map { ModelReference.to("p\($0)") }
        _ = try await fixture.upload(
            [.to("first", aliases: ["default"])] + others + [.to("last", aliases: ["default"])], by: fixture.phone)
        let served = try await fixture.references(for: fixture.pad)
        #expect(served.first?.element == .init(nil, sharedAliases: ["default"]))
        #expect(served.last?.element == .init(nil, sharedAliases: ["default"]))
    }

    /// No device can register an item with these aliases, so the service omits them for other devices.
    @Test func omitInvalidAndExcessAliases() async throws {
        let fixture = try await IdentityFixture()
        let most = (0..<Limits.aliases).map { "a\($0)" }
        let long = String(repeating: "l", count: Limits.alias + 1)
        try await fixture.register(Item("q1", aliases: ["beyond"]), on: fixture.pad)
        let bytes = try await fixture.upload([.to("p1", aliases: [long] + most + ["beyond"])], by: fixture.phone)
        let served = try await fixture.references(for: fixture.pad)[0]
        #expect(served.element == .init(nil, aliases: most))
        #expect(served.resolution?.step == .pending)
        guard case .served(_, let own) = try await fixture.latest(for: fixture.phone) else {
            return #expect(Bool(false))
        }
        #expect(own == bytes)
    }

    /// References are left unresolved when the rewritten archive would be too large.
    @Test func stayUnresolvedBeyondSizeLimitOfArchive() async throws {
        let fixture = try await IdentityFixture()
        let long = String(repeating: "q", count: 500)
        for start in stride(from: 0, to: 4000, by: 1000) {
            let numbers = start..<start + 1000
            let ours = numbers.map { Item("p\($0)", aliases: ["a\($0)"]) }
            let theirs = numbers.map { Item("\($0)" + long, aliases: ["a\($0)"]) }
            _ = try await fixture.service.lists.apply(
                ItemDelta(upserts: ours), to: IdentityFixture.list, for: fixture.phone)
            _ = try await fixture.service.lists.apply(
                ItemDelta(upserts: theirs), to: IdentityFixture.list, for: fixture.pad)
        }
        _ = try await fixture.upload((0..<4000).map { .to("p\($0)") }, by: fixture.phone)
        guard case .served(let served, let bytes) = try await fixture.latest(for: fixture.pad) else {
            return #expect(Bool(false))
        }
        #expect(bytes.count < 4 << 20)
        #expect((served.references?[.alias] ?? 0) > 1000)
        #expect((served.references?[.unresolved] ?? 0) > 0)
    }

    /// Several references may share objects in an uploaded archive. In the rewritten archive, each reference has its
    /// own objects, so the rewritten archive may be much larger.
    @Test func countWrittenBytesForSizeLimitIfFileSharesObjects() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q", aliases: ["a"]), on: fixture.pad)
        var builder = KeyedArchiveBuilder()
        func dictionary(_ entries: [(String, KeyedArchiveBuilder.UID)]) -> KeyedArchiveBuilder.UID {
            builder.addDictionary(keys: entries.map { builder.add($0.0) }, values: entries.map(\.1))
        }
        let element = dictionary([("identifier", builder.add("p"))])
        let side = builder.addArray([KeyedArchiveBuilder.UID](repeating: element, count: 8))
        let reference = dictionary([
            ("dataSource", builder.add(IdentityFixture.list)), ("identifier", builder.add("p")),
            ("role", builder.add("selected")), ("before", side), ("after", side),
        ])
        let count = 3000
        builder.setTop(
            builder.addArray([KeyedArchiveBuilder.UID](repeating: reference, count: count)),
            forKey: "Placekeeper.references")
        builder.setTop(builder.add(1 as Int64), forKey: "Placekeeper.formatVersion")
        // The size of an archive limits the work of its reader, so the archive must be large enough for this many
        // references.
        builder.setTop(builder.add([UInt8](repeating: 0, count: 900_000)), forKey: "filler")
        let bytes = builder.finish()
        var upload = Upload(id: ArchiveID(high: 0, low: 1), scene: "main", bytes: bytes)
        upload.idiom = .phone
        _ = try await fixture.service.archives.store(upload, for: fixture.phone)
        guard case .served(let served, let rewritten) = try await fixture.latest(for: fixture.pad) else {
            return #expect(Bool(false))
        }
        let found = try #require(served.references?[.alias])
        #expect(found > 500)
        #expect(served.references == [.alias: found, .unresolved: count - found])
        #expect(rewritten.count < bytes.count + Limits.rewritten + 100_000)
        #expect(rewritten.count < 4 << 20)
        let read = try StateArchive(reading: rewritten, limits: .init(maximumByteCount: 4 << 20)).references
        #expect(read[found - 1].after.last == .init("q"))
        #expect(read.last?.element == .init(nil))
    }
}
