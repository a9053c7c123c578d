import Dispatch
package import PlacekeeperCore
import PlacekeeperMemoryStore
package import PlacekeeperService

/// A call of a store's method.
package struct StoreCall: Sendable {
    package enum Kind: Sendable { case read, write }

    package var kind: Kind
    /// The method's name with its labels, such as `bytes(of:)`.
    package var name: String
    /// The number of keys that the call asks for, or the call's limit. 0 if the call has neither.
    package var size: Int
}

/// Forwards each call to another store. A closure receives the call first, and may refuse the call with an error.
package final class InterceptingStore: Store {
    /// The store that gets the next call.
    package var base: any Store { choose() }
    private let choose: @Sendable () -> any Store
    private let intercept: @Sendable (StoreCall) throws(StoreError) -> Void
    package let isShared: Bool

    /// - Parameter isShared: whether the store reads the versions of users as a store does that other processes use.
    package init(
        _ base: any Store = InMemoryStore(), isShared: Bool = false,
        intercept: @escaping @Sendable (StoreCall) throws(StoreError) -> Void
    ) {
        choose = { base }
        self.isShared = isShared
        self.intercept = intercept
    }

    /// Creates a store that forwards each call to the store that the closure returns.
    package init(choosing choose: @escaping @Sendable () -> any Store) {
        self.choose = choose
        isShared = false
        intercept = { _ in }
    }

    func will(_ kind: StoreCall.Kind, size: Int = 0, _ name: String = #function) throws(StoreError) {
        try intercept(StoreCall(kind: kind, name: name, size: size))
    }

    package func carryOut<Answer: Sendable>(_ rule: Rule<Answer>) async throws(StoreError) -> Committed<Answer> {
        try will(.write, rule.name)
        return try await base.carryOut(rule)
    }

    package func create(_ app: App) async throws(StoreError) {
        try will(.write)
        return try await base.create(app)
    }

    package func apps() async throws(StoreError) -> [App] {
        try will(.read)
        return try await base.apps()
    }

    package func app(_ selector: AppSelector) async throws(StoreError) -> App? {
        try will(.read)
        return try await base.app(selector)
    }

    package func replaceSettings(
        of app: AppID, with settings: App.Settings, replacing expected: App.Settings?
    ) async throws(StoreError) -> Committed<Bool> {
        try will(.write)
        return try await base.replaceSettings(of: app, with: settings, replacing: expected)
    }

    package func credential(of token: Digest) async throws(StoreError) -> Fresh<Credential>? {
        try will(.read)
        return try await base.credential(of: token)
    }

    package func userID(ofSubject digest: Digest, in app: AppID) async throws(StoreError) -> UserID? {
        try will(.read)
        return try await base.userID(ofSubject: digest, in: app)
    }

    package func append(_ entry: AuditEntry) async throws(StoreError) {
        try will(.write)
        try await base.append(entry)
    }

    package func audit(
        of app: AppID?, about subject: Digest?, below position: Int64?, limit: Int
    ) async throws(StoreError) -> [AuditEntry] {
        try will(.read)
        return try await base.audit(of: app, about: subject, below: position, limit: limit)
    }

    package func sealedSubject(of owner: UserKey) async throws(StoreError) -> [UInt8]? {
        try will(.read)
        return try await base.sealedSubject(of: owner)
    }

    package func devices(of owner: UserKey) async throws(StoreError) -> [Device] {
        try will(.read)
        return try await base.devices(of: owner)
    }

    package func search(for id: ArchiveID, in app: AppID, from step: Int64) async throws(StoreError) -> ArchiveSearch {
        try will(.read)
        return try await base.search(for: id, in: app, from: step)
    }

    package func device(_ id: DeviceID, in app: AppID) async throws(StoreError) -> Device? {
        try will(.read)
        return try await base.device(id, in: app)
    }

    package func users(
        of app: AppID, by order: UserOrder, after position: UserPosition?, limit: Int,
        matching conditions: UserConditions
    ) async throws(StoreError) -> [ListedUser] {
        try will(.read, size: limit)
        return try await base.users(of: app, by: order, after: position, limit: limit, matching: conditions)
    }

    package func users(
        _ ids: [UserID], of app: AppID, by order: UserOrder, matching conditions: UserConditions
    ) async throws(StoreError) -> [ListedUser] {
        try will(.read)
        return try await base.users(ids, of: app, by: order, matching: conditions)
    }

    package func recordSeen(_ times: [UserKey: [DeviceID: Timestamp]]) async throws(StoreError) {
        try will(.write)
        try await base.recordSeen(times)
    }

    package func choose(_ choice: Choice, limit: Int) async throws(StoreError) -> Chosen {
        try will(.read, size: limit)
        return try await base.choose(choice, limit: limit)
    }

    package func history(
        of scene: SceneKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> HistoryPage {
        try will(.read)
        return try await base.history(of: scene, below: position, limit: limit)
    }

    package func archive(_ id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> ArchiveLookup {
        try will(.read)
        return try await base.archive(id, in: scene)
    }

    package func bytes(of archive: Archive) async throws(StoreError) -> [UInt8]? {
        try will(.read)
        return try await base.bytes(of: archive)
    }

    package func head(of scene: SceneKey) async throws(StoreError) -> Archive.Position? {
        try will(.read)
        return try await base.head(of: scene)
    }

    package func sceneHeads(
        of owner: UserKey, behind scene: String?, limit: Int
    ) async throws(StoreError) -> [Archive] {
        try will(.read)
        return try await base.sceneHeads(of: owner, behind: scene, limit: limit)
    }

    package func heads(
        of owner: UserKey, below position: Archive.Position?, limit: Int
    ) async throws(StoreError) -> [DeviceHead] {
        try will(.read, size: limit)
        return try await base.heads(of: owner, below: position, limit: limit)
    }

    package func deletedArchives(in scene: SceneKey, at time: Timestamp) async throws(StoreError) -> [DeletedArchive] {
        try will(.read)
        return try await base.deletedArchives(in: scene, at: time)
    }

    package func changes(of app: AppID, after cursor: String) async throws(StoreError) -> AppChangePage {
        try will(.read)
        return try await base.changes(of: app, after: cursor)
    }

    package func newestChanges(of app: AppID, limit: Int) async throws(StoreError) -> AppChangePage {
        try will(.read, size: limit)
        return try await base.newestChanges(of: app, limit: limit)
    }

    package func usage(of owner: UserKey) async throws(StoreError) -> Usage {
        try will(.read)
        return try await base.usage(of: owner)
    }

    package func usage(of app: AppID) async throws(StoreError) -> Usage {
        try will(.read)
        return try await base.usage(of: app)
    }

    package func screenshot(for id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> Screenshot? {
        try will(.read)
        return try await base.screenshot(for: id, in: scene)
    }

    package func recordServing(_ archive: ArchiveID, in scene: SceneKey, to device: DeviceID, at time: Timestamp)
        async throws(StoreError)
    {
        try will(.write)
        return try await base.recordServing(archive, in: scene, to: device, at: time)
    }

    package func outcomes(of id: ArchiveID, in scene: SceneKey) async throws(StoreError) -> [Outcome] {
        try will(.read)
        return try await base.outcomes(of: id, in: scene)
    }

    package func changes(of owner: UserKey, after revision: Revision, limit: Int) async throws(StoreError) -> ChangePage
    {
        try will(.read)
        return try await base.changes(of: owner, after: revision, limit: limit)
    }

    package func latestTime(of owner: UserKey) async throws(StoreError) -> Timestamp? {
        try will(.read)
        return try await base.latestTime(of: owner)
    }

    package func latestTime() async throws(StoreError) -> Timestamp? {
        try will(.read)
        return try await base.latestTime()
    }

    package func add(_ counts: [Counter: Int]) async throws(StoreError) {
        try will(.write)
        return try await base.add(counts)
    }

    package func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int] {
        try will(.read)
        return try await base.counts(from: start, to: end)
    }

    package func counts(
        of app: AppID?, named name: String?, from start: Timestamp, to end: Timestamp, each hours: Int
    ) async throws(StoreError) -> [Counter: Int] {
        try will(.read)
        return try await base.counts(of: app, named: name, from: start, to: end, each: hours)
    }

    package func dropCounts(named name: String, after time: Timestamp) async throws(StoreError) {
        try will(.write)
        return try await base.dropCounts(named: name, after: time)
    }

    package func prune(at time: Timestamp) async throws(StoreError) {
        try will(.write)
        return try await base.prune(at: time)
    }

    package func check() async throws(StoreError) {
        try will(.write)
        return try await base.check()
    }

    package func userVersion(of owner: UserKey) async throws(StoreError) -> UserVersion {
        try will(.read)
        return try await base.userVersion(of: owner)
    }

    package func knownUserVersion(of owner: UserKey) -> UserVersion? {
        guard !isShared, (try? will(.read)) != nil else { return nil }
        return base.knownUserVersion(of: owner)
    }

    package func askUserVersion(
        of owner: UserKey, _ receive: @escaping @Sendable (Result<UserVersion, StoreError>) -> Void
    ) {
        let answer: Result<UserVersion, StoreError>
        do throws(StoreError) {
            try will(.read)
            guard let userVersion = base.knownUserVersion(of: owner) else {
                return base.askUserVersion(of: owner, receive)
            }
            answer = .success(userVersion)
        } catch {
            answer = .failure(error)
        }
        DispatchQueue.global().async { receive(answer) }
    }

    package func externalInvalidations(following owners: [UserKey]) async throws(StoreError) -> Invalidations {
        try will(.write)
        return try await base.externalInvalidations(following: owners)
    }

    package func usedBytes() async throws(StoreError) -> Int {
        try will(.read)
        return try await base.usedBytes()
    }

    package func lookupSecret() async throws(StoreError) -> [UInt8] {
        try will(.read)
        return try await base.lookupSecret()
    }

    package func erase(_ owner: UserKey) async throws(StoreError) -> Committed<Bool> {
        try will(.write)
        return try await base.erase(owner)
    }

    package func facts(of owner: UserKey) async throws(StoreError) -> UserFacts? {
        try will(.read)
        return try await base.facts(of: owner)
    }

    package func facts(after last: UserKey?, limit: Int) async throws(StoreError) -> [UserFacts] {
        try will(.read, size: limit)
        return try await base.facts(after: last, limit: limit)
    }

    package func remove(_ app: AppID) async throws(StoreError) -> Committed<Bool> {
        try will(.write)
        return try await base.remove(app)
    }

    package func close() async { await base.close() }
}
