import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTestSupport

// The promises that must hold after each step.
extension AccountHistory {
    /// Returns a complaint if a promise is broken.
    mutating func broken() async throws -> String? {
        if let complaint = try await brokenByUsers() { return complaint }
        for token in tokens {
            let principal = try await principal(of: token)
            let device = oracle.device(of: token, at: clock.now())
            guard principal?.device.id == device else {
                return
                    "a token authenticates \(String(describing: principal?.device)), expected \(String(describing: device))"
            }
            if let principal, let complaint = try await broken(for: principal) { return complaint }
        }
        for subject in Self.subjects.compactMap(Subject.init) {
            let user = try await service.accounts.user(of: subject, in: app.id)
            let expected = oracle.homes.first { $0.subject == subject.text }?.user
            if user != expected { return "\(subject.text) has the user \(String(describing: user))" }
        }
        return nil
    }

    /// Checks all users that the store has: their archives, devices and subjects.
    private mutating func brokenByUsers() async throws -> String? {
        let users = try await service.devices.users(of: app.id, after: nil, limit: 1000)
        let homes = oracle.homes.indices.filter { !oracle.homes[$0].isErased }
        guard Set(users.map(\.user)) == Set(homes.map { oracle.homes[$0].user.user }) else {
            return "\(users.count) users, expected \(homes.count)"
        }
        var stored: Set<ArchiveID> = []
        var installations: Set<String> = []
        for index in homes {
            let home = oracle.homes[index]
            let devices = try await store.devices(of: home.user)
            guard Set(devices.map(\.id)) == oracle.devices(in: index) else {
                return "a user has the devices \(devices)"
            }
            // A client without an installation gives no name.
            for name in devices.compactMap(\.name) where !installations.insert(name).inserted {
                return "\(name) has two devices"
            }
            let subject = try await service.accounts.subject(of: home.user)?.text
            if let complaint = try await broken(home, subject, &stored) { return complaint }
        }
        for (id, archive) in made where archive.isAcknowledged && !oracle.removed.contains(id) && !stored.contains(id) {
            return "the archive \(id.low) is lost"
        }
        return nil
    }

    /// Checks the stored archives of a user, without the oracle's knowledge of moves: an archive never gets another
    /// subject.
    private mutating func broken(
        _ home: AccountOracle.Home, _ subject: String?, _ stored: inout Set<ArchiveID>
    ) async throws -> String? {
        var own: Set<ArchiveID> = []
        for scene in ["main", "notes"] {
            let key = SceneKey(owner: home.user, name: scene)
            for archive in try await store.history(of: key, below: nil, limit: 1000).archives {
                guard let known = made[archive.id], known.scene == scene, stored.insert(archive.id).inserted else {
                    return "the archive \(archive.id.low) is stored twice"
                }
                own.insert(archive.id)
                if let before = known.subject, before != subject {
                    return "the archive \(archive.id.low) of \(before) belongs to \(subject ?? "an anonymous user")"
                }
                made[archive.id]?.subject = subject
            }
        }
        guard own == home.archives else {
            return "a user has the archives \(own.map(\.low).sorted()), expected \(home.archives.map(\.low).sorted())"
        }
        return nil
    }

    /// Checks everything that a device can read.
    private mutating func broken(for principal: Principal) async throws -> String? {
        guard let home = oracle.home(of: principal.device.id), home.user == principal.owner else {
            return "a device has the user \(principal.owner)"
        }
        var read: Set<ArchiveID> = []
        let context = Context(idiom: .phone, bundleVersion: "42")
        for scene in ["main", "notes"] {
            read.formUnion(
                try await service.archives.history(in: scene, below: nil, limit: 100, principal: principal).archives
                    .map(\.id)
            )
            let latest = try await service.restores.latest(
                in: scene, of: nil, for: context, principal: principal, isServing: random.below(4) == 0)
            let hasArchives = home.archives.contains { made[$0]?.scene == scene }
            switch latest {
            case .served(let served, let bytes):
                read.insert(served.archive.id)
                guard bytes == made[served.archive.id]?.bytes else { return "\(served.archive.id.low) has other bytes" }
            default:
                if hasArchives { return "no archive of \(scene) is served" }
            }
        }
        read.formUnion(
            try await service.restores.places(for: context, limit: 100, principal: principal).map(\.archive.id))
        guard read == home.archives else {
            return "a device reads \(read.map(\.low).sorted()), expected \(home.archives.map(\.low).sorted())"
        }
        let devices = try await service.devices.devices(for: principal)
        guard devices.allSatisfy({ oracle.home(of: $0.id)?.user == home.user }) else { return "sees other devices" }
        let ids = made.keys.sorted()
        guard !ids.isEmpty else { return nil }
        let id = ids[random.below(ids.count)]
        let found = try await service.archives.archive(id, in: made[id]?.scene ?? "", principal: principal)
        let isFound = if case .stored = found { true } else { false }
        let isOwn = home.archives.contains(id)
        return isFound == isOwn ? nil : "a device finds \(id.low): \(isFound), expected \(isOwn)"
    }
}
