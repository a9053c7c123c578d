import Foundation
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

@MainActor
final class FileArchiveStorageTests {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var files: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

    @Test func keepsOneArchivePerFolder() throws {
        let storage = FileArchiveStorage(folder: folder)
        #expect(try storage.readArchive() == nil)
        try storage.writeArchive([1, 2, 3])
        try storage.writeArchive([4])
        #expect(try FileArchiveStorage(folder: folder).readArchive() == [4])
        #expect(files == ["state.plist"])
        try storage.discardArchive()
        try storage.discardArchive()
        #expect(try storage.readArchive() == nil)
    }

    @Test("seed 46 · a file that cannot be restored is not read again; the newest stays in quarantine", .tags(.seed))
    func keepsOnlyTheNewestQuarantinedArchive() throws {
        let storage = FileArchiveStorage(folder: folder)
        for byte: UInt8 in [1, 2] {
            try storage.writeArchive([byte])
            try storage.quarantineArchive()
        }
        #expect(try storage.readArchive() == nil)
        #expect(files == ["state.quarantined.plist"])
        #expect(try Data(contentsOf: folder.appendingPathComponent("state.quarantined.plist")) == Data([2]))
    }

    @Test func storesLaunchAttempts() throws {
        let storage = FileArchiveStorage(folder: folder)
        #expect(try storage.readAttempts() == 0)
        try storage.writeAttempts(2)
        #expect(try FileArchiveStorage(folder: folder).readAttempts() == 2)
        try storage.writeAttempts(0)
        #expect(try storage.readAttempts() == 0)
        #expect(files == [])
    }

    @Test func throwsIfTheFolderIsAFile() throws {
        try Data().write(to: folder)
        let storage = FileArchiveStorage(folder: folder)
        #expect(throws: StorageError.self) { try storage.writeArchive([1]) }
    }

    @Test func restoresStateInTheNextProcess() throws {
        let storage = FileArchiveStorage(folder: folder)
        let app = LivingApp(storage)
        app.application.launch()
        app.navigation.push(LookUpTests.Made("Page"))
        try app.application.saveState()
        let next = LivingApp(FileArchiveStorage(folder: folder))
        next.application.launch()
        #expect(next.stack == ["List", "Page"])
        #expect(files == [])
    }
}
