import Foundation
import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// Locked devices and launches in the background.
extension KeptStateTests {
    @Test("seed 51 · the archive can be neither read nor replaced while the device is locked", .tags(.seed))
    func refusesAccessWhileLocked() throws {
        try savePages("Page", in: storage)
        try storage.writeAttempts(1)
        let saved = storage.archive
        storage.isLocked = true
        #expect(throws: StorageError.locked) { try storage.readArchive() }
        #expect(throws: StorageError.locked) { try storage.writeArchive([1]) }
        #expect(throws: StorageError.locked) { try storage.discardArchive() }
        #expect(throws: StorageError.locked) { try storage.quarantineArchive() }
        #expect(throws: StorageError.locked) { try storage.discardEverything() }
        #expect(throws: StorageError.locked) { try storage.readAttempts() }
        #expect(throws: StorageError.locked) { try storage.writeAttempts(7) }
        #expect(LivingApp(storage).application.launch() == .locked)
        storage.isLocked = false
        #expect(storage.archive == saved)
        #expect(try storage.readAttempts() == 1)
        try storage.writeAttempts(0)
        #expect(nextStack() == ["List", "Page"])
    }

    @Test("seed 75 · a process that launched locked never overwrites the archive, and has to exit", .tags(.seed))
    func hasToExitAfterLockedLaunch() throws {
        try savePages("Page", in: storage)
        let saved = storage.archive
        storage.isLocked = true
        let app = LivingApp(storage)
        #expect(!app.application.hasToExit)
        let result = app.application.launch()
        #expect(app.application.hasToExit)
        #expect(result.description.contains("has to exit"))
        storage.isLocked = false
        for _ in 1...2 {
            #expect(try app.application.saveState() == nil)
            #expect(storage.archive == saved)
        }
        #expect(app.journal.events.count { $0 == .hasToExit } == 2)
        #expect(!app.journal.calls.contains("shouldSave"))

        let next = LivingApp(storage)
        next.application.launch()
        #expect(next.stack == ["List", "Page"])
        #expect(!next.application.hasToExit)
        #expect(try next.application.saveState() != nil)
    }

    @Test("seed 53 · a background launch on an unlocked device restores the state and saves it again", .tags(.seed))
    func restoresAndSavesInTheBackground() throws {
        try savePages("Page", in: storage)
        let app = LivingApp(storage)
        app.application.launch()
        #expect(app.stack == ["List", "Page"])
        #expect(storage.archive == nil)
        app.navigation.push(Made("Fetched"))
        #expect(try app.application.saveState() != nil)
        #expect(nextStack() == ["List", "Page", "Fetched"])
    }
}
