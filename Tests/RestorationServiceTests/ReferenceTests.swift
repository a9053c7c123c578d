import KeyedArchive
import RestorationService
import Testing

/// An archive's references as another device is served them.
@Suite struct ReferenceTests {
    private typealias Step = ModelReference.Step

    @Test func areServedByteForByteToTheDeviceThatMadeThem() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"]), on: bench.phone)
        let bytes = try await bench.upload([.to("p1")], by: bench.phone)
        guard case .served(let served, let own) = try await bench.latest(for: bench.phone) else {
            return #expect(Bool(false))
        }
        #expect(own == bytes)
        #expect(served.references == [.exact: 1])
    }

    @Test func areCalledAsTheAskingDeviceCallsThem() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"]), Item("p2", aliases: ["b"]), on: bench.phone)
        // Identifiers that collide: p1 there is p2 here.
        try await bench.register(Item("p2", aliases: ["a"]), Item("p1", aliases: ["b"]), on: bench.pad)
        let bytes = try await bench.upload([.to("p1"), .to("p2", role: .firstVisible)], by: bench.phone)
        guard case .served(let served, let rewritten) = try await bench.latest(for: bench.pad) else {
            return #expect(Bool(false))
        }
        #expect(served.references == [.alias: 2])
        let archive = try StateArchive(reading: rewritten)
        #expect(archive.references.map(\.element.identifier) == ["p2", "p1"])
        #expect(archive.references.map(\.resolution?.step) == [.alias, .alias])
        // A text of the app's that is an identifier by chance stays.
        #expect(archive.application == (try StateArchive(reading: bytes)).application)
    }

    @Test func waitForWhatTheAskingDeviceHasNotYet() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"]), on: bench.phone)
        _ = try await bench.upload([.to("p1", aliases: ["a"], role: .firstVisible, after: ["p2"])], by: bench.phone)
        var reference = try await bench.references(for: bench.pad)[0]
        #expect(reference.element == .init(nil, aliases: ["a"]))
        #expect(reference.resolution?.step == .pending)
        try await bench.register(Item("q7", aliases: ["a"]), on: bench.pad)
        reference = try await bench.references(for: bench.pad)[0]
        #expect(reference.element == .init("q7", aliases: ["a"]))
        #expect(reference.resolution == .init(step: .alias, confidence: 0.95))
    }

    /// A device that had them would find by them what they are no evidence for.
    @Test func leaveOutAliasesThatAreNoEvidence() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a", "b"]), Item("p2", aliases: ["b"]), on: bench.phone)
        try await bench.register(Item("q1", aliases: ["b"]), on: bench.pad)
        var reference = ModelReference.to("p1", aliases: ["a", "b"])
        reference.before = [.init("p2", aliases: ["b"])]
        let bytes = try await bench.upload([reference], by: bench.phone)
        let served = try await bench.references(for: bench.pad)[0]
        #expect(served.element == .init(nil, aliases: ["a"]))
        #expect(served.before == [.init(nil)])
        #expect(served.resolution?.step == .pending)
        guard case .served(_, let own) = try await bench.latest(for: bench.phone) else { return #expect(Bool(false)) }
        #expect(own == bytes)
    }

    @Test func leaveOutAliasesOfWhatWasDecidedToBeAnother() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a", "b"]), on: bench.phone)
        try await bench.register(Item("q1", aliases: ["a"]), on: bench.pad)
        _ = try await bench.upload([.to("p1", aliases: ["a", "b"])], by: bench.phone)
        func decide(_ identifier: String) async throws {
            try await bench.service.decide(
                .different, .init(device: bench.phone.device.id, identifier: "p1"),
                .init(device: bench.pad.device.id, identifier: identifier), note: "a copy",
                in: ItemList(owner: bench.phone.owner, dataSource: IdentityBench.list))
        }
        #expect(try await bench.references(for: bench.pad)[0].element == .init("q1", aliases: ["a", "b"]))
        try await decide("q1")
        #expect(try await bench.references(for: bench.pad)[0].element == .init(nil, aliases: ["b"]))
        // What is not registered may bear any.
        try await decide("q9")
        #expect(try await bench.references(for: bench.pad)[0].element == .init(nil))
    }

    /// Until what was found is there, the device would take the other for it.
    @Test func leaveOutAliasesOfAnotherThanWhatWasFound() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a", "b", "c"]), on: bench.phone)
        try await bench.register(Item("q1", aliases: ["a", "b"]), Item("r1", aliases: ["c"]), on: bench.pad)
        _ = try await bench.upload([.to("p1", aliases: ["a", "b", "c"])], by: bench.phone)
        let served = try await bench.references(for: bench.pad)[0]
        #expect(served.element == .init("q1", aliases: ["a", "b"]))
        #expect(served.resolution?.isAmbiguous == true)
    }

    /// The tag is of what is served: it changes with an identity that matters, and with none that does not.
    @Test func changeTheEntityTagWhenOnlyAnIdentityChanges() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"]), on: bench.phone)
        _ = try await bench.upload([.to("p1")], by: bench.phone)
        let pending = try #require(try await bench.latest(for: bench.pad).served?.entityTag)
        try await bench.register(Item("q7", aliases: ["a"]), on: bench.pad)
        guard case .served(let served, _) = try await bench.latest(for: bench.pad, isHeld: { $0 == pending }) else {
            return #expect(Bool(false))
        }
        #expect(served.entityTag != pending)
        try await bench.register(Item("q8", aliases: ["z"]), on: bench.pad)
        guard case .notModified = try await bench.latest(for: bench.pad, isHeld: { $0 == served.entityTag }) else {
            return #expect(Bool(false))
        }
    }

    @Test func fallBackToTheNearestNeighbourOfTheArchive() async throws {
        let bench = try await IdentityBench()
        for (name, alias) in [("p1", "a"), ("p2", "b"), ("p3", "c")] {
            try await bench.register(Item(name, aliases: [alias]), on: bench.phone)
            try await bench.register(Item("q" + name, aliases: [alias]), on: bench.pad)
        }
        try await bench.register(removals: ["qp2"], on: bench.pad)
        _ = try await bench.upload(
            [
                .to("p2", role: .firstVisible, before: ["p1"], after: ["p3"]),
                .to("p2", role: .selected, before: ["p1"], after: ["p3"]),
            ], by: bench.phone)
        let references = try await bench.references(for: bench.pad)
        #expect(references[0].element.identifier == "qp3")
        #expect(references[0].resolution?.step == .neighbour)
        #expect(references[0].before.map(\.identifier) == ["qp1"])
        #expect(references[1].element.identifier == nil)
        #expect(references[1].resolution?.step == .unresolved)
    }

    @Test func selectANeighbourOnlyWhereTheDataSourceSaysSo() async throws {
        let bench = try await IdentityBench(DataSource(scope: .registered, selectsNeighbours: true))
        try await bench.register(Item("p1", aliases: ["a"]), Item("p2", aliases: ["b"]), on: bench.phone)
        try await bench.register(Item("q1", aliases: ["a"]), Item("q2", aliases: ["b"]), on: bench.pad)
        try await bench.register(removals: ["q2"], on: bench.pad)
        _ = try await bench.upload([.to("p2", before: ["p1"])], by: bench.phone)
        #expect(try await bench.references(for: bench.pad)[0].element.identifier == "q1")
    }

    @Test func fallBackToTheNearestByTheAskersOwnPositions() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p2", aliases: ["b"]), on: bench.phone)
        try await bench.register(
            Item("q1", aliases: ["a"], position: 10), Item("q2", aliases: ["b"], position: 20),
            Item("q3", aliases: ["c"], position: 40), on: bench.pad)
        try await bench.register(removals: ["q2"], on: bench.pad)
        _ = try await bench.upload([.to("p2", role: .firstVisible)], by: bench.phone)
        #expect(try await bench.references(for: bench.pad)[0].element.identifier == "q3")
    }

    /// As where a device counts its items anew whenever one goes.
    @Test func fallBackToWhatHasTheirPositionByNow() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p2", aliases: ["b"]), on: bench.phone)
        let names = ["q1", "q2", "q3", "q4"]
        let items = zip(names, ["a", "b", "c", "d"]).enumerated().map { position, item in
            Item(item.0, aliases: [item.1], position: Int64(position))
        }
        for item in items { try await bench.register(item, on: bench.pad) }
        try await bench.register(
            Item("q3", aliases: ["c"], position: 1), Item("q4", aliases: ["d"], position: 2), removals: ["q2"],
            on: bench.pad)
        _ = try await bench.upload([.to("p2", role: .firstVisible)], by: bench.phone)
        #expect(try await bench.references(for: bench.pad)[0].element.identifier == "q3")
        try await bench.register(removals: ["q1", "q3", "q4"], on: bench.pad)
        try await bench.register(Item("q4", aliases: ["d"], position: 1), on: bench.pad)
        #expect(try await bench.references(for: bench.pad)[0].element.identifier == "q4")
    }

    @Test func fallBackToTheNearestByTheSourcesPositions() async throws {
        let bench = try await IdentityBench()
        try await bench.register(
            Item("p0", aliases: ["z"], position: 0), Item("p1", aliases: ["a"], position: 1),
            Item("p2", aliases: ["b"], position: 2), Item("p3", aliases: ["c"], position: 3), on: bench.phone)
        try await bench.register(Item("q0", aliases: ["z"]), Item("q2", aliases: ["b"]), on: bench.pad)
        try await bench.register(removals: ["q2"], on: bench.pad)
        _ = try await bench.upload([.to("p2", role: .firstVisible)], by: bench.phone)
        #expect(try await bench.references(for: bench.pad)[0].element.identifier == "q0")
    }

    /// An interface shows few lists: what an archive can make the service search is bounded, however many lists it names and
    /// however often it refers to an element.
    @Test func areGivenANeighbourByPositionForAsManyElementsAsAnInterfaceShowsLists() async throws {
        let store = FaultyStore()
        var bench = try await IdentityBench(store: store)
        let lists = ["albums", IdentityBench.list]
        _ = try await bench.service.declare(DataSource(scope: .registered), named: lists[0], for: bench.phone)
        let app = try await bench.service.app(.id(bench.phone.app.id))
        bench.pad = Caller(app: app, device: bench.pad.device)
        bench.phone = Caller(app: app, device: bench.phone.device)
        let items = (0..<Limits.neighbourSearches / 2 + 3).map { number in
            Item("p\(number)", aliases: ["a\(number)"], position: Int64(number))
        }
        var references: [ModelReference] = []
        for list in lists {
            _ = try await bench.service.apply(ItemDelta(upserts: items), to: list, for: bench.phone)
            let left = Item("r", aliases: ["r"], position: 1000)
            _ = try await bench.service.apply(ItemDelta(upserts: items + [left]), to: list, for: bench.pad)
            _ = try await bench.service.apply(
                ItemDelta(removals: items.map(\.identifier)), to: list, for: bench.pad)
            references += (items + items).map { item in
                ModelReference(dataSource: list, element: .init(item.identifier), role: .firstVisible)
            }
        }
        _ = try await bench.upload(references, by: bench.phone)
        let served = try #require(try await bench.latest(for: bench.pad).served)
        #expect(served.references == [.neighbour: 2 * Limits.neighbourSearches, .unresolved: 12])
        // On both sides of each.
        #expect(store.askedPositions.withLock(\.self) == 2 * Limits.neighbourSearches)
    }

    /// What two elements of an archive share is no evidence for what stood beside a third.
    @Test func areGivenNoNeighbourByWhatOthersOfTheArchiveShare() async throws {
        let bench = try await IdentityBench()
        try await bench.register(
            Item("n1", aliases: ["b"], position: 1), Item("gone", aliases: ["g"], position: 2),
            Item("n3", aliases: ["x"], position: 3), on: bench.phone)
        try await bench.register(
            Item("q1", aliases: ["b"]), Item("q2", aliases: ["g"]), Item("q3", aliases: ["x"]), on: bench.pad)
        try await bench.register(removals: ["q2"], on: bench.pad)
        let gone = ModelReference.to("gone", role: .firstVisible)
        _ = try await bench.upload([gone], by: bench.phone)
        #expect(try await bench.references(for: bench.pad)[0].element.identifier == "q3")
        let sharing = ["s1", "s2"].map { ModelReference.to($0, aliases: ["x"]) }
        _ = try await bench.upload([gone] + sharing, by: bench.phone, number: 2)
        #expect(try await bench.references(for: bench.pad)[0].element.identifier == "q1")
    }

    /// Of two that share as much with it, the one that was registered later is taken.
    @Test(arguments: ["caf\u{E9}", "cafe\u{301}"]) func countAnAliasOnceHoweverItIsSpelled(_ other: String) async throws
    {
        let bench = try await IdentityBench()
        try await bench.register(Item("q1", aliases: ["caf\u{E9}"]), on: bench.pad)
        try await bench.register(Item("q2", aliases: ["b"]), on: bench.pad)
        _ = try await bench.upload([.to(nil, aliases: ["caf\u{E9}", other, "b"])], by: bench.phone)
        let reference = try await bench.references(for: bench.pad)[0]
        #expect(reference.element.identifier == "q2")
        #expect(reference.resolution?.isAmbiguous == true)
    }

    @Test func keepTheirPlaceInAListThatNeverChanges() async throws {
        let bench = try await IdentityBench()
        let reference = ModelReference(
            dataSource: IdentityBench.list, element: .init(nil), role: .selected, indexPath: [0, 4])
        let bytes = try await bench.upload([reference], by: bench.phone)
        guard case .served(let served, let own) = try await bench.latest(for: bench.pad) else {
            return #expect(Bool(false))
        }
        #expect(own == bytes)
        #expect(served.references == [.indexPath: 1])
    }

    @Test(arguments: [DataSource.Scope.shared, .keyed]) func stayWhereTheyMeanTheSameEverywhere(
        _ scope: DataSource.Scope
    ) async throws {
        let bench = try await IdentityBench(DataSource(scope: scope))
        let bytes = try await bench.upload([.to("p1")], by: bench.phone)
        guard case .served(let served, let same) = try await bench.latest(for: bench.pad) else {
            return #expect(Bool(false))
        }
        #expect(same == bytes)
        #expect(served.references == nil)
    }

    @Test func stayWhereTheirDataSourceIsNotDeclared() async throws {
        let bench = try await IdentityBench()
        let reference = ModelReference(dataSource: "books", element: .init("b1"), role: .selected)
        let bytes = try await bench.upload([reference], by: bench.phone)
        guard case .served(_, let same) = try await bench.latest(for: bench.pad) else { return #expect(Bool(false)) }
        #expect(same == bytes)
    }

    /// What is held of others' items at a time does not rise with how many an archive names, nor what is asked for with how
    /// often it does.
    @Test func areLookedForOnceEachAndFewAtATime() async throws {
        let store = FaultyStore()
        let bench = try await IdentityBench(store: store)
        let names = (0..<Limits.evidenceAtOnce + 200).map { "p\($0)" }
        for (prefix, caller) in [("", bench.phone), ("q", bench.pad)] {
            let items = names.map { Item(prefix + $0, aliases: ["of " + $0]) }
            _ = try await bench.service.apply(ItemDelta(upserts: items), to: IdentityBench.list, for: caller)
        }
        let references = names.map { ModelReference.to($0, before: [names[0], names[1]]) }
        _ = try await bench.upload(references + references, by: bench.phone)
        guard case .served(_, let bytes) = try await bench.latest(for: bench.pad) else { return #expect(Bool(false)) }
        let served = try StateArchive(reading: bytes, limits: .init(maximumByteCount: 4 << 20)).references
        #expect(served.map(\.element.identifier) == (names + names).map { "q" + $0 })
        #expect(served.allSatisfy { $0.before.map(\.identifier) == ["qp0", "qp1"] })
        #expect(store.largestQuestion.withLock(\.items) == Limits.evidenceAtOnce)
        #expect(store.askedItems.withLock(\.self) == names.count)
    }

    /// Two that lie far apart in an archive share an alias all the same.
    @Test func shareAnAliasThatIsNoEvidenceHoweverFarApart() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("q", aliases: ["default"]), on: bench.pad)
        let others = (0..<Limits.evidenceAtOnce).map { ModelReference.to("p\($0)") }
        _ = try await bench.upload(
            [.to("first", aliases: ["default"])] + others + [.to("last", aliases: ["default"])], by: bench.phone)
        let served = try await bench.references(for: bench.pad)
        #expect(served.first?.element == .init(nil))
        #expect(served.last?.element == .init(nil))
    }

    /// No item may have such, so that nobody could have registered them.
    @Test func leaveOutAliasesThatNoItemMayHave() async throws {
        let bench = try await IdentityBench()
        let most = (0..<Limits.aliases).map { "a\($0)" }
        let long = String(repeating: "l", count: Limits.alias + 1)
        try await bench.register(Item("q1", aliases: ["beyond"]), on: bench.pad)
        let bytes = try await bench.upload([.to("p1", aliases: [long] + most + ["beyond"])], by: bench.phone)
        let served = try await bench.references(for: bench.pad)[0]
        #expect(served.element == .init(nil, aliases: most))
        #expect(served.resolution?.step == .pending)
        guard case .served(_, let own) = try await bench.latest(for: bench.phone) else { return #expect(Bool(false)) }
        #expect(own == bytes)
    }

    /// What grows beyond all measure is left unresolved rather than served.
    @Test func areNotRewrittenIntoMoreThanADeviceReads() async throws {
        let bench = try await IdentityBench()
        let long = String(repeating: "q", count: 500)
        for start in stride(from: 0, to: 4000, by: 1000) {
            let numbers = start..<start + 1000
            let ours = numbers.map { Item("p\($0)", aliases: ["a\($0)"]) }
            let theirs = numbers.map { Item("\($0)" + long, aliases: ["a\($0)"]) }
            _ = try await bench.service.apply(ItemDelta(upserts: ours), to: IdentityBench.list, for: bench.phone)
            _ = try await bench.service.apply(ItemDelta(upserts: theirs), to: IdentityBench.list, for: bench.pad)
        }
        _ = try await bench.upload((0..<4000).map { .to("p\($0)") }, by: bench.phone)
        guard case .served(let served, let bytes) = try await bench.latest(for: bench.pad) else {
            return #expect(Bool(false))
        }
        #expect(bytes.count < 4 << 20)
        #expect((served.references?[.alias] ?? 0) > 1000)
        #expect((served.references?[.unresolved] ?? 0) > 0)
    }

    /// A file may share its elements among many references: each is rewritten with elements of its own.
    @Test func growByWhatIsWrittenAndNotByWhatIsShared() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p", aliases: ["a"]), on: bench.phone)
        try await bench.register(Item("q", aliases: ["a"]), on: bench.pad)
        var builder = KeyedArchiveBuilder()
        func dictionary(_ entries: [(String, KeyedArchiveBuilder.UID)]) -> KeyedArchiveBuilder.UID {
            builder.addDictionary(keys: entries.map { builder.add($0.0) }, values: entries.map(\.1))
        }
        let element = dictionary([("identifier", builder.add("p"))])
        let side = builder.addArray([KeyedArchiveBuilder.UID](repeating: element, count: 8))
        let reference = dictionary([
            ("dataSource", builder.add(IdentityBench.list)), ("identifier", builder.add("p")),
            ("role", builder.add("selected")), ("before", side), ("after", side),
        ])
        let count = 3000
        builder.setTop(
            builder.addArray([KeyedArchiveBuilder.UID](repeating: reference, count: count)),
            forKey: "Placekeeper.references")
        builder.setTop(builder.add(1 as Int64), forKey: "Placekeeper.formatVersion")
        // A reader's work is bounded by the file's size.
        builder.setTop(builder.add([UInt8](repeating: 0, count: 900_000)), forKey: "filler")
        let bytes = builder.finish()
        var upload = Upload(id: ArchiveID(high: 0, low: 1), scene: "main", bytes: bytes)
        upload.idiom = .phone
        _ = try await bench.service.store(upload, for: bench.phone)
        guard case .served(let served, let rewritten) = try await bench.latest(for: bench.pad) else {
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
