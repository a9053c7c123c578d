import PlacekeeperConcurrency
package import PlacekeeperCore
package import PlacekeeperMatching
import PlacekeeperTestSupport
import Testing

@testable package import PlacekeeperService

/// Random lists of two devices, resolved by a store and by `AlignmentOracle`.
package struct AlignmentHistories: Sendable {
    private let store: any Store
    private let hashing: any Hashing

    package init(on store: any Store, hashing: any Hashing) {
        self.store = store
        self.hashing = hashing
    }

    /// Returns the differences from the oracle for the lists of some seeds, and the number of answers of each step.
    package func differences(
        seeds: Range<UInt64>
    ) async throws -> (differences: [String], steps: [ItemResolution.Step: Int]) {
        var differences: [String] = []
        var steps: [ItemResolution.Step: Int] = [:]
        for seed in seeds {
            var random = SeededNumbers(seed: seed)
            let lists = Self.lists(&random)
            let oracle = AlignmentOracle(source: lists[0], theirs: lists[1])
            let resolved = try await resolve(lists, seed: seed)
            for (row, resolution) in zip(lists[0], resolved) {
                let expected = oracle.resolve(row.identifier)
                steps[expected.step, default: 0] += 1
                let answer = IdentityOracle.Answer(
                    identifier: expected.isAmbiguous ? expected.identifier : resolution.identifier,
                    step: resolution.step, isAmbiguous: resolution.isAmbiguous)
                if answer != expected {
                    differences.append("seed \(seed), \(row.identifier): \(answer), expected \(expected), \(lists)")
                }
            }
        }
        return (differences, steps)
    }

    /// Returns two lists of the same things. Things are missing on each device, some lie elsewhere, and aliases are
    /// missing or shared, and positions are missing.
    private static func lists(_ random: inout SeededNumbers) -> [[AlignmentOracle.Row]] {
        let kinds = random.below(4) == 0 ? 1 : 2
        let things = (0..<3 + random.below(4)).map { number in
            var aliases: [String] = []
            if random.below(5) > 0 { aliases.append("a:\(random.below(4) == 0 ? random.below(4) : number)") }
            if kinds > 1, random.below(4) > 0 { aliases.append("b:\(random.below(8) == 0 ? 0 : number)") }
            return aliases
        }
        return [0, 1].map { device in
            var rows = things.enumerated().compactMap { number, aliases -> AlignmentOracle.Row? in
                if random.below(8) == 0 { return nil }
                let known = aliases.filter { _ in random.below(12) > 0 }
                let own = random.below(16) == 0 ? ["a:other \(device) \(number)"] : known
                // Two rows in a row have canonically equivalent identifiers.
                let twin = number % 2 == 0 ? "\u{E9}" : "e\u{301}"
                return AlignmentOracle.Row(identifier: "\(device) \(number / 2) \(twin)", aliases: Set(own))
            }
            if device == 1, random.below(5) == 0 { rows.reverse() }
            // Some lists have many rows between two parts, so that items can lie elsewhere.
            if device == 1, random.below(3) == 0, !rows.isEmpty {
                let moved = rows.remove(at: random.below(rows.count))
                rows += (0..<30 + random.below(20)).map { .init(identifier: "far \($0)", aliases: ["a:far \($0)"]) }
                rows.append(moved)
            }
            let isWithoutPositions = random.below(16) == 0
            for index in rows.indices { rows[index].hasPosition = !isWithoutPositions && random.below(32) > 0 }
            return rows
        }
    }

    private func resolve(
        _ lists: [[AlignmentOracle.Row]], seed: UInt64
    ) async throws -> [ItemResolution] {
        let clock = ManualClock()
        let owner = UserKey(app: AppID(high: 0xB, low: 1), user: UserID(high: 0xC0, low: seed))
        let service = RestorationService(
            store: store, clock: clock, random: NoRandomness(), hashing: hashing)
        let app = App(
            id: owner.app, bundleIdentifier: "com.example.lists", publishableKey: "pk", createdAt: clock.now(),
            dataSources: ["list": DataSource(scope: .registered)])
        var principals: [Principal] = []
        for (number, rows) in lists.enumerated() {
            let id = DeviceID(high: 0xC0 << 32 | seed, low: UInt64(number))
            let device = Device(id: id, owner: owner, idiom: .phone, createdAt: clock.now(), lastSeenAt: clock.now())
            let token = Digest(0xC0, seed, UInt64(number), 9)
            let stored = try await store.register(device, token: token, linkCode: nil).value
            principals.append(Principal(app: app, device: try #require(stored.device)))
            let items = rows.enumerated().map { place, row in
                Item(row.identifier, aliases: row.aliases.sorted(), position: row.hasPosition ? Int64(place) : nil)
            }
            _ = try await service.lists.apply(ItemDelta(upserts: items), to: "list", for: principals[number])
        }
        return try await service.lists.resolve(
            lists[0].map(\.identifier), of: principals[0].device.id, in: "list", for: principals[1])
    }
}
