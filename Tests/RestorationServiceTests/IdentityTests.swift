import TestSupport
import Concurrency
import KeyedArchive
import RestorationService
import Testing

/// Which items are one. The oracle covers what chance brings about; these tell the rules one by one.
@Suite struct IdentityTests {
    @Test func joinsItemsThatShareAnAlias() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        let found = try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad)
        #expect(found.identifier == "q1" && found.step == .alias && !found.isAmbiguous)
    }

    /// Freshly migrated rows that all got one default key do not make a library one item.
    @Test func takesAnAliasThatTwoItemsOfADeviceBearForNoEvidence() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item("p1", aliases: ["default"]), Item("p2", aliases: ["default"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["default"]), on: fixture.pad)
        #expect(try await fixture.resolve("q1", of: fixture.pad, for: fixture.phone).step == .pending)
        let list = ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list)
        let ambiguousAliases = try await fixture.service.ambiguousAliases(in: list, limit: 10)
        #expect(ambiguousAliases.map(\.alias) == ["default"])
        #expect(Set(ambiguousAliases[0].identifiers) == ["p1", "p2"])
        // It is evidence again once one item alone bears it.
        try await fixture.register(Item("p2", aliases: ["b"]), on: fixture.phone)
        #expect(try await fixture.resolve("q1", of: fixture.pad, for: fixture.phone).identifier == "p1")
        #expect(try await fixture.service.ambiguousAliases(in: list, limit: 10).isEmpty)
    }

    @Test func followsRedirectsOfTheSource() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item("temporary"), Item("p1", aliases: ["a"]), Item("p2", aliases: ["b"]), on: fixture.phone)
        try await fixture.register(Item("q2", aliases: ["b"]), on: fixture.pad)
        try await fixture.redirect("temporary", to: "p1", on: fixture.phone)
        try await fixture.redirect("p1", to: "p2", on: fixture.phone)
        #expect(try await fixture.resolve("temporary", of: fixture.phone, for: fixture.pad).identifier == "q2")
        #expect(try await fixture.resolve("temporary", of: fixture.phone, for: fixture.phone).identifier == "p2")
    }

    /// A device may never have told of what it replaced.
    @Test func followsARedirectOfWhatWasNeverRegistered() async throws {
        let fixture = try await IdentityFixture()
        _ = try await fixture.upload([.to("p1", aliases: ["x"])], by: fixture.phone)
        try await fixture.register(Item("p2", aliases: ["b"]), on: fixture.phone)
        try await fixture.register(Item("q2", aliases: ["b"]), on: fixture.pad)
        try await fixture.redirect("p1", to: "p2", on: fixture.phone)
        #expect(try await fixture.references(for: fixture.pad)[0].element.identifier == "q2")
    }

    @Test func concludesNothingThroughAClassOfMoreThan512Aliases() async throws {
        let fixture = try await IdentityFixture()
        func aliases(_ range: Range<Int>) -> [String] { range.map { "alias-\($0)" } }
        var middle: [Caller] = []
        // Each device has an item that shares an alias with the one before it.
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

    /// A record that was merged into another on the device that asks is found there under the other's name.
    @Test func followsRedirectsOfTheDeviceThatAsks() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), Item("q2"), Item("q3"), on: fixture.pad)
        try await fixture.redirect("q1", to: "q2", on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q2")
        try await fixture.redirect("q2", to: "q3", on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q3")
        // What bears the alias itself goes first.
        try await fixture.register(Item("q4", aliases: ["a"]), on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q4")
        try await fixture.register(removals: ["q3", "q4"], on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .unresolved)
    }

    /// A chain grows at its end however long it is: what more lead to than are followed is as good as forgotten.
    @Test func followsNoMoreThan32Redirects() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p0", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q", aliases: ["z"]), on: fixture.pad)
        for number in 1...Limits.redirects + 1 {
            try await fixture.register(Item("p\(number)", aliases: ["z"]), on: fixture.phone)
            try await fixture.redirect("p\(number - 1)", to: "p\(number)", on: fixture.phone)
            let found = try await fixture.resolve("p0", of: fixture.phone, for: fixture.pad)
            #expect(found.identifier == (number <= Limits.redirects ? "q" : nil))
            #expect(found.step == (number <= Limits.redirects ? .alias : .unresolved))
        }
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q")
        // At its head it grows no further.
        let head = Limits.redirects + 1
        await #expect(throws: ServiceError.self) { try await fixture.redirect("x", to: "p1", on: fixture.phone) }
        try await fixture.redirect("x", to: "p2", on: fixture.phone)
        #expect(try await fixture.resolve("x", of: fixture.phone, for: fixture.pad).identifier == "q")
        #expect(try await fixture.resolve("x", of: fixture.phone, for: fixture.phone).identifier == "p\(head)")
    }

    @Test func concludesNothingThroughAClassOfMoreThan64() async throws {
        let fixture = try await IdentityFixture()
        // A chain of 65 items over two devices and a third: each shares an alias with the next.
        let service = fixture.service
        for number in 0..<66 {
            let member = try await fixture.fixture.join(with: fixture.phone)
            let item = Item("m\(number)", aliases: ["link\(number)", "link\(number + 1)"])
            _ = try await service.apply(ItemDelta(upserts: [item]), to: IdentityFixture.list, for: member)
        }
        try await fixture.register(Item("first", aliases: ["link0"]), on: fixture.phone)
        try await fixture.register(Item("last", aliases: ["link66"]), on: fixture.pad)
        #expect(try await fixture.resolve("first", of: fixture.phone, for: fixture.pad).step == .pending)
        // What two share themselves counts all the same.
        try await fixture.register(Item("near", aliases: ["link1"]), on: fixture.other)
        try await fixture.register(Item("first", aliases: ["link0", "link1"]), on: fixture.phone)
        #expect(try await fixture.resolve("first", of: fixture.phone, for: fixture.other).identifier == "near")
    }

    /// What is held of others' items at a time does not rise with what is asked for, nor with what that leads to.
    @Test func asksForFewItemsAtATime() async throws {
        let store = FaultyStore()
        let fixture = try await IdentityFixture(store: store.intercepted)
        let numbers = 0..<300
        func items(_ prefix: String, _ aliases: Range<Int>) -> ItemDelta {
            ItemDelta(
                upserts: numbers.map { number in
                    Item("\(prefix)\(number)", aliases: aliases.map { "\(number).\($0)" })
                })
        }
        _ = try await fixture.service.apply(items("p", 0..<1), to: IdentityFixture.list, for: fixture.phone)
        _ = try await fixture.service.apply(items("o", 0..<32), to: IdentityFixture.list, for: fixture.other)
        _ = try await fixture.service.apply(items("q", 31..<32), to: IdentityFixture.list, for: fixture.pad)
        let identifiers = numbers.map { "p\($0)" }
        let found = try await fixture.service.resolve(
            identifiers, of: fixture.phone.device.id, in: IdentityFixture.list, for: fixture.pad)
        #expect(found.map(\.identifier) == numbers.map { "q\($0)" })
        let own = try await fixture.service.resolve(
            identifiers, of: fixture.phone.device.id, in: IdentityFixture.list, for: fixture.phone)
        #expect(own.map(\.identifier) == identifiers)
        #expect(store.asked("items(withAliases:in:)").largest == Limits.aliasesAtOnce)
    }

    @Test func isToldInTheOrderAskedHoweverManyAreAskedFor() async throws {
        let fixture = try await IdentityFixture()
        let numbers = 0..<2 * Limits.subjectsAtOnce + 7
        let ours = numbers.map { Item("p\($0)", aliases: ["a\($0)"]) }
        // Every other one is known to its own device alone.
        let theirs = numbers.filter { $0 % 2 == 0 }.map { Item("q\($0)", aliases: ["a\($0)"]) }
        _ = try await fixture.service.apply(ItemDelta(upserts: ours), to: IdentityFixture.list, for: fixture.phone)
        _ = try await fixture.service.apply(ItemDelta(upserts: theirs), to: IdentityFixture.list, for: fixture.pad)
        let found = try await fixture.service.resolve(
            numbers.map { "p\($0)" }, of: fixture.phone.device.id, in: IdentityFixture.list, for: fixture.pad)
        #expect(found.map(\.identifier) == numbers.map { $0 % 2 == 0 ? "q\($0)" : nil })
        #expect(found.map(\.step) == numbers.map { $0 % 2 == 0 ? .alias : .pending })
    }

    /// What contradicts itself is told whole, though a search for an answer ends at the contradiction.
    @Test func concludesNothingFromTwoItemsOfOneDevice() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a", "b"]), on: fixture.phone)
        try await fixture.register(Item("o1", aliases: ["a"]), Item("o2", aliases: ["b", "c"]), on: fixture.other)
        try await fixture.register(Item("q1", aliases: ["c"]), on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .pending)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        let context = Context(idiom: .phone, bundleVersion: "42")
        let told = try await fixture.service.explainLatest(in: "main", of: nil, for: context, caller: fixture.pad)
            .references[0]
        #expect(told.contradictions.map { [$0.first.identifier, $0.second.identifier] } == [["o1", "o2"]])
        #expect(told.members.map(\.item.identifier) == ["p1", "o1", "o2", "q1"])
    }

    @Test func isDecidedByAnOperatorInTheEnd() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), Item("p2"), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), Item("q2"), on: fixture.pad)
        let list = ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list)
        func name(_ identifier: String, _ caller: Caller) -> ItemName {
            .init(device: caller.device.id, identifier: identifier)
        }
        try await fixture.service.decide(
            .same, name("p2", fixture.phone), name("q2", fixture.pad), note: "seen", in: list)
        try await fixture.service.decide(
            .different, name("p1", fixture.phone), name("q1", fixture.pad), note: "a copy", in: list)
        #expect(try await fixture.resolve("p2", of: fixture.phone, for: fixture.pad).identifier == "q2")
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == nil)
        #expect(try await fixture.service.decisions(in: list).map(\.note) == ["seen", "a copy"])
        // Nor does it become the other one when either is gone or replaced.
        try await fixture.register(removals: ["p1"], on: fixture.phone)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .unresolved)
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q3"), on: fixture.pad)
        try await fixture.redirect("q1", to: "q3", on: fixture.pad)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .pending)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        #expect(
            try await fixture.service.undecide(name("q1", fixture.pad), name("p1", fixture.phone), in: list))
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q1")
    }

    /// What was decided of an item holds of a reference to it, whatever took its place.
    @Test func isDecidedByWhatItWasCalledToo() async throws {
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
        // Of two that contradict each other, the one that may not lead to a wrong item.
        try await fixture.decide(.different, "k", "n")
        #expect(try await fixture.resolve("m", of: fixture.phone, for: fixture.pad).identifier == nil)
        #expect(try await fixture.resolve("m", of: fixture.phone, for: fixture.other).identifier == nil)
    }

    /// What contradicts itself tells no less of who knows the item, whoever registered first.
    @Test(arguments: [false, true]) func isPendingWhoeverRegisteredFirst(_ isPadFirst: Bool) async throws {
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

    @Test func knowsWhatWasRemovedForThirtyDays() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        try await fixture.register(removals: ["p1"], on: fixture.phone)
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).identifier == "q1")
        fixture.fixture.clock.advance(.seconds(31 * 86_400))
        try await fixture.service.prune()
        #expect(try await fixture.resolve("p1", of: fixture.phone, for: fixture.pad).step == .unresolved)
    }

    @Test func isRefusedForADeviceOfAnotherUser() async throws {
        let fixture = try await IdentityFixture()
        let stranger = try await fixture.fixture.join()
        await #expect(throws: ServiceError.self) { try await fixture.resolve("p1", of: stranger, for: fixture.pad) }
    }

    @Test func startsAnewForADeviceThatMovesToAnotherUser() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        let stranger = try await fixture.fixture.join()
        let code = try await fixture.service.createLinkCode(for: stranger).code
        _ = try await fixture.service.link(fixture.phone, with: code)
        let moved = Caller(
            app: fixture.phone.app,
            device: Device(
                id: fixture.phone.device.id, owner: stranger.owner, idiom: .phone,
                createdAt: fixture.fixture.clock.now(),
                lastSeenAt: fixture.fixture.clock.now()))
        #expect(try await fixture.service.registration(of: IdentityFixture.list, for: moved) == RegistrationState())
    }
}

/// What a device registers.
@Suite struct RegistrationTests {
    @Test func repeatsWithoutEffect() async throws {
        let fixture = try await IdentityFixture()
        let delta = ItemDelta(upserts: [Item("p1", aliases: ["a"], position: 3)], removals: ["p9"], after: 0)
        let first = try await fixture.service.apply(delta, to: IdentityFixture.list, for: fixture.phone)
        #expect(first.cursor == 1 && first.count == 1)
        // Its answer may have been lost.
        #expect(try await fixture.service.apply(delta, to: IdentityFixture.list, for: fixture.phone) == first)
        #expect(try await fixture.service.registration(of: IdentityFixture.list, for: fixture.phone) == first)
    }

    @Test func refusesADeltaOfAnotherState() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1"), on: fixture.phone)
        let delta = ItemDelta(upserts: [Item("p2")], after: 0)
        let refusal = await #expect(throws: ServiceError.self) {
            try await fixture.service.apply(delta, to: IdentityFixture.list, for: fixture.phone)
        }
        #expect(refusal?.code == .cursorStale)
        #expect(refusal?.details["cursor"] == "1")
    }

    /// Whatever way it came about, the same items have the same digest.
    @Test func hasADigestOfWhatItHolds() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p1", aliases: ["a"], position: 1), Item("p2"), Item("p3"), on: fixture.phone)
        try await fixture.register(removals: ["p3"], on: fixture.phone)
        try await fixture.register(Item("p2", aliases: ["b", "c"]), on: fixture.phone)
        try await fixture.register(Item("p2", aliases: ["c", "b"]), on: fixture.pad)
        try await fixture.register(Item("p1", aliases: ["a"], position: 1), on: fixture.pad)
        let one = try await fixture.service.registration(of: IdentityFixture.list, for: fixture.phone)
        let other = try await fixture.service.registration(of: IdentityFixture.list, for: fixture.pad)
        #expect(one.digest == other.digest)
        #expect(one.cursor == 3 && other.cursor == 2)
        try await fixture.register(Item("p1", aliases: ["a"], position: 2), on: fixture.pad)
        #expect(try await fixture.service.registration(of: IdentityFixture.list, for: fixture.pad).digest != one.digest)
        try await fixture.register(removals: ["p1", "p2"], on: fixture.pad)
        #expect(
            try await fixture.service.registration(of: IdentityFixture.list, for: fixture.pad).digest == ItemDigest())
    }

    @Test func listsWhatItHoldsInPages() async throws {
        let fixture = try await IdentityFixture()
        for number in 0..<7 { try await fixture.register(Item("p\(number)", aliases: ["a"]), on: fixture.phone) }
        try await fixture.register(removals: ["p3"], on: fixture.phone)
        var found: Set<String> = []
        var position: LookupKey?
        repeat {
            let page = try await fixture.service.items(
                of: IdentityFixture.list, behind: position, limit: 3, for: fixture.phone)
            found.formUnion(page.map(\.item.identifier))
            position = page.last?.position
        } while position != nil
        #expect(found == ["p0", "p1", "p2", "p4", "p5", "p6"])
    }
}
