import PlacekeeperArchive
import PlacekeeperStandIns
import PlacekeeperRuntime
import Testing

/// A storage whose operations can fail, as on a full or broken disk.
@MainActor
final class FaultyStorage: ArchiveStorage {
    enum Operation { case readArchive, writeArchive, quarantineArchive, readAttempts, writeAttempts }

    var faults: Set<Operation> = []
    private let storage: InMemoryArchiveStorage

    init(_ storage: InMemoryArchiveStorage) { self.storage = storage }

    private func attempt(_ operation: Operation) throws(StorageError) {
        if faults.contains(operation) { throw .failed("\(operation)") }
    }

    func readArchive() throws(StorageError) -> [UInt8]? {
        try attempt(.readArchive)
        return try storage.readArchive()
    }
    func writeArchive(_ bytes: [UInt8]) throws(StorageError) {
        try attempt(.writeArchive)
        try storage.writeArchive(bytes)
    }
    func discardArchive() throws(StorageError) { try storage.discardArchive() }
    func quarantineArchive() throws(StorageError) {
        try attempt(.quarantineArchive)
        try storage.quarantineArchive()
    }
    func discardEverything() throws(StorageError) { try storage.discardEverything() }
    func readAttempts() throws(StorageError) -> Int {
        try attempt(.readAttempts)
        return try storage.readAttempts()
    }
    func writeAttempts(_ count: Int) throws(StorageError) {
        try attempt(.writeAttempts)
        try storage.writeAttempts(count)
    }
}

@MainActor
struct StorageFaultTests {
    private let storage = InMemoryArchiveStorage()

    /// Saves a pushed page, and launches the app again on a storage whose operations `faults` fail.
    private func launch(_ faults: Set<FaultyStorage.Operation>) throws -> (LivingApp, LaunchResult, FaultyStorage) {
        let before = LivingApp(storage)
        before.application.launch()
        before.navigation.push(LookUpTests.Made("Page"))
        try before.application.saveState()
        let faulty = FaultyStorage(storage)
        faulty.faults = faults
        let app = LivingApp(faulty)
        return (app, app.application.launch(), faulty)
    }

    @Test(arguments: [FaultyStorage.Operation.readAttempts, .writeAttempts])
    func restoresWhenAttemptsCannotBeCounted(_ fault: FaultyStorage.Operation) throws {
        let (app, result, _) = try launch([fault])
        guard case .restored = result else { throw StorageError.failed("\(result)") }
        #expect(app.stack == ["List", "Page"])
    }

    @Test func quarantinesArchiveThatTheStorageCannotRead() throws {
        let (app, result, faulty) = try launch([.readArchive])
        let saved = try #require(storage.quarantinedArchive)
        guard case .unreadable = result else { throw StorageError.failed("\(result)") }
        #expect(app.stack == ["List"])
        faulty.faults = []
        #expect(try app.application.saveState() != nil)
        #expect(storage.quarantinedArchive == saved)
        #expect(storage.archive != saved)
    }

    @Test func doesNotOverwriteArchiveThatCannotBeReadOrQuarantined() throws {
        let (app, _, faulty) = try launch([.readArchive, .quarantineArchive])
        let saved = try #require(storage.archive)
        #expect(app.application.hasToExit)
        faulty.faults = []
        #expect(try app.application.saveState() == nil)
        #expect(storage.archive == saved)
        let next = LivingApp(storage)
        next.application.launch()
        #expect(next.stack == ["List", "Page"])
    }

    @Test func keepsEarlierArchiveWhenAttemptsCannotBeWritten() throws {
        let storage = FaultyStorage(self.storage)
        let app = LivingApp(storage)
        app.application.launch()
        try app.application.saveState()
        let saved = self.storage.archive
        app.navigation.push(LookUpTests.Made("Page"))
        storage.faults = [.writeAttempts]
        #expect(throws: StorageError.self) { try app.application.saveState() }
        #expect(self.storage.archive == saved)
    }
}
