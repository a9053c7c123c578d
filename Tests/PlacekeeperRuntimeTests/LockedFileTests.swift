import Foundation
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Tests an archive file that the system refuses to open, like a protected file on a locked device. Each test runs in
/// its own process, which gives up the superuser's right to open every file.
struct LockedFileTests {
    @Test("seed 51 · a file that the system refuses to open is locked: it is neither read nor replaced", .tags(.seed))
    func refusesToReadAndToReplace() async {
        await #expect(processExitsWith: .success) {
            try await ProtectedFolder.play { device in
                let storage = device.storage
                let saved = try storage.readArchive()
                try device.lock(true)
                #expect(throws: StorageError.locked) { try storage.readArchive() }
                #expect(throws: StorageError.locked) { try storage.writeArchive([1]) }
                #expect(LivingApp(storage).application.launch() == .locked)
                try device.lock(false)
                #expect(try storage.readArchive() == saved)
            }
        }
    }

    @Test("seed 52 · a launch with a locked file restores nothing, saves nothing and keeps the file", .tags(.seed))
    func keepsTheLockedFile() async {
        await #expect(processExitsWith: .success) {
            try await ProtectedFolder.play { device in
                let saved = try device.bytes
                try device.lock(true)
                let app = LivingApp(device.storage)
                app.application.launch()
                #expect(app.stack == ["List"])
                #expect(try app.application.saveState() == nil)
                try device.lock(false)
                #expect(try device.bytes == saved)
            }
        }
    }

    @Test(
        "seed 75 · a process whose file was locked at launch has to exit, and never overwrites the file", .tags(.seed))
    func hasToExitAfterLockedLaunch() async {
        await #expect(processExitsWith: .success) {
            try await ProtectedFolder.play { device in
                let saved = try device.bytes
                try device.lock(true)
                let app = LivingApp(device.storage)
                #expect(app.application.launch() == .locked)
                #expect(app.application.hasToExit)
                try device.lock(false)
                #expect(try app.application.saveState() == nil)
                #expect(try device.bytes == saved)
                let next = LivingApp(device.storage)
                next.application.launch()
                #expect(next.stack == ["List", "Page"])
                #expect(!next.application.hasToExit)
            }
        }
    }
}

/// The folder of an app that saved a page. `lock` removes the permissions that the app needs.
@MainActor
private final class ProtectedFolder {
    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    /// The storage as another process opens it.
    var storage: FileArchiveStorage { FileArchiveStorage(folder: folder) }
    /// The archive's bytes on disk.
    var bytes: Data { get throws { try Data(contentsOf: folder.appendingPathComponent("state.plist")) } }

    static func play(_ use: @MainActor (ProtectedFolder) throws -> Void) throws {
        if geteuid() == 0 { try #require(seteuid(65534) == 0) }
        let device = ProtectedFolder()
        defer {
            chmod(device.folder.path, 0o700)
            try? FileManager.default.removeItem(at: device.folder)
        }
        let app = LivingApp(device.storage)
        app.application.launch()
        app.navigation.push(LookUpTests.Made("Page"))
        try app.application.saveState()
        try use(device)
    }

    func lock(_ isLocked: Bool) throws {
        try #require(chmod(folder.appendingPathComponent("state.plist").path, isLocked ? 0 : 0o600) == 0)
        try #require(chmod(folder.path, isLocked ? 0o500 : 0o700) == 0)
    }
}
