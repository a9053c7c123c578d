import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
@testable import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// Redirects in a list whose identifiers are the same on all devices.
@Suite struct SharedRedirectTests {
    private let fixture: IdentityFixture

    init() async throws { fixture = try await IdentityFixture(DataSource(scope: .shared, allowsRedirects: true)) }

    private func resolved(_ identifier: String) async throws -> String? {
        try await fixture.resolve(identifier, of: fixture.phone, for: fixture.pad).identifier
    }

    @Test func everyDeviceFollowsTheRedirectsOfAllDevices() async throws {
        let bytes = try await fixture.upload(
            [.to("p12", role: .selected, before: ["p11"], after: ["p12", "p20"]), .to("p11")], by: fixture.phone)
        guard case .served(_, let untouched) = try await fixture.latest(for: fixture.pad) else {
            Issue.record("not served")
            return
        }
        #expect(untouched == bytes)
        try await fixture.redirect("p12", to: "p13", on: fixture.pad)
        for device in [fixture.phone, fixture.pad, fixture.other] {
            let references = try await fixture.references(for: device)
            #expect(references.map(\.element.identifier) == ["p13", "p11"])
            #expect(references[0].before.map(\.identifier) == ["p11"])
            #expect(references[0].after.map(\.identifier) == ["p13", "p20"])
            #expect(references[0].resolution == ModelReference.Resolution(step: .exact, confidence: 1))
            #expect(references[1].resolution == nil)
        }
        try await fixture.redirect("p13", to: "p14", on: fixture.other)
        #expect(try await fixture.references(for: fixture.phone)[0].element.identifier == "p14")
        #expect(try await resolved("p12") == "p14")
        #expect(try await resolved("p13") == "p14")
        #expect(try await resolved("p11") == "p11")
    }

    @Test func explainsTheRedirect() async throws {
        _ = try await fixture.upload([.to("p12"), .to("p1")], by: fixture.phone)
        try await fixture.redirect("p12", to: "p13", on: fixture.other)
        let context = Context(idiom: .phone, bundleVersion: "42")
        let references = try await fixture.service.restores.explainLatest(
            in: "main", of: nil, for: context, principal: fixture.pad
        ).references
        #expect(references.map(\.scope) == [.shared, .shared])
        #expect(references.map(\.resolution.identifier) == ["p13", "p1"])
        let item = ItemName(device: fixture.other.device.id, identifier: "p12")
        #expect(references.map(\.gone) == [[.init(item: item, sharedAliases: [], replacement: "p13")], []])
    }

    /// A target that was redirected itself stays redirected.
    @Test func followsAChainThatWasMadeFromItsEnd() async throws {
        try await fixture.redirect("p13", to: "p14", on: fixture.phone)
        try await fixture.redirect("p12", to: "p13", on: fixture.phone)
        #expect(try await resolved("p12") == "p14")
        #expect(try await resolved("p13") == "p14")
    }

    /// Of two devices that replaced one item, the latest is right.
    @Test func followsTheLatestRedirectOfAnItem() async throws {
        try await fixture.redirect("p12", to: "p20", on: fixture.pad)
        try await fixture.redirect("p12", to: "p13", on: fixture.phone)
        #expect(try await resolved("p12") == "p13")
        try await fixture.redirect("p13", to: "p21", on: fixture.pad)
        #expect(try await resolved("p12") == "p21")
    }

    /// A redirect in the opposite direction takes another device's redirect back.
    @Test func leavesOutTheOldestOfTheRedirectsThatLeadBack() async throws {
        try await fixture.redirect("p12", to: "p13", on: fixture.phone)
        try await fixture.redirect("p13", to: "p12", on: fixture.pad)
        for identifier in ["p12", "p13"] { #expect(try await resolved(identifier) == "p12") }
        try await fixture.redirect("p11", to: "p12", on: fixture.other)
        try await fixture.redirect("p12", to: "p11", on: fixture.pad)
        for identifier in ["p11", "p12", "p13"] { #expect(try await resolved(identifier) == "p11") }
    }

    @Test func takesARedirectBackWithAnUpsert() async throws {
        try await fixture.redirect("p12", to: "p13", on: fixture.phone)
        try await fixture.register(Item("p12"), on: fixture.phone)
        #expect(try await resolved("p12") == "p12")
        try await fixture.redirect("p13", to: "p12", on: fixture.phone)
        #expect(try await resolved("p13") == "p12")
    }

    /// An operator can make a registered list shared. The texts of its redirected items are aliases.
    @Test func ignoresRedirectsFromWhenTheListWasRegistered() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("p12", aliases: ["server:1"]), Item("p13"), on: fixture.phone)
        try await fixture.redirect("p12", to: "p13", on: fixture.phone)
        let list = ItemList(owner: fixture.phone.owner, dataSource: IdentityFixture.list)
        let redirects = try await SharedRedirects(fixture.service.lists.identityEnvironment, list)
        #expect(try await redirects.replacements(of: ["p12"]).isEmpty)
    }

    /// Redirects of one delta have one time.
    @Test func everyItemOfACircleHasTheSameReplacement() async throws {
        fixture.fixture.clock.advance(.seconds(1))
        let delta = ItemDelta(redirects: [.init(from: "p1", to: "p2"), .init(from: "p2", to: "p3")])
        _ = try await fixture.service.lists.apply(delta, to: IdentityFixture.list, for: fixture.phone)
        try await fixture.redirect("p3", to: "p1", on: fixture.pad)
        var ends: Set<String?> = []
        for identifier in ["p1", "p2", "p3"] { ends.insert(try await resolved(identifier)) }
        #expect(ends.count == 1)
    }

    @Test func acceptsFurtherRedirectsToReplacedItems() async throws {
        try await fixture.redirect("p13", to: "p14", on: fixture.phone)
        try await fixture.redirect("p12", to: "p13", on: fixture.phone)
        fixture.fixture.clock.advance(.seconds(1))
        let delta = ItemDelta(redirects: [.init(from: "p11", to: "p12"), .init(from: "p10", to: "p13")], after: 2)
        for _ in 0..<2 {
            let state = try await fixture.service.lists.apply(delta, to: IdentityFixture.list, for: fixture.phone)
            #expect(state.cursor == 3)
            fixture.fixture.clock.advance(.seconds(1))
        }
        for identifier in ["p10", "p11", "p12", "p13"] { #expect(try await resolved(identifier) == "p14") }
        try await fixture.register(Item("p12"), on: fixture.phone)
        try await fixture.redirect("p9", to: "p11", on: fixture.phone)
        #expect(try await resolved("p9") == "p12")
        // The same item gets another replacement.
        try await fixture.redirect("p12", to: "p15", on: fixture.phone)
        try await fixture.redirect("p12", to: "p16", on: fixture.phone)
        #expect(try await resolved("p9") == "p16")
    }

    /// A redirect also holds if the redirect of its target is forgotten.
    @Test func keepsARedirectWhoseTargetIsForgotten() async throws {
        try await fixture.redirect("p13", to: "p14", on: fixture.phone)
        fixture.fixture.clock.advance(.seconds(10 * 86_400))
        try await fixture.redirect("p12", to: "p13", on: fixture.phone)
        fixture.fixture.clock.advance(.seconds(21 * 86_400))
        try await fixture.service.store.prune(at: fixture.fixture.clock.now())
        #expect(try await resolved("p12") == "p13")
        try await fixture.redirect("p11", to: "p12", on: fixture.phone)
        #expect(try await resolved("p11") == "p13")
    }

    /// The service forgets removed items after 30 days, and the redirects with them.
    @Test func forgetsARedirectAfter30Days() async throws {
        try await fixture.redirect("p12", to: "p13", on: fixture.phone)
        fixture.fixture.clock.advance(Retention.tombstones - .seconds(60))
        try await fixture.service.store.prune(at: fixture.fixture.clock.now())
        #expect(try await resolved("p12") == "p13")
        fixture.fixture.clock.advance(.seconds(120))
        try await fixture.service.store.prune(at: fixture.fixture.clock.now())
        #expect(try await resolved("p12") == "p12")
        try await fixture.redirect("p12", to: "p14", on: fixture.phone)
        #expect(try await resolved("p12") == "p14")
    }

    @Test func refusesALoopAndAChainOfMoreThan32Redirects() async throws {
        for number in 0..<Limits.redirects {
            try await fixture.redirect("p\(number)", to: "p\(number + 1)", on: fixture.phone)
        }
        #expect(try await resolved("p0") == "p\(Limits.redirects)")
        let loop = await #expect(throws: ServiceError.self) {
            try await fixture.redirect("p\(Limits.redirects)", to: "p0", on: fixture.phone)
        }
        #expect(loop?.code == .redirectLoops)
        let long = await #expect(throws: ServiceError.self) {
            try await fixture.redirect("x", to: "p0", on: fixture.phone)
        }
        #expect(long?.code == .redirectLoops)
    }

    /// A chain of redirects from several devices can be longer than one device's chain.
    @Test func followsAtMost32RedirectsOfAllDevices() async throws {
        for number in 0..<Limits.redirects {
            let device = number % 2 == 0 ? fixture.phone : fixture.pad
            try await fixture.redirect("p\(number)", to: "p\(number + 1)", on: device)
        }
        let end = "p\(Limits.redirects)"
        #expect(try await resolved("p0") == end)
        try await fixture.redirect(end, to: "end", on: fixture.other)
        #expect(try await resolved("p0") == "p0")
        #expect(try await resolved("p1") == "end")
    }

    @Test func refusesTooLongIdentifiers() async throws {
        let long = String(repeating: "x", count: Limits.identifier + 1)
        let refused = await #expect(throws: ServiceError.self) {
            try await fixture.redirect("p12", to: long, on: fixture.phone)
        }
        #expect(refused?.member == ["redirects", .index(0), "to"])
        #expect(try await resolved("p12") == "p12")
    }

    @Test(arguments: [DataSource(scope: .shared), DataSource(scope: .keyed, allowsRedirects: true)])
    func refusesRedirectsThatTheDeclarationDoesNotAllow(_ source: DataSource) async throws {
        let fixture = try await IdentityFixture(source)
        let refused = await #expect(throws: ServiceError.self) {
            try await fixture.redirect("p12", to: "p13", on: fixture.phone)
        }
        #expect(refused?.code == .itemsNotRegistered)
        #expect(refused?.message.hasSuffix("or as shared with redirects.") == (source.scope == .shared))
    }

    @Test func repeatsARedirectWithoutAChange() async throws {
        let delta = ItemDelta(redirects: [.init(from: "p12", to: "p13")])
        let lists = fixture.service.lists
        let first = try await lists.apply(delta, to: IdentityFixture.list, for: fixture.phone)
        #expect(first.cursor == 1 && first.count == 0)
        #expect(try await lists.apply(delta, to: IdentityFixture.list, for: fixture.phone) == first)
    }
}
