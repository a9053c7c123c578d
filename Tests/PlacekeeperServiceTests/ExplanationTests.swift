import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import Testing

@testable import PlacekeeperService

/// Explanations of resolved references.
@Suite struct ExplanationTests {
    private let fixture: IdentityFixture

    init() async throws { fixture = try await IdentityFixture() }

    private func explanation() async throws -> Explanation {
        let context = Context(idiom: .phone, bundleVersion: "42")
        return try await fixture.service.restores.explainLatest(
            in: "main", of: nil, for: context, principal: fixture.pad)
    }

    /// Returns the pad's explanation of the only reference in the phone's archive.
    private func told() async throws -> ReferenceExplanation { try #require(try await explanation().references.first) }

    private func decide(_ kind: Link.Kind, _ first: ItemName, _ second: ItemName, note: String) async throws {
        try await fixture.service.lists.decide(
            kind, .init(device: first.device, identifier: first.identifier),
            .init(device: second.device, identifier: second.identifier), note: note,
            in: ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list))
    }

    private func phone(_ identifier: String) -> ItemName {
        ItemName(device: fixture.phone.device.id, identifier: identifier)
    }
    private func pad(_ identifier: String) -> ItemName {
        ItemName(device: fixture.pad.device.id, identifier: identifier)
    }

    @Test func listsEvidenceOfResolvedReference() async throws {
        try await fixture.register(Item("p1", aliases: ["a", "dup"]), Item("p2", aliases: ["dup"]), on: fixture.phone)
        try await fixture.register(Item("o1", aliases: ["a", "b"]), on: fixture.other)
        try await fixture.register(Item("q1", aliases: ["b"]), on: fixture.pad)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        let reference = try await told()
        #expect(reference.source == "p1")
        #expect(reference.resolution.identifier == "q1")
        #expect(reference.resolution.step == .alias)
        #expect(reference.resolution.confidence == 0.9)
        #expect(reference.ambiguousAliases == ["dup"])
        #expect(reference.members.map(\.item.identifier) == ["p1", "o1", "q1"])
        #expect(reference.members.map(\.sharedAliases) == [["a"], ["a"], ["b"]])
        #expect(!reference.isDecided && reference.gone.isEmpty && reference.contradictions.isEmpty)
    }

    /// An explanation has its own work budget, as large as the budget for resolving.
    @Test func listsEvidenceEvenIfResolvingUsedTheBudget() async throws {
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("o1", aliases: ["a", "b"]), on: fixture.other)
        try await fixture.register(Item("q1", aliases: ["b"]), on: fixture.pad)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        let found = try await fixture.fixture.store.history(
            of: SceneKey(owner: fixture.phone.owner, name: "main"), below: nil, limit: 1
        ).archives
        let resolver = ReferenceResolver(
            environment: fixture.service.identityEnvironment, archive: try #require(found.first),
            principal: fixture.pad,
            within: WorkBudget(10, evidenceReserve: 0))
        let told = try await resolver.explain([ModelReference.to("p1")], limit: 1)[0]
        #expect(told.resolution.identifier == "q1")
        #expect(told.members.map(\.item.identifier) == ["p1", "o1", "q1"])
        #expect(!told.isTruncated)
    }

    /// References affect each other, including references that the explanation does not list.
    @Test func explainsReferencesAsTheyAreServed() async throws {
        try await fixture.register(Item("q1", aliases: ["default"]), on: fixture.pad)
        let others = (2...Limits.explainedReferences).map { ModelReference.to("p\($0)") }
        let last = ModelReference.to("p0", aliases: ["default"])
        _ = try await fixture.upload([.to("p1", aliases: ["default", "own"])] + others + [last], by: fixture.phone)
        let served = try await fixture.references(for: fixture.pad)
        #expect(served.first?.resolution?.step == .pending)
        let told = try await explanation().references
        #expect(told.count == Limits.explainedReferences)
        #expect(told.first?.resolution.step == .pending)
        #expect(told.first?.ambiguousAliases == ["default"])
        #expect(told.first?.members.isEmpty == true)
        #expect(try await explanation().referenceCount == served.count)
    }

    @Test func limitsBytesOfExplainedReferences() async throws {
        let long = (0..<Limits.aliases).map { String(repeating: "a", count: Limits.alias - 3) + "\(100 + $0)" }
        try await fixture.register(Item("p1", aliases: long), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: long), on: fixture.pad)
        _ = try await fixture.upload([ModelReference](repeating: .to("p1"), count: 100), by: fixture.phone)
        let explanation = try await explanation()
        // The explanation lists the shared aliases twice: once for each of the two items.
        let size = 2 * Limits.aliases * Limits.alias
        #expect(explanation.references.count == Limits.explained / size)
        #expect(explanation.referenceCount == 100)
    }

    @Test func namesLimitThatLeftReferenceUnresolved() async throws {
        let items = (0...Limits.neighborSearches).map { number in
            Item("p\(number)", aliases: ["a\(number)"], position: Int64(number))
        }
        _ = try await fixture.service.lists.apply(
            ItemDelta(upserts: items), to: IdentityFixture.list, for: fixture.phone)
        _ = try await fixture.service.lists.apply(ItemDelta(upserts: items), to: IdentityFixture.list, for: fixture.pad)
        try await fixture.register(Item("r", position: -1), removals: items.map(\.identifier), on: fixture.pad)
        let lists = items.map { ModelReference.to($0.identifier, role: .firstVisible) }
        _ = try await fixture.upload(lists + [.to("p0")], by: fixture.phone)
        let told = try await explanation().references.map(\.resolution)
        #expect(told.map(\.step).suffix(3) == [.neighbor, .unresolved, .unresolved])
        #expect(told.map(\.limitedBy).suffix(3) == [nil, .neighbors, nil])
    }

    /// The number of searches for neighbors is limited. A reference to an item without a position uses none of them.
    @Test func spendsNoNeighborSearchOnItemsWithoutPosition() async throws {
        let items = (0...2 * Limits.neighborSearches + 1).map { Item("p\($0)", aliases: ["a\($0)"]) }
        let last = Item("last", aliases: ["last"], position: 1)
        let delta = ItemDelta(upserts: items + [last, Item("r", aliases: ["r"], position: 2)])
        for principal in [fixture.phone, fixture.pad] {
            _ = try await fixture.service.lists.apply(delta, to: IdentityFixture.list, for: principal)
        }
        try await fixture.register(removals: (items + [last]).map(\.identifier), on: fixture.pad)
        // The two references of each pair share an alias, so that different pairs have different evidence.
        let references = items.enumerated().map { number, item in
            ModelReference.to(item.identifier, aliases: item.aliases + ["of \(number / 2)"], role: .firstVisible)
        }
        _ = try await fixture.upload(references + [.to("last", role: .firstVisible)], by: fixture.phone)
        let told = try await explanation().references.map(\.resolution)
        #expect(told.dropLast().allSatisfy { $0.step == .unresolved && $0.limitedBy == nil })
        #expect(told.last?.identifier == "r")
    }

    @Test func namesSizeLimitOfRewrittenArchive() async throws {
        let long = String(repeating: "q", count: Limits.identifier)
        try await fixture.register(Item("p", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item(long, aliases: ["a"]), on: fixture.pad)
        let count = Limits.explainedReferences
        let lists = (0..<count).map { number in
            ModelReference.to("p", before: Array(repeating: "p", count: 8), after: Array(repeating: "p", count: 8))
        }
        _ = try await fixture.upload(lists, by: fixture.phone)
        let told = try await explanation().references.map(\.resolution)
        #expect(told.first?.limitedBy == nil)
        #expect(told.last?.limitedBy == .size)
    }

    @Test func namesRequestingAndSourceDevice() async throws {
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        let explanation = try await explanation()
        #expect(explanation.source == fixture.phone.device.id)
        #expect(explanation.asking == fixture.pad.device.id)
        #expect(Set(explanation.devices.keys) == Set([fixture.phone, fixture.pad, fixture.other].map(\.device.id)))
    }

    /// A reference whose item the requesting device removed is unresolved, like a reference to an unknown item, so the
    /// explanation lists the removed item.
    @Test func listsItemsRemovedOnRequestingDevice() async throws {
        try await fixture.register(Item("p1", aliases: ["a", "b"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        #expect(try await told().gone.isEmpty)
        try await fixture.register(removals: ["q1"], on: fixture.pad)
        let reference = try await told()
        #expect(reference.resolution.step == .unresolved)
        #expect(reference.members.map(\.item) == [phone("p1")])
        #expect(reference.gone == [.init(item: pad("q1"), sharedAliases: ["a"])])
    }

    @Test func namesReplacementOnRequestingDevice() async throws {
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), Item("q2"), Item("q3"), on: fixture.pad)
        try await fixture.redirect("q1", to: "q2", on: fixture.pad)
        try await fixture.redirect("q2", to: "q3", on: fixture.pad)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        let reference = try await told()
        #expect(reference.resolution.identifier == "q3")
        #expect(reference.gone == [.init(item: pad("q1"), sharedAliases: ["a"], replacement: "q3")])
    }

    @Test func namesReplacementOnSourceDevice() async throws {
        try await fixture.register(Item("p1", aliases: ["a"]), Item("p2", aliases: ["b"]), on: fixture.phone)
        try await fixture.register(Item("q2", aliases: ["b"]), on: fixture.pad)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        try await fixture.redirect("p1", to: "p2", on: fixture.phone)
        var reference = try await told()
        #expect(reference.resolution.identifier == "q2")
        #expect(reference.gone == [.init(item: phone("p1"), sharedAliases: [], replacement: "p2")])
        try await fixture.register(removals: ["p2"], on: fixture.phone)
        reference = try await told()
        #expect(reference.gone.first?.replacement == nil)
    }

    @Test func listsRemovedItemOfDecision() async throws {
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q1"), on: fixture.pad)
        try await decide(.same, phone("p1"), pad("q1"), note: "seen")
        try await fixture.register(removals: ["q1"], on: fixture.pad)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        #expect(try await told().gone == [.init(item: pad("q1"), sharedAliases: [])])
        #expect(try await told().resolution.step == .unresolved)
        // If another item replaces the removed item, the decision applies to the replacement.
        try await fixture.register(Item("q2"), on: fixture.pad)
        try await fixture.redirect("q1", to: "q2", on: fixture.pad)
        #expect(try await told().resolution.identifier == "q2")
        #expect(try await told().isDecided)
        // If the identifier is given to another item, the decision ends.
        try await fixture.register(Item("q1"), on: fixture.pad)
        #expect(try await told().resolution.identifier == nil)
    }

    @Test func listsDecisionAgainstRemovedItem() async throws {
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        try await decide(.different, phone("p1"), pad("q1"), note: "a copy")
        _ = try await fixture.upload([.to("p1", aliases: ["a"])], by: fixture.phone)
        try await fixture.register(removals: ["p1"], on: fixture.phone)
        #expect(try await told().contradictions == [.init(first: phone("p1"), second: pad("q1"), note: "a copy")])
        #expect(try await told().resolution.step == .unresolved)
    }

    @Test func namesSourceOfNeighbor() async throws {
        try await fixture.register(
            Item("p1", aliases: ["a"], position: 1), Item("p2", aliases: ["b"], position: 2), on: fixture.phone)
        try await fixture.register(
            Item("q1", aliases: ["a"], position: 1), Item("q2", aliases: ["b"], position: 2), on: fixture.pad)
        try await fixture.register(removals: ["q1"], on: fixture.pad)
        _ = try await fixture.upload(
            [
                .to("p1", role: .firstVisible, after: ["p2"]), .to("p1", role: .firstVisible), .to("p1"), .to("p2"),
            ], by: fixture.phone)
        let references = try await explanation().references
        #expect(references.map(\.resolution.step) == [.neighbor, .neighbor, .unresolved, .alias])
        #expect(references.map(\.resolution.identifier) == ["q2", "q2", nil, "q2"])
        #expect(references.map(\.resolution.neighborSource) == [.archive, .position, nil, nil])
    }

    @Test func namesNeighborOfPendingItemWithSource() async throws {
        try await fixture.register(
            Item("p1", aliases: ["a"], position: 1), Item("p2", aliases: ["b"], position: 2), on: fixture.phone)
        try await fixture.register(Item("q2", aliases: ["b"]), on: fixture.pad)
        let alone = ModelReference.to("p1", role: .firstVisible)
        _ = try await fixture.upload(
            [.to("p1", role: .firstVisible, after: ["p2"]), alone, .to("p1", after: ["p2"])], by: fixture.phone)
        let told = try await explanation().references.map(\.resolution)
        #expect(told.allSatisfy { $0.step == .pending && $0.identifier == nil })
        #expect(told.map(\.neighbor) == ["q2", "q2", nil])
        #expect(told.map(\.neighborSource) == [.archive, .position, nil])
    }

    @Test func namesLimitOfPendingReferencesWithoutNeighbor() async throws {
        let items = (0...Limits.neighborSearches).map { Item("p\($0)", aliases: ["a\($0)"], position: Int64($0)) }
        let delta = ItemDelta(upserts: items + [Item("r", aliases: ["r"], position: -1)])
        _ = try await fixture.service.lists.apply(delta, to: IdentityFixture.list, for: fixture.phone)
        try await fixture.register(Item("q", aliases: ["r"]), on: fixture.pad)
        _ = try await fixture.upload(items.map { .to($0.identifier, role: .firstVisible) }, by: fixture.phone)
        let told = try await explanation().references.map(\.resolution)
        #expect(told.dropLast().allSatisfy { $0.neighbor == "q" && $0.limitedBy == nil })
        #expect(told.last?.step == .pending && told.last?.neighbor == nil && told.last?.limitedBy == .neighbors)
    }

    @Test func listsItemsDecidedDifferentWithNote() async throws {
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        try await fixture.register(Item("o1", aliases: ["a"]), on: fixture.other)
        try await decide(.different, pad("q1"), phone("p1"), note: "a copy of it")
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        let reference = try await told()
        #expect(reference.resolution.identifier == nil)
        let contradiction = try #require(reference.contradictions.first)
        #expect(reference.contradictions.count == 1)
        #expect(Set([contradiction.first, contradiction.second]) == [phone("p1"), pad("q1")])
        #expect(contradiction.note == "a copy of it")
    }

    @Test func listsContradictingItemsOfOneDevice() async throws {
        try await fixture.register(Item("p1", aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item("o1", aliases: ["a", "b"]), on: fixture.other)
        try await fixture.register(Item("p2", aliases: ["b"]), on: fixture.phone)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        #expect(try await told().contradictions == [.init(first: phone("p1"), second: phone("p2"))])
    }

    @Test func listsDecisionOfOperator() async throws {
        try await fixture.register(Item("p1"), on: fixture.phone)
        try await fixture.register(Item("q1"), Item("q2"), on: fixture.pad)
        try await decide(.same, pad("q1"), phone("p1"), note: "the person said so")
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        let reference = try await told()
        #expect(reference.resolution.identifier == "q1")
        #expect(reference.isDecided)
        #expect(reference.members.map(\.item) == [phone("p1"), pad("q1")])
        #expect(
            reference.members.map(\.decision) == [nil, .init(other: phone("p1"), note: "the person said so")])
    }

    /// A connection through a third device is evidence, even if a decision is a part of the connection.
    @Test func distinguishesIndirectConnectionFromDecision() async throws {
        try await fixture.register(Item("p1"), on: fixture.phone)
        try await fixture.register(Item("o1", aliases: ["a"]), on: fixture.other)
        try await fixture.register(Item("q1", aliases: ["a"]), on: fixture.pad)
        let other = ItemName(device: fixture.other.device.id, identifier: "o1")
        try await decide(.same, phone("p1"), other, note: "")
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        let reference = try await told()
        #expect(reference.resolution.identifier == "q1")
        #expect(!reference.isDecided)
        #expect(reference.members.map(\.decision) == [nil, .init(other: phone("p1"), note: ""), nil])
    }

    @Test func returnsLatestContextWithVersionOfDevice() async throws {
        func version(of principal: Principal) async throws -> String? {
            try await fixture.service.restores.lastContext(in: "main", for: principal)?.bundleVersion
        }
        #expect(try await version(of: fixture.phone) == nil)
        _ = try await fixture.upload([.to("p1")], by: fixture.phone)
        #expect(try await version(of: fixture.phone) == "42")
        // The pad never stores an archive, so its version is unknown until it reports an outcome.
        #expect(try await version(of: fixture.pad) == nil)
        _ = try await fixture.latest(for: fixture.pad)
        let archive = try #require(try await fixture.latest(for: fixture.pad).served?.archive)
        for (principal, context) in [
            (fixture.pad, Context(idiom: .phone, bundleVersion: "43")), (fixture.phone, Context(idiom: .phone)),
        ] {
            try await fixture.service.restores.report(
                .restored, of: archive.id, in: "main", context: context, principal: principal)
        }
        #expect(try await version(of: fixture.pad) == "43")
        // An outcome without a version is ignored.
        #expect(try await version(of: fixture.phone) == "42")
        let newer = Context(idiom: .phone, bundleVersion: "44")
        try await fixture.service.restores.report(
            .restored, of: archive.id, in: "main", context: newer, principal: fixture.phone)
        #expect(try await version(of: fixture.phone) == "44")
    }
}
