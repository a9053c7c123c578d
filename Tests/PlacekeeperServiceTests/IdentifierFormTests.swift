import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
@testable import PlacekeeperService
import PlacekeeperTestSupport
import Testing

/// Identifiers are bytes: two Unicode normalization forms of a text are two identifiers. They are one alias.
@Suite struct IdentifierFormTests {
    private static let (composed, decomposed) = ("Fotos/\u{E9}.jpg", "Fotos/e\u{301}.jpg")

    private func bytes(_ references: [ModelReference]) -> [[UInt8]?] {
        references.map { $0.element.identifier.map { Array($0.utf8) } }
    }

    @Test func servesTheRequestingDevicesFormOfAnIdentifier() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item(Self.composed, aliases: ["a"]), on: fixture.phone)
        try await fixture.register(Item(Self.decomposed, aliases: ["a"]), on: fixture.pad)
        _ = try await fixture.upload([.to(Self.composed)], by: fixture.phone)
        #expect(bytes(try await fixture.references(for: fixture.pad)) == [Array(Self.decomposed.utf8)])
    }

    @Test func resolvesBothFormsInOneArchive() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(
            Item(Self.composed, aliases: ["a"]), Item(Self.decomposed, aliases: ["b"]), on: fixture.phone)
        try await fixture.register(Item("q1", aliases: ["a"]), Item("q2", aliases: ["b"]), on: fixture.pad)
        _ = try await fixture.upload([.to(Self.composed), .to(Self.decomposed)], by: fixture.phone)
        #expect(bytes(try await fixture.references(for: fixture.pad)) == [Array("q1".utf8), Array("q2".utf8)])
        #expect(
            bytes(try await fixture.references(for: fixture.phone))
                == [Array(Self.composed.utf8), Array(Self.decomposed.utf8)])
    }

    /// An alias that came with two items is not evidence for one of them.
    @Test func takesBothFormsForTwoItemsThatShareAnAlias() async throws {
        let fixture = try await IdentityFixture()
        try await fixture.register(Item("q1", aliases: ["t"]), on: fixture.pad)
        _ = try await fixture.upload(
            [.to(Self.composed, aliases: ["t"]), .to(Self.decomposed, aliases: ["t"])], by: fixture.phone)
        #expect(bytes(try await fixture.references(for: fixture.pad)) == [nil, nil])
    }

    /// Renaming a file may change only the form of its name.
    @Test func followsARedirectBetweenTheFormsInASharedList() async throws {
        let fixture = try await IdentityFixture(DataSource(scope: .shared, allowsRedirects: true))
        _ = try await fixture.upload([.to(Self.decomposed), .to(Self.composed)], by: fixture.phone)
        try await fixture.redirect(Self.decomposed, to: Self.composed, on: fixture.phone)
        let composed = Array(Self.composed.utf8)
        #expect(bytes(try await fixture.references(for: fixture.pad)) == [composed, composed])
        let found = try await fixture.service.lists.resolve(
            [Self.decomposed, Self.composed], of: fixture.phone.device.id, in: IdentityFixture.list, for: fixture.pad)
        #expect(found.map { $0.identifier.map { Array($0.utf8) } } == [composed, composed])
    }

    @Test func comparesNamesByTheirBytes() {
        let (one, other) = (Self.composed, Self.decomposed)
        #expect(Item(one) != Item(other) && Item(one, aliases: [one]) == Item(one, aliases: [other]))
        #expect(Evidence(one) != Evidence(other) && Evidence(nil, aliases: [one]) == Evidence(nil, aliases: [other]))
        #expect(ItemDelta.Redirect(from: one, to: "p") != ItemDelta.Redirect(from: other, to: "p"))
        #expect(ItemDelta.Redirect(from: "p", to: one) != ItemDelta.Redirect(from: "p", to: other))
        let device = DeviceID(high: 0, low: 1)
        #expect(ItemName(device: device, identifier: one) != ItemName(device: device, identifier: other))
    }
}
