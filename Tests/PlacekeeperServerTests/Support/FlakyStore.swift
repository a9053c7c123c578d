import MemoryStore
import RestorationService
import Synchronization

/// An in-memory store that can fail on demand, and that records its calls and whether they ran on a worker.
final class FlakyStore: Store {
    private let memory: any Store = InMemoryStore()
    private let failure = Mutex<StoreError.Code?>(nil)
    private let asked = Mutex<(onWorkers: Set<String>, elsewhere: Set<String>)>(([], []))

    /// The error of every call. Nil if calls succeed.
    func fail(with code: StoreError.Code?) { failure.withLock { $0 = code } }

    /// The calls since the record was cleared, by code on a worker and by other code.
    var questionsOnWorkers: Set<String> { asked.withLock(\.onWorkers) }
    var questionsElsewhere: Set<String> { asked.withLock(\.elsewhere) }
    func forgetQuestions() { asked.withLock { $0 = ([], []) } }

    private let countOfHeads = Mutex(0)
    /// The number of devices' heads that were read.
    var headsRead: Int { countOfHeads.withLock { $0 } }

    private func fail(_ question: String = #function) throws(StoreError) {
        let isOnWorker = TestWorker.isCurrent
        asked.withLock { asked in
            _ = isOnWorker ? asked.onWorkers.insert(question) : asked.elsewhere.insert(question)
        }
        if let code = failure.withLock({ $0 }) { throw StoreError(code, "told to fail", cause: "the disk \"sda\"") }
    }

    func create(_ app: App) async throws(StoreError) {
        try fail()
        return try await memory.create(app)
    }

    func apps() async throws(StoreError) -> [App] {
        try fail()
        return try await memory.apps()
    }

    func app(_ selector: AppSelector) async throws(StoreError) -> App? {
        try fail()
        return try await memory.app(selector)
    }

    func replaceSettings(of app: AppID, with settings: App.Settings) async throws(StoreError) -> Bool {
        try fail()
        return try await memory.replaceSettings(of: app, with: settings)
    }

    func register(_ device: Device, token: Digest, linkCode: Digest?) async throws(StoreError) -> Joining {
        try fail()
        return try await memory.register(device, token: token, linkCode: linkCode)
    }

    func device(token: Digest) async throws(StoreError) -> Device? {
        try fail()
        return try await memory.device(token: token)
    }

    func devices(of owner: UserKey) async throws(StoreError) -> [Device] {
        try fail()
        return try await memory.devices(of: owner)
    }

    func users(of app: AppID, after last: UserID?, limit: Int) async throws(StoreError) -> [UserOverview] {
        try fail()
        return try await memory.users(of: app, after: last, limit: limit)
    }

    func revoke(_ device: DeviceID, of owner: UserKey, at time: Timestamp) async throws(StoreError) -> Bool {
        try fail()
        return try await memory.revoke(device, of: owner, at: time)
    }

    func noteSeen(_ times: [DeviceID: Timestamp]) async throws(StoreError) {
        try fail()
        return try await memory.noteSeen(times)
    }

    func create(_ code: LinkCode) async throws(StoreError) {
        try fail()
        return try await memory.create(code)
    }

    func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int
    ) async throws(StoreError) -> Joining {
        try fail()
        return try await memory.move(device, of: owner, linkCode: linkCode, at: time, retention: retention)
    }

    func put(_ archive: NewArchive, retention: Int) async throws(StoreError) -> PutResult {
        try fail()
        return try await memory.put(archive, retention: retention)
    }

    func candidates(in scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int)
        async throws(StoreError) -> [Archive]
    {
        try fail()
        return try await memory.candidates(in: scene, device: device, below: position, limit: limit)
    }

    func history(
        of scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> HistoryPage {
        try fail()
        return try await memory.history(of: scene, device: device, below: position, limit: limit)
    }

    func archive(_ id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> ArchiveLookup {
        try fail()
        return try await memory.archive(id, in: scene)
    }

    func bytes(of archive: Archive) async throws(StoreError) -> [UInt8]? {
        try fail()
        return try await memory.bytes(of: archive)
    }

    func head(of scene: SceneKey) async throws(StoreError) -> Revision? {
        try fail()
        return try await memory.head(of: scene)
    }

    func sceneHeads(
        of owner: UserKey, behind scene: String?, limit: Int
    ) async throws(StoreError) -> [Archive] {
        try fail()
        return try await memory.sceneHeads(of: owner, behind: scene, limit: limit)
    }

    func heads(
        of owner: UserKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> [DeviceHead] {
        try fail()
        let heads = try await memory.heads(of: owner, below: position, limit: limit)
        countOfHeads.withLock { $0 += heads.count }
        return heads
    }

    func delete(_ id: ArchiveID, in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> Bool {
        try fail()
        return try await memory.delete(id, in: scene, at: time)
    }

    func forget(_ scene: SceneKey, at time: Timestamp) async throws(StoreError) {
        try fail()
        return try await memory.forget(scene, at: time)
    }

    func putSnapshot(_ snapshot: Snapshot, for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Bool {
        try fail()
        return try await memory.putSnapshot(snapshot, for: id, in: scene)
    }

    func snapshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Snapshot? {
        try fail()
        return try await memory.snapshot(for: id, in: scene)
    }

    func noteServed(_ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp)
        async throws(StoreError)
    {
        try fail()
        return try await memory.noteServed(archive, in: scene, to: device, at: time)
    }

    func report(_ outcome: Outcome, in scene: SceneKey) async throws(StoreError) -> ReportResult {
        try fail()
        return try await memory.report(outcome, in: scene)
    }

    func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome] {
        try fail()
        return try await memory.outcomes(of: id, in: scene)
    }

    func changes(of owner: UserKey, after revision: Revision, limit: Int) async throws(StoreError) -> ChangePage {
        try fail()
        return try await memory.changes(of: owner, after: revision, limit: limit)
    }

    func latestTime() async throws(StoreError) -> Timestamp? {
        try fail()
        return try await memory.latestTime()
    }

    func add(_ counts: [Counter: Int]) async throws(StoreError) {
        try fail()
        return try await memory.add(counts)
    }

    func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int] {
        try fail()
        return try await memory.counts(from: start, to: end)
    }

    func prune(at time: Timestamp, forgot: @escaping @Sendable () -> Void) async throws(StoreError) {
        try fail()
        return try await memory.prune(at: time, forgot: forgot)
    }

    func check() async throws(StoreError) {
        try fail()
        return try await memory.check()
    }

    func declare(
        _ source: DataSource, named name: String, of app: AppID, overriding: Bool
    ) async throws(StoreError) -> Declaration {
        try fail()
        return try await memory.declare(source, named: name, of: app, overriding: overriding)
    }

    func undeclare(_ name: String, of app: AppID) async throws(StoreError) -> Bool {
        try fail()
        return try await memory.undeclare(name, of: app)
    }

    func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> DeltaResult {
        try fail()
        return try await memory.apply(delta, to: list, of: device, limit: limit)
    }

    func registries(of list: ItemList) async throws(StoreError) -> [Registry] {
        try fail()
        return try await memory.registries(of: list)
    }

    func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?] {
        try fail()
        return try await memory.items(keys, in: registry)
    }

    func items(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [[StoredItem]] {
        try fail()
        return try await memory.items(withAliases: aliases, in: registry)
    }

    func textsOfSoleItems(
        withAliases aliases: [LookupKey], in registry: Registry
    ) async throws(StoreError) -> [[UInt8]?] {
        try fail()
        return try await memory.textsOfSoleItems(withAliases: aliases, in: registry)
    }

    func texts(of items: [StoredItem]) async throws(StoreError) -> [[UInt8]?] {
        try fail()
        return try await memory.texts(of: items)
    }

    func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [Bool] {
        try fail()
        return try await memory.areAmbiguous(aliases, in: registry)
    }

    func ambiguousAliases(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [LookupKey] {
        try fail()
        return try await memory.ambiguousAliases(above: key, in: registry, limit: limit)
    }

    func items(
        next position: Int64, behind: Bool, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try fail()
        return try await memory.items(next: position, behind: behind, in: registry, limit: limit)
    }

    func items(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try fail()
        return try await memory.items(above: key, in: registry, limit: limit)
    }

    func decide(_ link: Link, in list: ItemList) async throws(StoreError) -> Bool {
        try fail()
        return try await memory.decide(link, in: list)
    }

    func undecide(_ first: Link.End, _ second: Link.End, in list: ItemList) async throws(StoreError) -> Bool {
        try fail()
        return try await memory.undecide(first, second, in: list)
    }

    func links(in list: ItemList) async throws(StoreError) -> [Link] {
        try fail()
        return try await memory.links(in: list)
    }
}
