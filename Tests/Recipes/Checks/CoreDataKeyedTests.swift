import PlacekeeperRuntime
import Testing

@MainActor
struct CoreDataKeyedTests {
    @Test func opensTheNoteWithTheSameKeyUnderThePadsURI() async throws {
        let devices = try await TwoDevices()
        let phone = NoteList(Notes(["x-coredata://PHONE/Note/p1": "milk", "x-coredata://PHONE/Note/p2": "bread"]))
        _ = try await devices.open("x-coredata://PHONE/Note/p2", of: phone, on: devices.phone)
        let pad = NoteList(Notes(["x-coredata://PAD/Note/p2": "milk", "x-coredata://PAD/Note/p7": "bread"]))
        #expect(await devices.shown(of: pad, on: devices.pad) == "x-coredata://PAD/Note/p7")
    }

    @Test(arguments: [
        // A copied store has the URI of the phone for another note.
        ["x-coredata://PHONE/Note/p2": "milk"],
        // Two notes have the key.
        ["x-coredata://PAD/Note/p1": "bread", "x-coredata://PAD/Note/p2": "bread"],
    ])
    func opensNoOtherNote(notes: [String: String]) async throws {
        let devices = try await TwoDevices()
        let phone = NoteList(Notes(["x-coredata://PHONE/Note/p2": "bread"]))
        _ = try await devices.open("x-coredata://PHONE/Note/p2", of: phone, on: devices.phone)
        #expect(await devices.shown(of: NoteList(Notes(notes)), on: devices.pad) == nil)
    }
}

/// A store in memory: the notes' keys by URI.
private struct Notes: NoteStore {
    let keys: [String: String]

    init(_ keys: [String: String]) { self.keys = keys }

    func key(ofNoteAt uri: String) -> String? { keys[uri] }
    func uris(ofNotesWithKey key: String) -> [String] { keys.filter { $0.value == key }.map(\.key) }
}
