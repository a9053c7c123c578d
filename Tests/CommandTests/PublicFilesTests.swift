import FoundationEssentials
import Testing

@testable import placekeeper

@Suite struct PublicFilesTests {
    @Test func readsEveryFileBelowTheDirectoryButHiddenOnes() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appending(path: "images")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [
            ("index.html", "<p>"), (".hidden", "no"), ("images/mark.svg", "<svg/>"), ("empty.css", ""),
        ] {
            try Data(text.utf8).write(to: root.appending(path: name))
        }
        #expect(
            try PublicFiles.read(root.path) == [
                .init(name: "empty.css", bytes: []), .init(name: "images/mark.svg", bytes: Array("<svg/>".utf8)),
                .init(name: "index.html", bytes: Array("<p>".utf8)),
            ])
    }

    @Test func saysWhichDirectoryCannotBeRead() {
        let failure = #expect(throws: CommandFailure.self) { try PublicFiles.read("/nowhere/at/all") }
        #expect(failure?.exit == .configuration)
        #expect(failure?.message.contains("/nowhere/at/all") == true)
    }
}
