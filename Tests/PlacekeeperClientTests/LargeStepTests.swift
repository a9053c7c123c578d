import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// An app fills its archive by hand, and a step of the place is larger than the format allows.
struct LargeStepTests {
    private func note(_ text: String, page: Int64) -> StateArchive {
        StateArchive(
            bundleVersion: "1", idiom: 0,
            place: Place([
                .init(screen: "book", parameters: ["page": .integer(page)]),
                .init(screen: "note", parameters: ["page": .integer(page), "text": .string(text)]),
            ]))
    }

    @Test func stepAboveTheLimitLosesItsLargestValueOnly() async throws {
        let service = try await TestService()
        let phone = service.device(.phone)
        phone.placekeeper.scene().save(note(String(repeating: "a", count: 140_000), page: 40))
        try await phone.placekeeper.flush()
        #expect(phone.placekeeper.status.omissions.map(\.name) == ["text"])
        #expect(phone.placekeeper.status.omissions.first?.screen == "note")
        phone.kill()
        let steps = try #require(await phone.placekeeper.scene().launch().restore?.archive.place?.steps)
        #expect(steps.map(\.screen) == ["book", "note"])
        #expect(steps.last?.parameters == ["page": .integer(40)])
        phone.placekeeper.scene().save(note("short", page: 41))
        try await phone.placekeeper.flush()
        #expect(phone.placekeeper.status.omissions.isEmpty)
    }

    @Test func placeAboveTheLimitEndsAtItsLastAllowedScreen() async throws {
        let service = try await TestService()
        let phone = service.device(.phone)
        let steps = (0..<70).map { Place.Step(screen: "folder", parameters: ["depth": .integer(Int64($0))]) }
        phone.placekeeper.scene().save(StateArchive(bundleVersion: "1", idiom: 0, place: Place(steps)))
        try await phone.placekeeper.flush()
        #expect(phone.placekeeper.status.omissions.map(\.name) == ["steps"])
        phone.kill()
        #expect(await phone.placekeeper.scene().launch().restore?.archive.place?.steps.count == Place.maximumStepCount)
    }
}
