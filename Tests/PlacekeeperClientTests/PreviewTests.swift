import PlacekeeperArchive
import Testing

@testable import PlacekeeperClient

struct PreviewTests {
    @Test func clientForPreviewsContactsNothingAndKeepsNothing() async {
        let placekeeper = Placekeeper.preview
        let scene = placekeeper.scene()
        #expect(await scene.launch().reason.code.rawValue == "sign-in-required")
        scene.save(StateArchive(application: ["text": .string("Lisbon")]))
        await #expect(throws: PlacekeeperError.self) { try await placekeeper.flush() }
        await #expect(throws: PlacekeeperError.self) { try await placekeeper.signIn { "subject anna" } }
        #expect(placekeeper.status.account == .unregistered)
        #expect(await scene.launch().isFresh)
    }
}
