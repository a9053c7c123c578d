import Foundation
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

struct DiskFileSystemTests {
    /// Runs `body` with files in a temporary folder.
    private func withFiles(_ body: (DiskFileSystem, URL) throws -> Void) throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "placekeeper-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }
        try body(DiskFileSystem(root: root), root)
    }

    @Test func createsMissingFoldersForAFile() throws {
        try withFiles { files, _ in
            try files.write([1], to: "a/b/c")
            try files.writeUnsynced([2], to: "d/e/f")
            #expect(try files.read("a/b/c", limit: 10) == [1])
            #expect(try files.read("d/e/f", limit: 10) == [2])
            #expect(try files.names(in: "a/b") == ["c"])
            #expect(try files.names(in: "d/e") == ["f"])
        }
    }

    @Test func writesAgainAfterAnotherProcessRemovedTheFolder() throws {
        try withFiles { files, root in
            try files.write([1], to: "a/b")
            try FileManager.default.removeItem(at: root)
            try files.write([2], to: "a/b")
            #expect(try files.read("a/b", limit: 10) == [2])
        }
    }

    @Test func removesTemporaryFilesOfEndedProcesses() throws {
        try withFiles { files, root in
            try files.write([1], to: "a/b")
            let (old, recent) = (root.appending(path: "a/c.1.new"), root.appending(path: "a/d.1.new"))
            for file in [old, recent] { try Data([1]).write(to: file) }
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: old.path)
            let scene = root.appending(path: "a/s.note.new")
            try FileManager.default.createDirectory(at: scene, withIntermediateDirectories: true)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: scene.path)
            try files.removeTemporaryFiles(in: "a")
            #expect(try files.names(in: "a") == ["b", "d.1.new", "s.note.new"])
            #expect(!FileManager.default.fileExists(atPath: old.path))
            #expect(FileManager.default.fileExists(atPath: recent.path))
        }
    }

    @Test func launchRemovesTemporaryFilesOfAScene() throws {
        try withFiles { files, root in
            let old = root.appending(path: "devices/new/scenes/s.main/pending-1-a.1.new")
            try FileManager.default.createDirectory(
                at: old.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data([1]).write(to: old)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -90_000)], ofItemAtPath: old.path)
            let core = ClientCore(
                files: files, credentials: FileCredentialStore(files),
                settings: .init(key: "pk_1", device: RestorationContext(idiom: .phone)), launch: "1",
                random: SystemRandomNumberGenerator())
            _ = core.step(at: SystemClock().now())
            #expect(!FileManager.default.fileExists(atPath: old.path))
        }
    }

    @Test func renamesIntoAMissingFolder() throws {
        try withFiles { files, _ in
            try files.write([1], to: "a/b")
            #expect(try files.rename("a/b", to: "c/d/e"))
            #expect(try files.read("c/d/e", limit: 10) == [1])
            #expect(try files.read("a/b", limit: 10) == nil)
        }
    }

    @Test func saysThatThereIsNothingToRename() throws {
        try withFiles { files, _ in
            try files.write([1], to: "a/b")
            #expect(try !files.rename("a/c", to: "a/d"))
            #expect(try !files.rename("x/y", to: "z/y"))
            #expect(try files.names(in: "z") == [])
        }
    }

    @Test func removesFilesAndFolders() throws {
        try withFiles { files, _ in
            try files.write([1], to: "a/b")
            try files.write([1], to: "a/c/d")
            try files.remove("a/b")
            try files.remove("a/b")
            try files.remove("a/missing/b")
            #expect(try files.names(in: "a") == ["c"])
            try files.remove("a")
            #expect(try files.names(in: "") == [])
        }
    }
}
