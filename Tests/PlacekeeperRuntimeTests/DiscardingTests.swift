import Foundation
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
struct DiscardingTests {
    /// The system refuses to remove a folder by a path of more than 4096 bytes, so the test makes `state.plist` a
    /// folder with such paths.
    @Test func removesOtherFilesWhenOneCannotBeRemoved() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        let storage = FileArchiveStorage(folder: folder)
        try storage.writeArchive([1])
        try storage.quarantineArchive()
        try storage.writeAttempts(1)
        let name = String(repeating: "d", count: 250)
        var descriptors: [Int32] = []
        try FileManager.default.createDirectory(
            at: folder.appendingPathComponent("state.plist"), withIntermediateDirectories: false)
        descriptors.append(open(folder.appendingPathComponent("state.plist").path, O_RDONLY | O_DIRECTORY))
        for _ in 1...20 {
            mkdirat(descriptors[descriptors.count - 1], name, 0o700)
            descriptors.append(openat(descriptors[descriptors.count - 1], name, O_RDONLY | O_DIRECTORY))
        }
        defer {
            for descriptor in descriptors.dropLast().reversed() { unlinkat(descriptor, name, AT_REMOVEDIR) }
            for descriptor in descriptors { close(descriptor) }
            try? FileManager.default.removeItem(at: folder)
        }
        #expect(throws: StorageError.self) { try storage.discardEverything() }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["state.plist"])
    }
}
