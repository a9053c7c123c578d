import KeyedArchive
import RestorationService
import Testing

/// Which items are one. The oracle covers what chance brings about; these tell the rules one by one.
@Suite struct IdentityTests {
    @Test func joinsItemsThatShareAnAlias() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"]), on: bench.phone)
        try await bench.register(Item("q1", aliases: ["a"]), on: bench.pad)
        let found = try await bench.resolve("p1", of: bench.phone, for: bench.pad)
        #expect(found.identifier == "q1" && found.step == .alias && !found.isAmbiguous)
    }

    /// Freshly migrated rows that all got one default key do not make a library one item.
    @Test func takesAnAliasThatTwoItemsOfADeviceBearForNoEvidence() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["default"]), Item("p2", aliases: ["default"]), on: bench.phone)
        try await bench.register(Item("q1", aliases: ["default"]), on: bench.pad)
        #expect(try await bench.resolve("q1", of: bench.pad, for: bench.phone).step == .pending)
        let list = ItemList(owner: bench.phone.owner, dataSource: IdentityBench.list)
        let setAside = try await bench.service.setAsideAliases(in: list, limit: 10)
        #expect(setAside.map(\.alias) == ["default"])
        #expect(Set(setAside[0].identifiers) == ["p1", "p2"])
        // It is evidence again once one item alone bears it.
        try await bench.register(Item("p2", aliases: ["b"]), on: bench.phone)
        #expect(try await bench.resolve("q1", of: bench.pad, for: bench.phone).identifier == "p1")
        #expect(try await bench.service.setAsideAliases(in: list, limit: 10).isEmpty)
    }

    @Test func followsRedirectsOfTheSource() async throws {
        let bench = try await IdentityBench()
        try await bench.register(
            Item("temporary"), Item("p1", aliases: ["a"]), Item("p2", aliases: ["b"]), on: bench.phone)
        try await bench.register(Item("q2", aliases: ["b"]), on: bench.pad)
        try await bench.redirect("temporary", to: "p1", on: bench.phone)
        try await bench.redirect("p1", to: "p2", on: bench.phone)
        #expect(try await bench.resolve("temporary", of: bench.phone, for: bench.pad).identifier == "q2")
        #expect(try await bench.resolve("temporary", of: bench.phone, for: bench.phone).identifier == "p2")
    }

    /// A device may never have told of what it replaced.
    @Test func followsARedirectOfWhatWasNeverRegistered() async throws {
        let bench = try await IdentityBench()
        _ = try await bench.upload([.to("p1", aliases: ["x"])], by: bench.phone)
        try await bench.register(Item("p2", aliases: ["b"]), on: bench.phone)
        try await bench.register(Item("q2", aliases: ["b"]), on: bench.pad)
        try await bench.redirect("p1", to: "p2", on: bench.phone)
        #expect(try await bench.references(for: bench.pad)[0].element.identifier == "q2")
    }

    @Test func concludesNothingThroughAClassOfMoreThan512Aliases() async throws {
        let bench = try await IdentityBench()
        func aliases(_ range: Range<Int>) -> [String] { range.map { "alias-\($0)" } }
        var middle: [Caller] = []
        // Each device has an item that shares an alias with the one before it.
        for number in 0..<18 {
            middle.append(try await bench.bench.join(with: bench.phone))
            try await bench.register(
                Item("m\(number)", aliases: aliases(number * 31..<number * 31 + 32)), on: middle[number])
        }
        try await bench.register(Item("p1", aliases: ["alias-0"]), on: bench.phone)
        try await bench.register(Item("q1", aliases: ["alias-\(18 * 31)"]), on: bench.pad)
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).step == .pending)
        try await bench.register(Item("m9", aliases: ["alias-279", "alias-310"]), on: middle[9])
        try await bench.register(Item("m4", aliases: ["alias-124", "alias-155"]), on: middle[4])
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).identifier == "q1")
    }

    /// A record that was merged into another on the device that asks is found there under the other's name.
    @Test func followsRedirectsOfTheDeviceThatAsks() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"]), on: bench.phone)
        try await bench.register(Item("q1", aliases: ["a"]), Item("q2"), Item("q3"), on: bench.pad)
        try await bench.redirect("q1", to: "q2", on: bench.pad)
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).identifier == "q2")
        try await bench.redirect("q2", to: "q3", on: bench.pad)
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).identifier == "q3")
        // What bears the alias itself goes first.
        try await bench.register(Item("q4", aliases: ["a"]), on: bench.pad)
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).identifier == "q4")
        try await bench.register(removals: ["q3", "q4"], on: bench.pad)
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).step == .unresolved)
    }

    /// A chain grows at its end however long it is: what more lead to than are followed is as good as forgotten.
    @Test func followsNoMoreThan32Redirects() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p0", aliases: ["a"]), on: bench.phone)
        try await bench.register(Item("q", aliases: ["z"]), on: bench.pad)
        for number in 1...Limits.redirects + 1 {
            try await bench.register(Item("p\(number)", aliases: ["z"]), on: bench.phone)
            try await bench.redirect("p\(number - 1)", to: "p\(number)", on: bench.phone)
            let found = try await bench.resolve("p0", of: bench.phone, for: bench.pad)
            #expect(found.identifier == (number <= Limits.redirects ? "q" : nil))
            #expect(found.step == (number <= Limits.redirects ? .alias : .unresolved))
        }
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).identifier == "q")
        // At its head it grows no further.
        let head = Limits.redirects + 1
        await #expect(throws: ServiceError.self) { try await bench.redirect("x", to: "p1", on: bench.phone) }
        try await bench.redirect("x", to: "p2", on: bench.phone)
        #expect(try await bench.resolve("x", of: bench.phone, for: bench.pad).identifier == "q")
        #expect(try await bench.resolve("x", of: bench.phone, for: bench.phone).identifier == "p\(head)")
    }

    @Test func concludesNothingThroughAClassOfMoreThan64() async throws {
        let bench = try await IdentityBench()
        // A chain of 65 items over two devices and a third: each shares an alias with the next.
        let service = bench.service
        for number in 0..<66 {
            let member = try await bench.bench.join(with: bench.phone)
            let item = Item("m\(number)", aliases: ["link\(number)", "link\(number + 1)"])
            _ = try await service.apply(ItemDelta(upserts: [item]), to: IdentityBench.list, for: member)
        }
        try await bench.register(Item("first", aliases: ["link0"]), on: bench.phone)
        try await bench.register(Item("last", aliases: ["link66"]), on: bench.pad)
        #expect(try await bench.resolve("first", of: bench.phone, for: bench.pad).step == .pending)
        // What two share themselves counts all the same.
        try await bench.register(Item("near", aliases: ["link1"]), on: bench.other)
        try await bench.register(Item("first", aliases: ["link0", "link1"]), on: bench.phone)
        #expect(try await bench.resolve("first", of: bench.phone, for: bench.other).identifier == "near")
    }

    /// What is held of others' items at a time does not rise with what is asked for, nor with what that leads to.
    @Test func asksForFewItemsAtATime() async throws {
        let store = FaultyStore()
        let bench = try await IdentityBench(store: store)
        let numbers = 0..<300
        func items(_ prefix: String, _ aliases: Range<Int>) -> ItemDelta {
            ItemDelta(
                upserts: numbers.map { number in
                    Item("\(prefix)\(number)", aliases: aliases.map { "\(number).\($0)" })
                })
        }
        _ = try await bench.service.apply(items("p", 0..<1), to: IdentityBench.list, for: bench.phone)
        _ = try await bench.service.apply(items("o", 0..<32), to: IdentityBench.list, for: bench.other)
        _ = try await bench.service.apply(items("q", 31..<32), to: IdentityBench.list, for: bench.pad)
        let identifiers = numbers.map { "p\($0)" }
        let found = try await bench.service.resolve(
            identifiers, of: bench.phone.device.id, in: IdentityBench.list, for: bench.pad)
        #expect(found.map(\.identifier) == numbers.map { "q\($0)" })
        let own = try await bench.service.resolve(
            identifiers, of: bench.phone.device.id, in: IdentityBench.list, for: bench.phone)
        #expect(own.map(\.identifier) == identifiers)
        #expect(store.largestQuestion.withLock(\.aliases) == Limits.aliasesAtOnce)
    }

    @Test func isToldInTheOrderAskedHoweverManyAreAskedFor() async throws {
        let bench = try await IdentityBench()
        let numbers = 0..<2 * Limits.subjectsAtOnce + 7
        let ours = numbers.map { Item("p\($0)", aliases: ["a\($0)"]) }
        // Every other one is known to its own device alone.
        let theirs = numbers.filter { $0 % 2 == 0 }.map { Item("q\($0)", aliases: ["a\($0)"]) }
        _ = try await bench.service.apply(ItemDelta(upserts: ours), to: IdentityBench.list, for: bench.phone)
        _ = try await bench.service.apply(ItemDelta(upserts: theirs), to: IdentityBench.list, for: bench.pad)
        let found = try await bench.service.resolve(
            numbers.map { "p\($0)" }, of: bench.phone.device.id, in: IdentityBench.list, for: bench.pad)
        #expect(found.map(\.identifier) == numbers.map { $0 % 2 == 0 ? "q\($0)" : nil })
        #expect(found.map(\.step) == numbers.map { $0 % 2 == 0 ? .alias : .pending })
    }

    /// What contradicts itself is told whole, though a search for an answer ends at the contradiction.
    @Test func concludesNothingFromTwoItemsOfOneDevice() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a", "b"]), on: bench.phone)
        try await bench.register(Item("o1", aliases: ["a"]), Item("o2", aliases: ["b", "c"]), on: bench.other)
        try await bench.register(Item("q1", aliases: ["c"]), on: bench.pad)
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).step == .pending)
        _ = try await bench.upload([.to("p1")], by: bench.phone)
        let context = Context(idiom: .phone, bundleVersion: "42")
        let told = try await bench.service.explainLatest(in: "main", of: nil, for: context, caller: bench.pad)
            .references[0]
        #expect(told.contradictions.map { [$0.first.identifier, $0.second.identifier] } == [["o1", "o2"]])
        #expect(told.members.map(\.item.identifier) == ["p1", "o1", "o2", "q1"])
    }

    @Test func isDecidedByAnOperatorInTheEnd() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"]), Item("p2"), on: bench.phone)
        try await bench.register(Item("q1", aliases: ["a"]), Item("q2"), on: bench.pad)
        let list = ItemList(owner: bench.phone.owner, dataSource: IdentityBench.list)
        func name(_ identifier: String, _ caller: Caller) -> ItemName {
            .init(device: caller.device.id, identifier: identifier)
        }
        try await bench.service.decide(.same, name("p2", bench.phone), name("q2", bench.pad), note: "seen", in: list)
        try await bench.service.decide(
            .different, name("p1", bench.phone), name("q1", bench.pad), note: "a copy", in: list)
        #expect(try await bench.resolve("p2", of: bench.phone, for: bench.pad).identifier == "q2")
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).identifier == nil)
        #expect(try await bench.service.decisions(in: list).map(\.note) == ["seen", "a copy"])
        // Nor does it become the other one when either is gone or replaced.
        try await bench.register(removals: ["p1"], on: bench.phone)
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).step == .unresolved)
        try await bench.register(Item("p1", aliases: ["a"]), on: bench.phone)
        try await bench.register(Item("q3"), on: bench.pad)
        try await bench.redirect("q1", to: "q3", on: bench.pad)
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).step == .pending)
        try await bench.register(Item("q1", aliases: ["a"]), on: bench.pad)
        #expect(
            try await bench.service.undecide(name("q1", bench.pad), name("p1", bench.phone), in: list))
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).identifier == "q1")
    }

    /// What was decided of an item holds of a reference to it, whatever took its place.
    @Test func isDecidedByWhatItWasCalledToo() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("x", aliases: ["a"]), Item("m"), Item("k"), on: bench.phone)
        try await bench.register(Item("p", aliases: ["a"]), Item("n", aliases: ["c"]), on: bench.pad)
        try await bench.register(Item("r", aliases: ["c"]), on: bench.other)
        try await bench.decide(.different, "x", "p")
        try await bench.decide(.same, "m", "n")
        try await bench.register(Item("y", aliases: ["a"]), on: bench.phone)
        try await bench.redirect("x", to: "y", on: bench.phone)
        try await bench.redirect("m", to: "k", on: bench.phone)
        var found = try await bench.resolve("x", of: bench.phone, for: bench.pad)
        #expect(found.identifier == nil && found.step == .pending)
        #expect(try await bench.resolve("y", of: bench.phone, for: bench.pad).identifier == "p")
        found = try await bench.resolve("m", of: bench.phone, for: bench.pad)
        #expect(found.identifier == "n" && found.isDecided)
        #expect(try await bench.resolve("m", of: bench.phone, for: bench.other).identifier == "r")
        // Of two that contradict each other, the one that may not lead to a wrong item.
        try await bench.decide(.different, "k", "n")
        #expect(try await bench.resolve("m", of: bench.phone, for: bench.pad).identifier == nil)
        #expect(try await bench.resolve("m", of: bench.phone, for: bench.other).identifier == nil)
    }

    /// What contradicts itself tells no less of who knows the item, whoever registered first.
    @Test(arguments: [false, true]) func isPendingWhoeverRegisteredFirst(_ isPadFirst: Bool) async throws {
        let bench = try await IdentityBench()
        func registerOther() async throws { try await bench.register(Item("r", aliases: ["X"]), on: bench.other) }
        try await bench.register(Item("x", aliases: ["X", "Y"]), on: bench.phone)
        if !isPadFirst { try await registerOther() }
        try await bench.register(Item("p", aliases: ["X"]), Item("q", aliases: ["Y"]), on: bench.pad)
        if isPadFirst { try await registerOther() }
        try await bench.decide(.different, "x", "p")
        try await bench.decide(.different, "x", "q")
        try await bench.register(removals: ["x"], on: bench.phone)
        #expect(try await bench.resolve("x", of: bench.phone, for: bench.pad).step == .pending)
    }

    @Test func knowsWhatWasRemovedForThirtyDays() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"]), on: bench.phone)
        try await bench.register(Item("q1", aliases: ["a"]), on: bench.pad)
        try await bench.register(removals: ["p1"], on: bench.phone)
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).identifier == "q1")
        bench.bench.clock.advance(.seconds(31 * 86_400))
        try await bench.service.prune()
        #expect(try await bench.resolve("p1", of: bench.phone, for: bench.pad).step == .unresolved)
    }

    @Test func isRefusedForADeviceOfAnotherUser() async throws {
        let bench = try await IdentityBench()
        let stranger = try await bench.bench.join()
        await #expect(throws: ServiceError.self) { try await bench.resolve("p1", of: stranger, for: bench.pad) }
    }

    @Test func startsAnewForADeviceThatMovesToAnotherUser() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"]), on: bench.phone)
        let stranger = try await bench.bench.join()
        let code = try await bench.service.createLinkCode(for: stranger).code
        _ = try await bench.service.link(bench.phone, with: code)
        let moved = Caller(
            app: bench.phone.app,
            device: Device(
                id: bench.phone.device.id, owner: stranger.owner, idiom: .phone, createdAt: bench.bench.clock.now(),
                lastSeenAt: bench.bench.clock.now()))
        #expect(try await bench.service.registration(of: IdentityBench.list, for: moved) == RegistrationState())
    }
}

/// What a device registers.
@Suite struct RegistrationTests {
    @Test func repeatsWithoutEffect() async throws {
        let bench = try await IdentityBench()
        let delta = ItemDelta(upserts: [Item("p1", aliases: ["a"], position: 3)], removals: ["p9"], after: 0)
        let first = try await bench.service.apply(delta, to: IdentityBench.list, for: bench.phone)
        #expect(first.cursor == 1 && first.count == 1)
        // Its answer may have been lost.
        #expect(try await bench.service.apply(delta, to: IdentityBench.list, for: bench.phone) == first)
        #expect(try await bench.service.registration(of: IdentityBench.list, for: bench.phone) == first)
    }

    @Test func refusesADeltaOfAnotherState() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1"), on: bench.phone)
        let delta = ItemDelta(upserts: [Item("p2")], after: 0)
        let refusal = await #expect(throws: ServiceError.self) {
            try await bench.service.apply(delta, to: IdentityBench.list, for: bench.phone)
        }
        #expect(refusal?.code == .cursorStale)
        #expect(refusal?.details["cursor"] == "1")
    }

    /// Whatever way it came about, the same items have the same digest.
    @Test func hasADigestOfWhatItHolds() async throws {
        let bench = try await IdentityBench()
        try await bench.register(Item("p1", aliases: ["a"], position: 1), Item("p2"), Item("p3"), on: bench.phone)
        try await bench.register(removals: ["p3"], on: bench.phone)
        try await bench.register(Item("p2", aliases: ["b", "c"]), on: bench.phone)
        try await bench.register(Item("p2", aliases: ["c", "b"]), on: bench.pad)
        try await bench.register(Item("p1", aliases: ["a"], position: 1), on: bench.pad)
        let one = try await bench.service.registration(of: IdentityBench.list, for: bench.phone)
        let other = try await bench.service.registration(of: IdentityBench.list, for: bench.pad)
        #expect(one.digest == other.digest)
        #expect(one.cursor == 3 && other.cursor == 2)
        try await bench.register(Item("p1", aliases: ["a"], position: 2), on: bench.pad)
        #expect(try await bench.service.registration(of: IdentityBench.list, for: bench.pad).digest != one.digest)
        try await bench.register(removals: ["p1", "p2"], on: bench.pad)
        #expect(
            try await bench.service.registration(of: IdentityBench.list, for: bench.pad).digest == ItemDigest())
    }

    @Test func listsWhatItHoldsInPages() async throws {
        let bench = try await IdentityBench()
        for number in 0..<7 { try await bench.register(Item("p\(number)", aliases: ["a"]), on: bench.phone) }
        try await bench.register(removals: ["p3"], on: bench.phone)
        var found: Set<String> = []
        var position: LookupKey?
        repeat {
            let page = try await bench.service.items(
                of: IdentityBench.list, behind: position, limit: 3, for: bench.phone)
            found.formUnion(page.map(\.item.identifier))
            position = page.last?.position
        } while position != nil
        #expect(found == ["p0", "p1", "p2", "p4", "p5", "p6"])
    }
}
