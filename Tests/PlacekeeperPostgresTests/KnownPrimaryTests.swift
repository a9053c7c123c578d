import Foundation
import PlacekeeperCore
import PlacekeeperService
import Testing

@testable import PlacekeeperPostgres

@Suite struct KnownPrimaryTests {
    private func server(_ cluster: Int64, _ timeline: Int64) -> ServerIdentity {
        ServerIdentity(cluster: cluster, timeline: timeline)
    }

    @Test func refusesServersOfOlderTimelinesAndOfOtherClusters() throws {
        let primary = KnownPrimary(path: nil)
        try primary.note(server(1, 3))
        try primary.note(server(1, 4))
        #expect(throws: StoreError.self) { try primary.note(server(1, 3)) }
        #expect(throws: StoreError.self) { try primary.note(server(2, 9)) }
        #expect(primary.accepts(server(1, 4)) && primary.accepts(nil))
        #expect(!primary.accepts(server(1, 3)) && !primary.accepts(server(2, 9)))
        try primary.note(server(1, 5))
        #expect(!primary.accepts(server(1, 4)))
        #expect(throws: StoreError.self) { try primary.note(nil) }
    }

    @Test func marksEachPrimaryDifferently() throws {
        let primary = KnownPrimary(path: nil)
        var marks = [primary.mark]
        for timeline in 1...4 as ClosedRange<Int64> {
            try primary.note(server(1, timeline))
            marks.append(primary.mark)
        }
        #expect(Set(marks).count == 5)
    }

    /// A file that could not be written at first is written when the server is noted again.
    @Test func writesTheFileAfterAFailure() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.path + "/primary"
        let primary = KnownPrimary(path: path)
        #expect(throws: StoreError.self) { try primary.note(server(1, 2)) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        try primary.note(server(1, 2))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "1 2\n")
        #expect(throws: StoreError.self) { try KnownPrimary(path: path).note(server(1, 1)) }
    }

    @Test func replacesOnlyARegularFile() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let (path, target) = (folder.path + "/primary", folder.path + "/target")
        try #require(mkfifo(path, 0o600) == 0)
        #expect(throws: StoreError.self) { try KnownPrimary(path: path).note(server(1, 2)) }
        #expect(unlink(path) == 0)
        try Data("kept".utf8).write(to: URL(filePath: target))
        try #require(symlink(target, path + ".new") == 0)
        #expect(throws: StoreError.self) { try KnownPrimary(path: path).note(server(1, 2)) }
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "kept")
    }
}
