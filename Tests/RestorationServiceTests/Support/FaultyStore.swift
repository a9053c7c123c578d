import MemoryStore
import Concurrency
import RestorationService

/// A store whose reads and writes fail on demand. It counts look-ups.
final class FaultyStore: Store {
    struct Faults: Sendable {
        var writes: StoreError?
        var reads: StoreError?
    }

    let base = InMemoryStore()
    let faults = LockBox(Faults())
    /// The largest number of aliases, and of items, in one look-up.
    let largestQuestion = LockBox((aliases: 0, items: 0))
    /// The total number of items that were looked up.
    let askedItems = LockBox(0)
    /// The number of look-ups by position.
    let askedPositions = LockBox(0)
    /// The number of aliases that were checked for ambiguity: the largest in one look-up, and the total.
    let askedAmbiguous = LockBox((largest: 0, all: 0))

    private func write() throws(StoreError) { if let error = faults.withLock({ $0.writes }) { throw error } }
    private func read() throws(StoreError) { if let error = faults.withLock({ $0.reads }) { throw error } }

    func create(_ app: App) async throws(StoreError) {
        try write()
        try await base.create(app)
    }
    func apps() async throws(StoreError) -> [App] {
        try read()
        return await base.apps()
    }
    func app(_ selector: AppSelector) async throws(StoreError) -> App? {
        try read()
        return await base.app(selector)
    }
    func replaceSettings(of app: AppID, with settings: App.Settings) async throws(StoreError) -> Bool {
        try write()
        return await base.replaceSettings(of: app, with: settings)
    }
    func register(_ device: Device, token: Digest, linkCode: Digest?) async throws(StoreError) -> Joining {
        try write()
        return await base.register(device, token: token, linkCode: linkCode)
    }
    func device(token: Digest) async throws(StoreError) -> Device? {
        try read()
        return await base.device(token: token)
    }
    func devices(of owner: UserKey) async throws(StoreError) -> [Device] {
        try read()
        return await base.devices(of: owner)
    }
    func users(of app: AppID, after last: UserID?, limit: Int) async throws(StoreError) -> [UserOverview] {
        try read()
        return await base.users(of: app, after: last, limit: limit)
    }
    func revoke(_ device: DeviceID, of owner: UserKey, at time: Timestamp) async throws(StoreError) -> Bool {
        try write()
        return await base.revoke(device, of: owner, at: time)
    }
    func noteSeen(_ times: [DeviceID: Timestamp]) async throws(StoreError) {
        try write()
        await base.noteSeen(times)
    }
    func create(_ code: LinkCode) async throws(StoreError) {
        try write()
        await base.create(code)
    }
    func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int
    ) async throws(StoreError) -> Joining {
        try write()
        return await base.move(device, of: owner, linkCode: linkCode, at: time, retention: retention)
    }
    func put(_ archive: NewArchive, retention: Int) async throws(StoreError) -> PutResult {
        try write()
        return await base.put(archive, retention: retention)
    }
    func candidates(
        in scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> [Archive] {
        try read()
        return await base.candidates(in: scene, device: device, below: position, limit: limit)
    }
    func history(
        of scene: SceneKey, device: DeviceID?, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> HistoryPage {
        try read()
        return await base.history(of: scene, device: device, below: position, limit: limit)
    }
    func archive(_ id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> ArchiveLookup {
        try read()
        return await base.archive(id, in: scene)
    }
    func bytes(of archive: Archive) async throws(StoreError) -> [UInt8]? {
        try read()
        return await base.bytes(of: archive)
    }
    func head(of scene: SceneKey) async throws(StoreError) -> Revision? {
        try read()
        return await base.head(of: scene)
    }
    func sceneHeads(
        of owner: UserKey, behind scene: String?, limit: Int
    ) async throws(StoreError) -> [Archive] {
        try read()
        return await base.sceneHeads(of: owner, behind: scene, limit: limit)
    }
    func heads(
        of owner: UserKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> [DeviceHead] {
        try read()
        return await base.heads(of: owner, below: position, limit: limit)
    }
    func delete(_ id: ArchiveID, in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> Bool {
        try write()
        return await base.delete(id, in: scene, at: time)
    }
    func forget(_ scene: SceneKey, at time: Timestamp) async throws(StoreError) {
        try write()
        await base.forget(scene, at: time)
    }
    func putSnapshot(_ snapshot: Snapshot, for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Bool {
        try write()
        return await base.putSnapshot(snapshot, for: id, in: scene)
    }
    func snapshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Snapshot? {
        try read()
        return await base.snapshot(for: id, in: scene)
    }
    func noteServed(_ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp)
        async throws(StoreError)
    {
        try write()
        await base.noteServed(archive, in: scene, to: device, at: time)
    }
    func report(_ outcome: Outcome, in scene: SceneKey) async throws(StoreError) -> ReportResult {
        try write()
        return await base.report(outcome, in: scene)
    }
    func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome] {
        try read()
        return await base.outcomes(of: id, in: scene)
    }
    func changes(of owner: UserKey, after revision: Revision, limit: Int) async throws(StoreError) -> ChangePage {
        try read()
        return await base.changes(of: owner, after: revision, limit: limit)
    }
    func latestTime() async throws(StoreError) -> Timestamp? {
        try read()
        return await base.latestTime()
    }
    func add(_ counts: [Counter: Int]) async throws(StoreError) {
        try write()
        await base.add(counts)
    }
    func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int] {
        try read()
        return await base.counts(from: start, to: end)
    }
    func prune(at time: Timestamp, forgot: @escaping @Sendable () -> Void) async throws(StoreError) {
        try write()
        await base.prune(at: time, forgot: forgot)
    }
    func check() async throws(StoreError) {
        try read()
        try write()
    }

    func declare(
        _ source: DataSource, named name: String, of app: AppID, overriding: Bool
    ) async throws(StoreError) -> Declaration {
        try write()
        return await base.declare(source, named: name, of: app, overriding: overriding)
    }
    func undeclare(_ name: String, of app: AppID) async throws(StoreError) -> Bool {
        try write()
        return await base.undeclare(name, of: app)
    }
    func apply(
        _ delta: PreparedDelta, to list: ItemList, of device: DeviceID, limit: Int
    ) async throws(StoreError) -> DeltaResult {
        try write()
        return try await base.apply(delta, to: list, of: device, limit: limit)
    }
    func registries(of list: ItemList) async throws(StoreError) -> [Registry] {
        try read()
        return await base.registries(of: list)
    }
    func items(_ keys: [LookupKey], in registry: Registry) async throws(StoreError) -> [StoredItem?] {
        try read()
        largestQuestion.withLock { $0.items = max($0.items, keys.count) }
        askedItems.withLock { $0 += keys.count }
        return await base.items(keys, in: registry)
    }
    func items(withAliases aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [[StoredItem]] {
        try read()
        largestQuestion.withLock { $0.aliases = max($0.aliases, aliases.count) }
        return await base.items(withAliases: aliases, in: registry)
    }
    func textsOfSoleItems(
        withAliases aliases: [LookupKey], in registry: Registry
    ) async throws(StoreError) -> [[UInt8]?] {
        try read()
        return await base.textsOfSoleItems(withAliases: aliases, in: registry)
    }
    func texts(of items: [StoredItem]) async throws(StoreError) -> [[UInt8]?] {
        try read()
        return await base.texts(of: items)
    }
    func areAmbiguous(_ aliases: [LookupKey], in registry: Registry) async throws(StoreError) -> [Bool] {
        try read()
        askedAmbiguous.withLock { $0 = (max($0.largest, aliases.count), $0.all + aliases.count) }
        return await base.areAmbiguous(aliases, in: registry)
    }
    func ambiguousAliases(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [LookupKey] {
        try read()
        return await base.ambiguousAliases(above: key, in: registry, limit: limit)
    }
    func items(
        next position: Int64, behind: Bool, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try read()
        askedPositions.withLock { $0 += 1 }
        return await base.items(next: position, behind: behind, in: registry, limit: limit)
    }
    func items(
        above key: LookupKey?, in registry: Registry, limit: Int
    ) async throws(StoreError) -> [StoredItem] {
        try read()
        return await base.items(above: key, in: registry, limit: limit)
    }
    func decide(_ link: Link, in list: ItemList) async throws(StoreError) -> Bool {
        try write()
        return await base.decide(link, in: list)
    }
    func undecide(_ first: Link.End, _ second: Link.End, in list: ItemList) async throws(StoreError) -> Bool {
        try write()
        return await base.undecide(first, second, in: list)
    }
    func links(in list: ItemList) async throws(StoreError) -> [Link] {
        try read()
        return await base.links(in: list)
    }
}
