import Foundation
import PlacekeeperAPI
import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// Two files whose names differ only in their Unicode normalization form are two items of a list.
final class ListIdentifierTests: DeviceTests {
    private static let (composed, decomposed) = ("Fotos/\u{E9}.jpg", "Fotos/e\u{301}.jpg")

    override init() async throws {
        try await super.init()
        await phone.saveAndFlush("Lisbon")
    }

    private func elements(_ identifiers: String...) -> [ListElement] {
        identifiers.map { .init($0, aliases: ["a:\($0.utf8.count)"]) }
    }

    /// Updates the list, and returns the methods of the requests.
    private func update(_ elements: [ListElement]) async -> [String] {
        let count = phone.network.requests.count
        await phone.updateAndFlush("photos", elements)
        #expect(phone.last.status.problem == nil)
        return phone.network.requests.dropFirst(count).map(\.method)
    }

    /// Returns the identifiers that the service has registered for the phone, in the list's order.
    private func registered() async throws -> [[UInt8]] {
        let fields = [TransportRequest.Field("Authorization", "Bearer " + (phone.registration?.token ?? ""))]
        let target = "/v1/data-sources/photos/items?limit=1000"
        let response = try await service.answer(TransportRequest("GET", target, fields: fields))
        let page = try JSONDecoder().decode(
            PlacekeeperAPI.Wire.Page<PlacekeeperAPI.Wire.Item>.self, from: Data(response.body))
        return page.items.sorted { ($0.position ?? 0) < ($1.position ?? 0) }.map { Array($0.identifier.utf8) }
    }

    private func bytes(_ identifiers: String...) -> [[UInt8]] { identifiers.map { Array($0.utf8) } }

    @Test func registersBothForms() async throws {
        let both = elements(Self.composed, "b", Self.decomposed)
        _ = await update(both)
        #expect(try await registered() == bytes(Self.composed, "b", Self.decomposed))
        // The digests agree, so the client sends nothing more, also after a restart with the list's file.
        #expect(await update(both).isEmpty)
        phone.restart()
        #expect(await update(both) == ["GET"])
    }

    @Test func removesOnlyTheGoneForm() async throws {
        _ = await update(elements(Self.composed, "b", Self.decomposed))
        #expect(await update(elements("b", Self.decomposed)) == ["PATCH"])
        #expect(try await registered() == bytes("b", Self.decomposed))
    }

    @Test func replacesOneFormByTheOther() async throws {
        _ = await update(elements(Self.composed, "b"))
        phone.core.redirect(Self.composed, to: Self.decomposed, in: "photos", at: phone.clock.now())
        #expect(await update(elements(Self.decomposed, "b")) == ["PATCH"])
        #expect(try await registered() == bytes(Self.decomposed, "b"))
        let body = try #require(phone.network.requests.last?.body)
        let delta = try JSONDecoder().decode(PlacekeeperAPI.Wire.ItemDelta.self, from: Data(body))
        let redirects = try #require(delta.redirects)
        #expect(redirects.map { Array($0.from.utf8) } == bytes(Self.composed))
        #expect(redirects.map { Array($0.to.utf8) } == bytes(Self.decomposed))
    }

    @Test func aStateWithTheOtherFormIsAnotherState() {
        let archives = [Self.composed, Self.decomposed].map { identifier in
            StateArchive(
                application: ["photo": .reference(0)],
                references: [.init(dataSource: "photos", element: .init(identifier), role: .selected)])
        }
        #expect(!archives[0].shows(sameAs: archives[1]))
        #expect(archives[0].shows(sameAs: archives[0]))
    }
}
