import PlacekeeperConcurrency
import PlacekeeperCore
@testable import PlacekeeperMatching
import PlacekeeperTestSupport
import Testing

@testable import PlacekeeperService

extension StoreBehavior {
    static let list = ItemList(owner: user(1), dataSource: "photos")

    static func key(_ number: Int64) -> LookupKey { LookupKey(rawValue: number) }

    /// A delta of items by key, each with aliases and a position.
    static func delta(
        _ items: [(key: Int64, aliases: [Int64], position: Int64?)] = [], removals: [Int64] = [],
        redirects: [(from: Int64, to: Int64)] = [], after: Int64? = nil, at time: Double = 0
    ) -> PreparedDelta {
        @Sendable func fingerprint(_ key: LookupKey, _ aliases: [LookupKey], _ position: Int64?) -> ItemDigest {
            let mixed = aliases.reduce(key.rawValue &* 31) { $0 ^ $1.rawValue &* 17 } ^ (position ?? -1) &* 7
            return ItemDigest(high: UInt64(bitPattern: mixed), low: UInt64(bitPattern: key.rawValue))
        }
        return PreparedDelta(
            upserts: items.map { item in
                let aliases = item.aliases.map(key)
                return PreparedDelta.Upsert(
                    key: key(item.key), aliases: aliases, position: item.position, texts: [UInt8(item.key & 0xFF)],
                    digest: fingerprint(key(item.key), aliases, item.position))
            },
            removals: removals.map(key),
            redirects: redirects.map { redirect in
                PreparedDelta.Redirect(from: key(redirect.from), to: key(redirect.to), texts: [])
            }, after: after, time: at(time)
        ) { item, _ in fingerprint(item.key, item.aliases, item.position) }
    }

    static func register(_ delta: PreparedDelta, in store: any Store) async throws -> Registry {
        if try await store.devices(of: user(1)).isEmpty {
            _ = try await store.register(makeDevice(1), token: digest(1), linkCode: nil)
        }
        guard case .applied = try await store.apply(delta, to: list, of: device(1), limit: 10).value else {
            throw StoreError(.corrupt, "the delta was refused")
        }
        return try #require(try await store.registries(of: list).first)
    }

    static let items = [
        StoreBehavior("counts live items, and increases the cursor with each change") { store async throws in
            var registry = try await register(delta([(1, [7], nil), (2, [8], nil)]), in: store)
            #expect(registry.state.cursor == 1 && registry.state.count == 2)
            registry = try await register(delta([(1, [7], nil)], removals: [3]), in: store)
            #expect(registry.state.cursor == 1)
            registry = try await register(delta([(1, [9], nil)], removals: [2]), in: store)
            #expect(registry.state.cursor == 2 && registry.state.count == 1)
            #expect(
                try await store.items([key(1), key(2), key(3)], in: registry).map { $0?.isLive } == [true, false, nil])
        },
        StoreBehavior("computes the digest from live items only") {
            store async throws in
            let changes = [
                delta([(1, [7], nil), (2, [8], 5), (3, [9], nil)]), delta([(1, [6], nil), (2, [8], 4)]),
                delta([(4, [], nil)], redirects: [(3, 4)]), delta([(3, [9], 1)], removals: [2]),
            ]
            var registry: Registry?
            for change in changes { registry = try await register(change, in: store) }
            _ = try await store.register(makeDevice(2), token: digest(2), linkCode: nil)
            let same = delta([(1, [6], nil), (3, [9], 1), (4, [], nil)])
            let fresh = try await store.apply(same, to: list, of: device(2), limit: 10).value
            guard case .applied(let state) = fresh else { throw StoreError(.corrupt, "the delta was refused") }
            #expect(registry?.state.count == 3)
            #expect(registry?.state.digest == state.digest)
        },
        StoreBehavior("answers for a registration that no longer exists as for unknown items") {
            store async throws in
            try await store.register(1...2)
            let items = delta([(1, [7], 5), (2, [7], 6), (3, [8], nil)])
            for number in 1...2 as ClosedRange<UInt64> {
                _ = try await store.apply(items, to: list, of: device(number), limit: 10)
            }
            let registries = try await store.registries(of: list)
            #expect(registries.map(\.list) == [list, list])
            #expect(registries.map(\.device) == [device(1), device(2)])
            // Returns how many items, texts and aliases each read finds.
            func answers(_ registry: Registry) async throws -> [Int] {
                let known = try await store.items([key(1), key(3)], in: registries[0]).compactMap(\.self)
                let items = try await store.items([key(1), key(3)], in: registry)
                let itemsByAlias = try await store.items(withAliases: [key(7), key(8)], in: registry)
                let soleTexts = try await store.textsOfSoleItems(withAliases: [key(8)], in: registry)
                let texts = try await store.texts(of: known, in: registry)
                let areAmbiguous = try await store.areAmbiguous([key(7), key(8)], in: registry)
                let ambiguousAliases = try await store.ambiguousAliases(above: nil, in: registry, limit: 9)
                let after = try await store.items(next: 6, behind: true, in: registry, limit: 9)
                let before = try await store.items(next: 6, behind: false, in: registry, limit: 9)
                let all = try await store.items(above: nil, in: registry, limit: 9)
                return [
                    items.count { $0 != nil }, itemsByAlias.joined().count, soleTexts.count { $0 != nil },
                    texts.count { $0 != nil }, areAmbiguous.count { $0 }, ambiguousAliases.count, after.count,
                    before.count, all.count,
                ]
            }
            #expect(try await answers(registries[0]) == [2, 3, 1, 2, 1, 1, 1, 1, 3])
            let others = [
                Registry(list: ItemList(owner: user(2), dataSource: "photos"), device: device(1), state: .init()),
                Registry(list: ItemList(owner: user(1), dataSource: "albums"), device: device(1), state: .init()),
                Registry(list: list, device: device(3), state: .init()),
            ]
            for registry in others { #expect(try await answers(registry) == Array(repeating: 0, count: 9)) }
            let held = try await store.items([key(1), key(3)], in: registries[0]).compactMap(\.self)
            #expect(try await store.revoke(device(1), of: user(1), at: at(1)).value)
            try await store.prune(at: at(2))
            #expect(try await store.registries(of: list).map(\.device) == [device(2)])
            #expect(try await answers(registries[0]) == Array(repeating: 0, count: 9))
            #expect(try await store.texts(of: held, in: registries[0]) == [nil, nil])
            #expect(try await answers(registries[1]) == [2, 3, 1, 0, 1, 1, 1, 1, 3])
        },
        StoreBehavior("numbers items in the order in which a device added them") { store async throws in
            let registry = try await register(delta([(4, [], nil), (2, [], nil)]), in: store)
            func inOrder() async throws -> [Int64] {
                let items = try await store.items((1...5).map(key), in: registry).compactMap(\.self)
                return items.sorted { $0.ordinal < $1.ordinal }.map(\.key.rawValue)
            }
            #expect(try await inOrder() == [4, 2])
            _ = try await register(delta([(3, [], nil), (2, [7], nil)], removals: [4]), in: store)
            _ = try await register(delta([(1, [], nil), (4, [], nil)], redirects: [(5, 1)]), in: store)
            #expect(try await inOrder() == [4, 2, 3, 1, 5])
        },
        StoreBehavior("creates no registration for a delta that changes nothing") { store async throws in
            _ = try await store.register(makeDevice(1), token: digest(1), linkCode: nil)
            for nothing in [delta(), delta(removals: [1])] {
                let result = try await store.apply(nothing, to: list, of: device(1), limit: 10).value
                #expect(result == .applied(RegistrationState()))
            }
            #expect(try await store.registries(of: list).isEmpty)
        },
        StoreBehavior("refuses a delta with a stale cursor, unless it is a repeat") { store async throws in
            let registry = try await register(delta([(1, [7], nil)], after: 0), in: store)
            let again = try await store.apply(
                delta([(1, [7], nil)], after: 0), to: list, of: device(1), limit: 10
            ).value
            #expect(again == .applied(registry.state))
            let other = try await store.apply(
                delta([(2, [7], nil)], after: 0), to: list, of: device(1), limit: 10
            ).value
            #expect(other == .stale(registry.state))
            // An empty delta never leads to a new state, so it cannot be a repeat.
            let empty = try await store.apply(delta(after: 0), to: list, of: device(1), limit: 10).value
            #expect(empty == .stale(registry.state))
            #expect(try await store.registries(of: list).first == registry)
        },
        StoreBehavior("refuses a delta that takes too many aliases from items") { store async throws in
            func items(_ keys: Range<Int64>) -> [(key: Int64, aliases: [Int64], position: Int64?)] {
                keys.map { key in (key, (0..<Int64(Limits.aliases)).map { key * 100 + $0 }, nil) }
            }
            _ = try await store.register(makeDevice(1), token: digest(1), linkCode: nil)
            func apply(_ delta: PreparedDelta) async throws -> DeltaResult {
                let committed = try await store.apply(delta, to: list, of: device(1), limit: 10_000)
                return committed.value
            }
            let most = Int64(Limits.deltaAliases / Limits.aliases)
            _ = try await apply(delta(items(0..<most)))
            _ = try await apply(delta(items(most..<2 * most)))
            let state = try #require(try await store.registries(of: list).first).state
            let removals = Array(1...most)
            // The limit of aliases is exceeded if the delta removes, replaces or redirects one more item. An unchanged
            // item takes no aliases.
            let end = [(key: 2 * most, aliases: [] as [Int64], position: nil as Int64?)]
            for delta in [
                delta(end, removals: [0] + removals), delta([(0, [7], nil)] + end, removals: removals),
                delta(end, removals: removals, redirects: [(0, 2 * most)]),
            ] {
                #expect(try await apply(delta) == .takesTooManyAliases)
                #expect(try await store.registries(of: list).first?.state == state)
            }
            guard case .applied(let after) = try await apply(delta(items(0..<1), removals: removals)) else {
                throw StoreError(.corrupt, "the delta was refused")
            }
            #expect(after.count == Int(most))
            // A removed item takes no aliases when it is removed again. It takes its stored aliases when it is added
            // again.
            guard case .applied = try await apply(delta(end, removals: removals + [0])) else {
                throw StoreError(.corrupt, "the delta was refused")
            }
        },
        StoreBehavior("refuses a delta that exceeds the limit of items") { store async throws in
            let registry = try await register(delta((1...10).map { ($0, [], nil) }), in: store)
            let one = delta([(11, [], nil)])
            #expect(try await store.apply(one, to: list, of: device(1), limit: 10).value == .tooMany(registry.state))
            let exchange = delta([(11, [], nil), (10, [3], nil)], removals: [1])
            guard case .applied(let state) = try await store.apply(exchange, to: list, of: device(1), limit: 10).value
            else { throw StoreError(.corrupt, "the exchange was refused") }
            #expect(state.count == 10)
        },
        StoreBehavior("marks an alias as ambiguous while two live items have it") {
            store async throws in
            var registry = try await register(delta([(1, [7, 8], nil), (2, [7], nil)]), in: store)
            #expect(registry.ambiguousAliasCount == 1)
            #expect(try await store.areAmbiguous([key(7), key(8)], in: registry) == [true, false])
            #expect(try await store.ambiguousAliases(above: nil, in: registry, limit: 5) == [key(7)])
            #expect(try await store.ambiguousAliases(above: key(7), in: registry, limit: 5).isEmpty)
            registry = try await register(delta(removals: [2]), in: store)
            #expect(registry.ambiguousAliasCount == 0)
            #expect(try await store.items(withAliases: [key(7)], in: registry)[0].map(\.isLive) == [true, false])
            registry = try await register(delta([(2, [7], nil)]), in: store)
            #expect(registry.ambiguousAliasCount == 1)
        },
        StoreBehavior("returns removed items with an alias after live ones") { store async throws in
            let registry = try await register(delta([(1, [7], 4)]), in: store)
            _ = try await register(delta(removals: [1]), in: store)
            _ = try await register(delta([(2, [7], nil)]), in: store)
            let found = try await store.items(withAliases: [key(7), key(9)], in: registry)
            #expect(found[0].map(\.key) == [key(2), key(1)])
            #expect(found[0].last?.position == 4)
            #expect(found[1].isEmpty)
        },
        StoreBehavior("returns texts by an alias that only one item has, and keeps a removed item's") {
            store async throws in
            var registry = try await register(delta([(1, [7, 8], nil), (2, [8], nil), (3, [9], nil)]), in: store)
            func sole() async throws -> [[UInt8]?] {
                try await store.textsOfSoleItems(withAliases: [key(7), key(8), key(9), key(10)], in: registry)
            }
            #expect(try await sole() == [[1], nil, [3], nil])
            registry = try await register(delta([(2, [], nil)], removals: [3]), in: store)
            #expect(try await sole() == [[1], [1], nil, nil])
            let items = try await store.items([key(3), key(2)], in: registry).compactMap { $0 }
            #expect(try await store.texts(of: items, in: registry) == [[3], [2]])
            try await store.prune(at: at(1) + Retention.tombstones)
            #expect(try await store.texts(of: items, in: registry) == [nil, [2]])
        },
        StoreBehavior("returns neighbors from the nearest on") { store async throws in
            let registry = try await register(
                delta([(1, [], 10), (2, [], 20), (3, [], 30), (4, [], 30), (5, [], nil)], removals: []), in: store)
            func keys(_ behind: Bool, _ limit: Int = 9) async throws -> [Int64] {
                try await store.items(next: 20, behind: behind, in: registry, limit: limit).map(\.key.rawValue)
            }
            #expect(try await keys(true) == [2, 3, 4])
            #expect(try await keys(true, 2) == [2, 3])
            #expect(try await keys(false) == [1])
            _ = try await register(delta(removals: [3]), in: store)
            #expect(try await keys(true) == [2, 4])
        },
        StoreBehavior("lists live items in the order of their keys") { store async throws in
            let registry = try await register(
                delta([(5, [], nil), (-3, [], nil), (9, [], nil)], removals: []), in: store)
            _ = try await register(delta(removals: [5]), in: store)
            #expect(try await store.items(above: nil, in: registry, limit: 9).map(\.key.rawValue) == [-3, 9])
            #expect(try await store.items(above: key(-3), in: registry, limit: 9).map(\.key.rawValue) == [9])
        },
        StoreBehavior("deletes removed items after thirty days") { store async throws in
            let registry = try await register(delta([(1, [7], nil), (2, [7], nil)]), in: store)
            _ = try await register(delta(removals: [1], at: 10), in: store)
            try await store.prune(at: at(10) + Retention.tombstones)
            #expect(try await store.items([key(1)], in: registry)[0] != nil)
            let before = try await store.userVersion(of: user(1))
            try await store.prune(at: at(11) + Retention.tombstones)
            #expect(try await store.userVersion(of: user(1)).version > before.version)
            #expect(try await store.items([key(1), key(2)], in: registry).map { $0 == nil } == [true, false])
            #expect(try await store.items(withAliases: [key(7)], in: registry)[0].map(\.key) == [key(2)])
        },
        StoreBehavior("keeps live and removed items up to twice the limit of live items") {
            store async throws in
            func items(_ keys: ClosedRange<Int64>) -> [(key: Int64, aliases: [Int64], position: Int64?)] {
                keys.map { ($0, [100 + $0], nil) }
            }
            func known(_ keys: ClosedRange<Int64>, _ registry: Registry) async throws -> [Int64] {
                try await store.items(keys.map(key), in: registry).compactMap { $0?.key.rawValue }
            }
            _ = try await register(delta(items(1...10)), in: store)
            // Item 9 is removed before items with lower keys: the time of the removal decides which items are deleted,
            // not the key.
            _ = try await register(delta(removals: [9], at: 1), in: store)
            _ = try await register(delta(removals: [1, 2, 3, 4, 5, 6, 7, 8, 10], at: 2), in: store)
            var registry = try await register(delta(items(11...20), at: 3), in: store)
            #expect(registry.state.count == 10 && registry.removedCount == 10)
            registry = try await register(delta(items(21...21), removals: [11, 12], at: 4), in: store)
            #expect(registry.state.count == 9 && registry.removedCount == 11)
            #expect(try await known(1...21, registry) == Array(1...8) + Array(10...21))
            #expect(try await store.items(withAliases: [key(109), key(101)], in: registry).map(\.count) == [0, 1])
            // An item that returns is no longer included in the number of removed items.
            registry = try await register(delta(items(2...2), at: 5), in: store)
            #expect(registry.state.count == 10 && registry.removedCount == 10)
            registry = try await register(delta(removals: [2], at: 6), in: store)
            #expect(registry.state.count == 9 && registry.removedCount == 11)
            #expect(try await known(1...2, registry) == [1, 2])
            // The number of removed items does not include an item that was deleted after its retention time.
            try await store.prune(at: at(3) + Retention.tombstones)
            registry = try #require(try await store.registries(of: list).first)
            #expect(registry.removedCount == 3)
            registry = try await register(delta(removals: Array(13...21), at: 7), in: store)
            #expect(registry.state.count == 0 && registry.removedCount == 12)
            #expect(try await known(1...21, registry) == [2] + Array(11...21))
            // The number of removed items includes a redirected item once, whether the item was live, removed or
            // unknown before.
            _ = try await register(delta(items(22...23), at: 8), in: store)
            let redirects = delta(redirects: [(22, 23), (11, 23), (30, 23)], at: 9)
            registry = try await register(redirects, in: store)
            #expect(registry.state.count == 1 && registry.removedCount == 14)
            #expect(try await register(redirects, in: store) == registry)
            registry = try await register(delta(items(31...39), at: 10), in: store)
            #expect(registry.state.count == 10 && registry.removedCount == 10)
            #expect(try await known(1...39, registry) == [11] + Array(15...23) + Array(30...39))
        },
        StoreBehavior("keeps redirects to items of a shared list that are not registered") { store async throws in
            func shared(_ redirects: [(from: Int64, to: Int64)], at seconds: Double) -> PreparedDelta {
                var delta = delta([], redirects: redirects, at: seconds)
                delta.isShared = true
                return delta
            }
            var registry = try await register(shared([(13, 14)], at: 1), in: store)
            #expect(registry.state.count == 0 && registry.removedCount == 1)
            registry = try await register(shared([(12, 13)], at: 2), in: store)
            #expect(registry.state.count == 0 && registry.removedCount == 2)
            #expect(try await register(shared([(12, 13)], at: 3), in: store) == registry)
            registry = try await register(shared([(11, 12), (10, 13)], at: 4), in: store)
            #expect(
                try await store.items([10, 11, 12, 13, 14].map(key), in: registry).map { $0?.successor } == [
                    key(13), key(12), key(13), key(14), nil,
                ])
            // A redirect that leads back is refused.
            let loop = try await store.apply(shared([(14, 12)], at: 5), to: list, of: device(1), limit: 10)
            #expect(loop.value == .redirectLoops(0))
            // Another replacement is stored with its own texts.
            var other = shared([(12, 15)], at: 6)
            other.redirects[0].texts = [7, 7, 7]
            registry = try await register(other, in: store)
            let items = try await store.items([key(12)], in: registry).compactMap(\.self)
            #expect(items.map(\.successor) == [key(15)])
            #expect(try await store.texts(of: items, in: registry) == [[7, 7, 7]])
        },
    ]
}
