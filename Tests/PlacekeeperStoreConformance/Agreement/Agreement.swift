package import PlacekeeperCore
import PlacekeeperMatching
package import PlacekeeperService
import PlacekeeperTestSupport

/// Compares stores after the same random intents.
package enum Agreement {
    package static func owner(_ number: UInt64 = 1) -> UserKey {
        UserKey(app: AppID(high: 0, low: 1), user: UserID(high: 0, low: number))
    }

    package static func at(_ milliseconds: Int64) -> Timestamp {
        Timestamp(milliseconds: 1_750_000_000_000 + milliseconds)
    }

    private static func scene(_ name: String, of user: UInt64) -> SceneKey {
        SceneKey(owner: owner(user), name: name)
    }

    /// Returns everything that can be read from a store, as strings.
    package static func everything(in store: some Store) async throws -> [String] {
        var parts: [String] = []
        let users = try await store.facts(after: nil, limit: 1000)
        parts.append("\(users)")
        for user in users.map(\.owner.user.low) where user != 0 {
            parts.append("\(try await store.heads(of: owner(user), below: nil, limit: 1000))")
            var position: Archive.Position?
            repeat {
                let page = try await store.heads(of: owner(user), below: position, limit: 2)
                parts.append("\(page)")
                position = page.count == 2 ? page.last?.archive.position : nil
            } while position != nil
            parts.append("\(try await store.devices(of: owner(user)))")
            parts.append("\(try await store.usage(of: owner(user)))")
            parts.append("\(String(describing: try await store.latestTime(of: owner(user))))")
            parts.append("\(try await store.scenes(of: owner(user), after: nil, limit: 10))")
            let list = ItemList(owner: owner(user), dataSource: "photos")
            parts.append("\(try await store.links(in: list).map { "\($0)" }.sorted())")
            for registry in try await store.registries(of: list) {
                parts.append("\(registry)")
                let items = try await store.items(after: nil, in: registry, limit: 100)
                parts.append("\(items.map(\.item.key)) \(items.map(\.removedAt))")
            }
            for after in [0, 20, 10_000] as [Int64] {
                let page = try await store.changes(of: owner(user), after: Revision(rawValue: after), limit: 50)
                parts.append("\(page)")
            }
            for name in ["main", "editor"] { parts += try await contents(of: scene(name, of: user), in: store) }
        }
        for number in 1...40 as ClosedRange<UInt64> {
            for kind in 0...1 as ClosedRange<UInt64> {
                parts.append("\(String(describing: try await store.credential(of: Digest(1, kind, 0, number))?.value))")
            }
        }
        parts.append("\(try await store.usage(of: owner().app))")
        let counts = try await store.counts(from: at(0), to: at(1 << 40))
        parts.append("\(counts.map { "\($0)" }.sorted())")
        return parts
    }

    /// Returns a description of the store's choice for a requesting device that has no archives.
    private static func choose(
        in scene: SceneKey, of device: DeviceID?, limit: Int, _ store: some Store
    ) async throws -> String {
        let app = App(id: scene.owner.app, bundleIdentifier: "a.b", publishableKey: "pk_", createdAt: at(0))
        let principal = Principal(
            app: app,
            device: Device(
                id: DeviceID(high: 0, low: 99), owner: scene.owner, idiom: .phone, createdAt: at(0), lastSeenAt: at(0)))
        let context = Context(idiom: .phone, bundleVersion: "1")
        let choice = Choice(in: scene, of: device, for: context, principal: principal, at: at(0))
        let chosen = try await store.choose(choice, limit: limit)
        return """
            \(String(describing: chosen.choice.accepted)) \(String(describing: chosen.choice.head)) \
            \(String(describing: chosen.choice.position)) \(String(describing: chosen.bytes)) \(chosen.hasMore)
            """
    }

    private static func contents(of scene: SceneKey, in store: some Store) async throws -> [String] {
        var parts = ["\(String(describing: try await store.head(of: scene)))"]
        // When the store chooses the head, it caches the head. Later intents must invalidate the cached head.
        parts.append(try await choose(in: scene, of: nil, limit: 1, store))
        let all = try await store.history(of: scene, below: nil, limit: 100).archives
        for archive in all {
            parts.append("\(archive)")
            parts.append("\(String(describing: try await store.bytes(of: archive)?.first)) \(archive.size)")
            parts.append("\(try await store.outcomes(of: archive.id, in: scene))")
            parts.append("\(String(describing: try await store.screenshot(for: archive.id, in: scene)))")
            parts.append(try await choose(in: scene, of: archive.device, limit: 3, store))
        }
        for deleted in try await store.deletedArchives(in: scene, at: at(0)) { parts.append("\(deleted)") }
        for number in 0..<24 as Range<UInt64> {
            parts.append("\(try await store.archive(ArchiveID(high: 0, low: number), in: scene))")
        }
        return parts
    }
}
