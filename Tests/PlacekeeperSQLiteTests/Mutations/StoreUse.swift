import PlacekeeperCore
import PlacekeeperService

@testable import PlacekeeperSQLite

/// Uses a store as a service does: every read of each user, a write of each user, and the work for all users.
struct StoreUse {
    let store: SQLiteStore
    let sample: MutatedSample
    private(set) var faults: [String] = []

    init(_ store: SQLiteStore, _ sample: MutatedSample) {
        self.store = store
        self.sample = sample
    }

    private mutating func attempt<Value>(_ name: String, _ work: () async throws(StoreError) -> Value) async -> Value? {
        do throws(StoreError) {
            return try await work()
        } catch {
            faults.append("\(name): \(error)")
            return nil
        }
    }

    /// The work for all users.
    mutating func useForAll() async {
        let store = store
        let now = sample.now
        _ = await attempt("apps") { () async throws(StoreError) in try await store.apps() }
        _ = await attempt("facts") { () async throws(StoreError) in try await store.facts(after: nil, limit: 1000) }
        for app in sample.apps {
            _ = await attempt("users") { () async throws(StoreError) in
                try await store.users(of: app, after: nil, limit: 100)
            }
            _ = await attempt("usage of app") { () async throws(StoreError) in try await store.usage(of: app) }
            _ = await attempt("audit") { () async throws(StoreError) in
                try await store.audit(of: app, about: nil, below: nil, limit: 100)
            }
            for kind in [RestoreLogEntry.Kind.answer, .report, .note] {
                _ = await attempt("restore log") { () async throws(StoreError) in
                    try await store.restoreLog(kind, of: app, below: nil, limit: 100)
                }
            }
            let newest = await attempt("newest changes") { () async throws(StoreError) in
                try await store.newestChanges(of: app, limit: 100)
            }
            for cursor in ["0", newest?.cursor ?? "", "\(Int64.max)"] {
                _ = await attempt("changes of app") { () async throws(StoreError) in
                    try await store.changes(of: app, after: cursor)
                }
            }
            _ = await attempt("search") { () async throws(StoreError) in
                try await store.search(for: ArchiveID(high: 0, low: 1), in: app, from: 0)
            }
        }
        _ = await attempt("audit of service") { () async throws(StoreError) in
            try await store.audit(of: nil, about: nil, below: nil, limit: 100)
        }
        _ = await attempt("counts") { () async throws(StoreError) in try await store.counts(from: at(0), to: now) }
        _ = await attempt("administrators") { () async throws(StoreError) in
            try await store.administrators(after: nil, limit: 100)
        }
        _ = await attempt("tokens") { () async throws(StoreError) in try await store.tokens(after: nil, limit: 100) }
        _ = await attempt("used bytes") { () async throws(StoreError) in try await store.usedBytes() }
        _ = await attempt("check") { () async throws(StoreError) in try await store.check() }
        _ = await attempt("secret") { () async throws(StoreError) in try await store.lookupSecret() }
        _ = await attempt("prune") { () async throws(StoreError) in
            try await store.prune(at: now + .seconds(40 * 86_400))
        }
    }

    /// The requests of a user. Tokens of damaged rows are not found, and no request needs them all.
    mutating func use(_ user: MutatedSample.User) async {
        let (store, owner) = (store, user.owner)
        _ = await attempt("account") { () async throws(StoreError) in try await store.facts(of: owner) }
        _ = await attempt("subject") { () async throws(StoreError) in try await store.sealedSubject(of: owner) }
        _ = await attempt("usage") { () async throws(StoreError) in try await store.usage(of: owner) }
        _ = await attempt("latest time") { () async throws(StoreError) in try await store.latestTime(of: owner) }
        _ = await attempt("devices") { () async throws(StoreError) in try await store.devices(of: owner) }
        _ = await attempt("answers") { () async throws(StoreError) in
            try await store.restoreAnswers(to: owner, of: nil, below: nil, limit: 100)
        }
        for token in user.tokens {
            _ = await attempt("credential") { () async throws(StoreError) in try await store.credential(of: token) }
        }
        _ = await attempt("changes") { () async throws(StoreError) in
            try await store.changes(of: owner, after: Revision(rawValue: 0), limit: 100)
        }
        _ = await attempt("heads") { () async throws(StoreError) in
            try await store.heads(of: owner, below: nil, limit: 100)
        }
        _ = await attempt("scenes") { () async throws(StoreError) in
            try await store.scenes(of: owner, after: nil, limit: 100)
        }
        let heads = await attempt("heads of scenes") { () async throws(StoreError) in
            try await store.sceneHeads(of: owner, behind: nil, limit: 100)
        }
        for scene in Set((heads ?? []).map(\.scene)) { await use(scene) }
        await useItems(of: owner)
        await write(as: user)
    }

    private mutating func use(_ scene: SceneKey) async {
        let (store, now) = (store, sample.now)
        let page = await attempt("history") { () async throws(StoreError) in
            try await store.history(of: scene, below: nil, limit: 100)
        }
        _ = await attempt("deleted") { () async throws(StoreError) in
            try await store.deletedArchives(in: scene, at: now)
        }
        for archive in page?.archives ?? [] {
            _ = await attempt("bytes") { () async throws(StoreError) in try await store.bytes(of: archive) }
            _ = await attempt("outcomes") { () async throws(StoreError) in
                try await store.outcomes(of: archive.id, in: scene)
            }
            _ = await attempt("screenshot") { () async throws(StoreError) in
                try await store.screenshot(for: archive.id, in: scene)
            }
        }
    }

    private mutating func useItems(of owner: UserKey) async {
        let store = store
        let names = await attempt("data sources") { () async throws(StoreError) in
            try await store.dataSources(of: owner, after: nil, limit: 100)
        }
        for name in names ?? [] {
            let list = ItemList(owner: owner, dataSource: name)
            _ = await attempt("decisions") { () async throws(StoreError) in try await store.links(in: list) }
            let registries = await attempt("registrations") { () async throws(StoreError) in
                try await store.registries(of: list)
            }
            for registry in registries ?? [] {
                let items = await attempt("items") { () async throws(StoreError) in
                    try await store.items(after: nil, in: registry, limit: 100)
                }
                _ = await attempt("texts") { () async throws(StoreError) in
                    try await store.texts(of: (items ?? []).map(\.item), in: registry)
                }
                _ = await attempt("items by position") { () async throws(StoreError) in
                    try await store.items(next: 0, behind: true, in: registry, limit: 100)
                }
            }
        }
    }

    /// Writes as a device of the user does, in the scenes that the samples have.
    private mutating func write(as user: MutatedSample.User) async {
        let (store, now) = (store, sample.now)
        for (number, name) in ["main", "editor", "new"].enumerated() {
            let scene = SceneKey(owner: user.owner, name: name)
            var new = sample(UInt64(1000 * user.number + number), in: scene, user.device)
            new.actor = user.device
            let archive = new
            _ = await attempt("upload") { () async throws(StoreError) in
                try await store.put(archive, retention: 3)
            }
            _ = await attempt("screenshot") { () async throws(StoreError) in
                try await store.putScreenshot(
                    Screenshot(format: .png, bytes: [0x89, 0x50, 0x4E, 0x47]), for: archive.id, in: scene, quotas: .none
                )
            }
            _ = await attempt("deletion") { () async throws(StoreError) in
                try await store.delete(archive.id, in: scene, at: now, isUndoable: true)
            }
        }
        _ = await attempt("delta") { () async throws(StoreError) in
            try await store.apply(
                sampleDelta(), to: ItemList(owner: user.owner, dataSource: "photos"), of: user.device, limit: 100)
        }
        _ = await attempt("last use") { () async throws(StoreError) in
            try await store.recordSeen([user.owner: [user.device: now]])
        }
    }

    private func sample(_ number: UInt64, in scene: SceneKey, _ device: DeviceID) -> NewArchive {
        let bytes = Array("state \(number)".utf8)
        return NewArchive(
            id: ArchiveID(high: 1, low: number), scene: scene, device: device, capturedAt: sample.now,
            receivedAt: sample.now, context: Context(idiom: .phone), digest: Digest(1, 0, 0, number),
            summary: Archive.Summary(place: ["Home"]), bytes: bytes)
    }
}
