import PlacekeeperArchive
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperMatching
@testable import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// The rules of identity, one by one. The tests against the oracle cover random histories.
@Suite struct IdentityTests {
    @Test func joinsItemsThatShareAnAlias() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        let found = try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad)
        #expect(found.identifier == "q1" && found.step == .alias && !found.isAmbiguous)
    }

    /// A migration in the app may give all rows the same default key. An alias with this key does not join the rows to
    /// one item.
    @Test func ignoresAmbiguousAlias() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item("p1", aliases: ["default"]), Item("p2", aliases: ["default"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["default"]), on: fixture.pad)
        #expect(try await fixture.resolve("q1", of: fixture.pad, for: fixture.phone).step == .pending)
        let list = ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list)
        let ambiguousAliases = try await fixture.service.lists.ambiguousAliases(in: list, limit: 10)
        #expect(ambiguousAliases.map(\.alias) == ["default"])
        #expect(Set(ambiguousAliases[0].identifiers) == ["p1", "p2"])
        // The alias is evidence again when only one item of the device has it.
        try await fixture.register(Item("p2", aliases: ["b"]), on: fixture.phone)
        #expect(try await fixture.resolve("q1", of: fixture.pad, for: fixture.phone).identifier == "p1")
        #expect(try await fixture.service.lists.ambiguousAliases(in: list, limit: 10).isEmpty)
    }

    @Test func followsRedirectsOfSourceDevice() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item("temporary"), Item("p1", aliases: ["a"]), Item("p2", aliases: ["b"]), on: fixture.phone)
        try await fixture.register(Item("q2", aliases: ["b"]), on: fixture.pad)
        try await fixture.redirect("temporary", to: "p1", on: fixture.phone)
        try await fixture.redirect("p1", to: "p2", on: fixture.phone)
        #expect(try await fixture.resolve("temporary", of: fixture.phone, for: fixture.pad).identifier == "q2")
        #expect(try await fixture.resolve("temporary", of: fixture.phone, for: fixture.phone).identifier == "p2")
    }

    /// A device may redirect an identifier that it never registered.
    @Test func followsRedirectOfUnregisteredIdentifier() async throws {
        let fixture = try await IdentityFixture()
        _ = try await fixture.upload([.to("p1", aliases: ["x"])], by: fixture.phone)
        try await fixture.register(Item("p2", aliases: ["b"]), on: fixture.phone)
        try await fixture.register(Item("q2", aliases: ["b"]), on: fixture.pad)
        try await fixture.redirect("p1", to: "p2", on: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "q2")
    }

    @Test func leavesReferencePendingInClassOfMoreThan512Aliases() async throws {
        let fixture = try await IdentityFixture()
        func aliases(_ range: Range<Int>) -> [String] { range.map { "alias-\($0)" } }
        var middle: [Principal] = []
        // Each device's item shares an alias with the item of the device before it.
        for number in 0..<18 {
            middle.append(try await fixture.fixture.join(with: fixture.phone))
            try await fixture.register(
                Item("m\(number)", aliases: aliases(number * 31..<number * 31 + 32)), on: middle[number])
        }
        try await fixture.register(Item("p1", aliases: ["alias-0"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["alias-\(18 * 31)"]), on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .pending)
        try await fixture.register(Item("m9", aliases: ["alias-279", "alias-310"]), on: middle[9])
        try await fixture.register(Item("m4", aliases: ["alias-124", "alias-155"]), on: middle[4])
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q1")
    }

    /// If the requesting device replaced an item by another item, a reference to the first item is resolved to the
    /// other item.
    @Test func followsRedirectsOfRequestingDevice() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), Item("q2"), Item("q3"), on: fixture.pad)
        try await fixture.redirect("q1", to: "q2", on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q2")
        try await fixture.redirect("q2", to: "q3", on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q3")
        // A live item that has the alias is preferred to a replacement.
        try await fixture.register(Item("q4", aliases: ["a"]), on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q4")
        try await fixture.register(removals: ["q3", "q4"], on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .unresolved)
    }

    /// A chain of redirects can grow at its end without limit, but the service follows only 32 redirects.
    @Test func followsAtMost32Redirects() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p0", aliases: ["a"]), on: fixture.phone)
        for number in 1...Limits.redirects + 1 {
            // Only the end of the chain has the alias of the pad's item.
            try await fixture.register(Item("q", aliases: ["z\(number)"]), on: fixture.pad)
            try await fixture.register(Item("p\(number)", aliases: ["z\(number)"]), on: fixture.phone)
            try await fixture.redirect("p\(number - 1)", to: "p\(number)", on: fixture.phone)
            let found = try await fixture.resolve("p0", of: fixture.phone, for: fixture.pad)
            #expect(found.identifier == (number <= Limits.redirects ? "q" : nil))
            #expect(found.step == (number <= Limits.redirects ? .alias : .unresolved))
        }
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q")
        // A chain of 32 redirects cannot grow at its beginning.
        let head = Limits.redirects + 1
        await #expect(throws: ServiceError.self) { try await fixture.redirect("x", to: "p1", on: fixture.phone) }
        try await fixture.redirect("x", to: "p2", on: fixture.phone)
        #expect(try await fixture.resolve("x", of: fixture.phone, for: fixture.pad).identifier == "q")
        #expect(try await fixture.resolve("x", of: fixture.phone, for: fixture.phone).identifier == "p\(head)")
    }

    @Test func leavesReferencePendingInClassOfMoreThan64Items() async throws {
        let fixture = try await IdentityFixture()
        // A chain of 66 items of 66 devices. Each item shares an alias with the next item.
        let service = fixture.service
        for number in 0..<66 {
            let member = try await fixture.fixture.join(with: fixture.phone)
            let item = Item("m\(number)", aliases: ["link\(number)", "link\(number + 1)"])
            _ = try await service.lists.apply(ItemDelta(upserts: [item]), to: IdentityFixture.list, for: member)
        }
        try await fixture.register(Item("first", aliases: ["link0"]), on: fixture.phone)
        try await fixture.register(Item("last", aliases: ["link66"]), on: fixture.pad)
        #expect(try await fixture.resolve("first", of: fixture.phone, for: fixture.pad).step == .pending)
        // An alias that both items have is still evidence, even if the class is too large.
        try await fixture.register(Item("near", aliases: ["link1"]), on: fixture.other)
        try await fixture.register(Item("first", aliases: ["link0", "link1"]), on: fixture.phone)
        #expect(try await fixture.resolve("first", of: fixture.phone, for: fixture.other).identifier == "near")
    }

    /// The memory for other devices' items does not grow with the request, or with the number of items that the search
    /// reaches.
    @Test func limitsAliasesOfOneLookup() async throws {
        let store = FaultyStore()
        let fixture = try await IdentityFixture(store: store.intercepted)
        let numbers = 0..<300
        func items(_ prefix: String, _ aliases: Range<Int>) -> ItemDelta {
            ItemDelta(
                upserts: numbers.map { number in
                    Item("\(prefix)\(number)", aliases: aliases.map { "\(number).\($0)" })
                })
        }
        _ = try await fixture.service.lists.apply(items("p", 0..<1), to: IdentityFixture.list, for: fixture.phone)
        _ = try await fixture.service.lists.apply(items("o", 0..<32), to: IdentityFixture.list, for: fixture.other)
        _ = try await fixture.service.lists.apply(items("q", 31..<32), to: IdentityFixture.list, for: fixture.pad)
        let identifiers = numbers.map { "p\($0)" }
        let found = try await fixture.service.lists.resolve(
            identifiers, of: fixture.phone.device.id, in: IdentityFixture.list, for: fixture.pad)
        #expect(found.map(\.identifier) == numbers.map { "q\($0)" })
        let own = try await fixture.service.lists.resolve(
            identifiers, of: fixture.phone.device.id, in: IdentityFixture.list, for: fixture.phone)
        #expect(own.map(\.identifier) == identifiers)
        #expect(store.asked("items(withAliases:in:)").largest == Limits.batch)
    }

    @Test func returnsResolutionsInRequestedOrder() async throws {
        let fixture = try await IdentityFixture()
        let numbers = 0..<2 * Limits.batch + 7
        let ours = numbers.map { Item("p\($0)", aliases: ["a\($0)"]) }
        // The pad registers only every second item.
        let theirs = numbers.filter { $0 % 2 == 0 }.map { Item("q\($0)", aliases: ["a\($0)"]) }
        _ = try await fixture.service.lists.apply(
            ItemDelta(upserts: ours), to: IdentityFixture.list, for: fixture.phone)
        _ = try await fixture.service.lists.apply(
            ItemDelta(upserts: theirs), to: IdentityFixture.list, for: fixture.pad)
        let found = try await fixture.service.lists.resolve(
            numbers.map { "p\($0)" }, of: fixture.phone.device.id, in: IdentityFixture.list, for: fixture.pad)
        #expect(found.map(\.identifier) == numbers.map { $0 % 2 == 0 ? "q\($0)" : nil })
        #expect(found.map(\.step) == numbers.map { $0 % 2 == 0 ? .alias : .pending })
    }

    /// An explanation lists all items of the class, although resolving stops at the contradiction.
    @Test func leavesReferencePendingIfClassHasTwoItemsOfOneDevice() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a", "b"]), on: fixture.phone)
        try await fixture.register(Item("o1", aliases: ["a"]), Item("o2", aliases: ["b", "c"]), on: fixture.other)
        try await fixture.register(Item("q1", aliases: ["c"]), on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .pending)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        let context = Context(idiom: .phone, bundleVersion: "42")
        let told = try await fixture.service.restores.explainLatest(
            in: "main", of: nil, for: context, principal: fixture.pad
        )
        .references[0]
        #expect(told.contradictions.map { [$0.first.identifier, $0.second.identifier] } == [["o1", "o2"]])
        #expect(told.members.map(\.item.identifier) == ["p1", "o1", "o2", "q1"])
    }

    @Test func prefersDecisionsOverAliases() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), Item("p2"), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), Item("q2"), on: fixture.pad)
        let list = ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list)
        func name(_ identifier: String, _ principal: Principal) -> ItemName {
            .init(device: principal.device.id, identifier: identifier)
        }
        try await fixture.service.lists.decide(
            .same, name("p2", fixture.phone), name("q2", fixture.pad), note: "seen", in: list)
        try await fixture.service.lists.decide(
            .different, name("p1", fixture.phone), name("q1", fixture.pad), note: "a copy", in: list)
        #expect(try await fixture.resolve("p2", of: fixture.phone, for: fixture.pad).identifier == "q2")
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == nil)
        #expect(try await fixture.service.lists.decisions(in: list).map(\.note) == ["seen", "a copy"])
        // The decision still holds when one of the items is removed or replaced.
        try await fixture.register(removals: ["p1"], on: fixture.phone)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .unresolved)
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q3"), on: fixture.pad)
        try await fixture.redirect("q1", to: "q3", on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .pending)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        #expect(
            try await fixture.service.lists.removeDecision(name("q1", fixture.pad), name("p1", fixture.phone), in: list)
        )
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q1")
    }

    /// A decision about an item applies to references to this item, even if another item replaced this item.
    @Test func appliesDecisionsToReplacedItems() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("x", aliases: ["a"]), Item("m"), Item("k"), on: fixture.phone)
        try await fixture.register(Item("p", aliases: ["a"]), Item("n", aliases: ["c"]), on: fixture.pad)
        try await fixture.register(Item("r", aliases: ["c"]), on: fixture.other)
        try await fixture.decide(.different, "x", "p")
        try await fixture.decide(.same, "m", "n")
        try await fixture.register(Item("y", aliases: ["a"]), on: fixture.phone)
        try await fixture.redirect("x", to: "y", on: fixture.phone)
        try await fixture.redirect("m", to: "k", on: fixture.phone)
        var found = try await fixture.resolve("x", of: fixture.phone, for: fixture.pad)
        #expect(found.identifier == nil && found.step == .pending)
        #expect(try await fixture.resolve("y", of: fixture.phone, for: fixture.pad).identifier == "p")
        found = try await fixture.resolve("m", of: fixture.phone, for: fixture.pad)
        #expect(found.identifier == "n" && found.isDecided)
        #expect(try await fixture.resolve("m", of: fixture.phone, for: fixture.other).identifier == "r")
        // If two decisions contradict each other, the service applies the decision that the items are different,
        // because this decision cannot lead to a wrong item.
        try await fixture.decide(.different, "k", "n")
        #expect(try await fixture.resolve("m", of: fixture.phone, for: fixture.pad).identifier == nil)
        #expect(try await fixture.resolve("m", of: fixture.phone, for: fixture.other).identifier == nil)
    }

    /// Even if a contradiction exists, the reference stays pending, because another device has registered the item. The
    /// order of the registrations does not matter.
    @Test(arguments: [false, true]) func isPendingInAnyOrderOfRegistration(_ isPadFirst: Bool) async throws {
        let fixture = try await IdentityFixture()
        func registerOther() async throws { try await fixture.register(Item("r", aliases: ["X"]), on: fixture.other) }
        try await fixture.register(Item("x", aliases: ["X", "Y"]), on: fixture.phone)
        if !isPadFirst { try await registerOther() }
        try await fixture.register(Item("p", aliases: ["X"]), Item("q", aliases: ["Y"]), on: fixture.pad)
        if isPadFirst { try await registerOther() }
        try await fixture.decide(.different, "x", "p")
        try await fixture.decide(.different, "x", "q")
        try await fixture.register(removals: ["x"], on: fixture.phone)
        #expect(try await fixture.resolve("x", of: fixture.phone, for: fixture.pad).step == .pending)
    }

    @Test func resolvesRemovedItemForThirtyDays() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        try await fixture.register(removals: ["p1"], on: fixture.phone)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q1")
        fixture.fixture.clock.advance(.seconds(31 * 86_400))
        try await fixture.service.store.prune(at: fixture.service.clock.now())
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .unresolved)
    }

    /// A redirect to an item that is gone, or whose identifier names another item now, leads nowhere. So the replaced
    /// item counts as removed.
    @Test(arguments: [nil, "y2"])
    func takesAReplacedItemForRemovedIfItsReplacementIsGone(_ nextAlias: String?) async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("x", aliases: ["x"]), Item("y", aliases: ["y"]), on: fixture.phone)
        try await fixture.register(Item("qy", aliases: ["y"]), Item("qy2", aliases: ["y2"]), on: fixture.pad)
        try await fixture.redirect("x", to: "y", on: fixture.phone)
        _ = try await fixture.upload([.to("x", aliases: ["x"]), .to("x")], by: fixture.phone)
        try await fixture.register(removals: ["y"], on: fixture.phone)
        if let nextAlias { try await fixture.register(Item("y", aliases: [nextAlias]), on: fixture.phone) }
        func expect(_ step: ItemResolution.Step, _ identifier: String?) async throws {
            let references = try await fixture.references(for: fixture.pad)
            #expect(references.map(\.resolution?.step.rawValue) == [step.rawValue, step.rawValue])
            #expect(references.map(\.element.identifier) == [identifier, identifier])
            let found = try await fixture.resolve("x", of: fixture.phone, for: fixture.pad)
            #expect(found.step == step && found.identifier == identifier)
        }
        try await expect(.unresolved, nil)
        try await fixture.register(Item("r", aliases: ["x"]), on: fixture.other)
        try await expect(.pending, nil)
        try await fixture.register(Item("q", aliases: ["x"]), on: fixture.pad)
        try await expect(.alias, "q")
    }

    @Test func rejectsSourceDeviceOfAnotherUser() async throws {
        let fixture = try await IdentityFixture()
        let stranger = try await fixture.fixture.join()
        await #expect(throws: ServiceError.self) { try await fixture.resolve("p1", of: stranger, for: fixture.pad) }
    }

    @Test func dropsRegistrationOfDeviceMovedToAnotherUser() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        let stranger = try await fixture.fixture.join()
        let code = try await fixture.service.devices.createLinkCode(for: stranger).code
        _ = try await fixture.service.devices.link(fixture.phone, with: code)
        let moved = Principal(
            app: fixture.phone.app,
            device: Device(
                id: fixture.phone.device.id, owner: stranger.owner, idiom: .phone,
                createdAt: fixture.fixture.clock.now(),
                lastSeenAt: fixture.fixture.clock.now()))
        #expect(
            try await fixture.service.lists.registration(of: IdentityFixture.list, for: moved) == RegistrationState())
    }
}
