import PlacekeeperServer
import Testing

@testable import placekeeper

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite struct PublicFilesTests {
    @Test func readsEveryFileBelowTheDirectoryExceptHiddenFiles() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let folder = root.appending(path: "images")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, text) in [
            ("index.html", "<p>"), (".hidden", "no"), ("images/mark.svg", "<svg/>"), ("empty.css", ""),
        ] {
            try Data(text.utf8).write(to: root.appending(path: name))
        }
        let files = try PublicFiles.read(root.path)
        #expect(files.map(\.name) == ["empty.css", "images/mark.svg", "index.html"])
        #expect(files.map { String(decoding: $0.bytes, as: UTF8.self) } == ["", "<svg/>", "<p>"])
    }

    /// Everyone could read the database.
    @Test func refusesADataDirectoryAtAnyDepth() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        let data = root.appending(path: "pages/data")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        try Data("index".utf8).write(to: root.appending(path: "index.html"))
        try Data("database".utf8).write(to: data.appending(path: "placekeeper.sqlite"))
        let failure = #expect(throws: CommandFailure.self) { try PublicFiles.read(root.path) }
        #expect(failure?.message.contains("is a data directory") == true)
    }

    @Test func namesTheUnreadableDirectory() {
        let failure = #expect(throws: CommandFailure.self) { try PublicFiles.read("/nowhere/at/all") }
        #expect(failure?.exit == .configuration)
        #expect(failure?.message.contains("/nowhere/at/all") == true)
    }
}
