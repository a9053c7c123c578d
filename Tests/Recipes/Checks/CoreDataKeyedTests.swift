import PlacekeeperKit
import Testing

@MainActor
struct CoreDataKeyedTests {
    @Test func opensTheNoteWithTheSameKeyUnderThePadsURI() async throws {
        let devices = try await TwoDevices()
        let phone = [Note("x-coredata://PHONE/Note/p1", "milk"), Note("x-coredata://PHONE/Note/p2", "bread")]
        try await devices.open(phone[1], of: notes(phone), on: devices.phone)
        let pad = notes([Note("x-coredata://PAD/Note/p2", "milk"), Note("x-coredata://PAD/Note/p7", "bread")])
        let key = try #require(await devices.shown(of: pad, on: devices.pad))
        #expect(await pad.item(withPlaceID: key)?.uri == "x-coredata://PAD/Note/p7")
    }

    @Test(arguments: [
        // A copied store has the URI of the phone for another note.
        [Note("x-coredata://PHONE/Note/p2", "milk")],
        // Two notes have the key.
        [Note("x-coredata://PAD/Note/p1", "bread"), Note("x-coredata://PAD/Note/p2", "bread")],
    ])
    func opensNoOtherNote(stored: [Note]) async throws {
        let devices = try await TwoDevices()
        let phone = Note("x-coredata://PHONE/Note/p2", "bread")
        try await devices.open(phone, of: notes([phone]), on: devices.phone)
        #expect(await devices.shown(of: notes(stored), on: devices.pad) == nil)
    }

    private func notes(_ stored: [Note]) -> Notes<Note> { Notes { key in stored.filter { $0.placeID == key } } }

    struct Note: PlaceItem {
        let uri: String
        let placeID: String

        init(_ uri: String, _ key: String) { (self.uri, placeID) = (uri, key) }
    }
}
