import PlacekeeperConcurrency
package import PlacekeeperCore
@testable import PlacekeeperMatching
import PlacekeeperTestSupport
import Testing

@testable package import PlacekeeperService

/// Runs histories on a store and in the oracle, and compares the results.
package struct IdentityHistories: Sendable {
    private let store: any Store
    private let hashing: any Hashing

    package init(on store: any Store, hashing: any Hashing) {
        self.store = store
        self.hashing = hashing
    }

    /// Returns the differences from the oracle, and between two orders of arrival, for the histories of some seeds.
    package func differences(seeds: Range<UInt64>) async throws -> [String] {
        try await withThrowingTaskGroup(of: [String].self) { group in
            var differences: [String] = []
            var next = seeds.lowerBound
            // Several histories at a time, so that a store can group their commits.
            for seed in seeds.prefix(32) {
                group.addTask { try await difference(seed: seed) }
                next = seed + 1
            }
            while let found = try await group.next() {
                differences += found
                if next < seeds.upperBound {
                    let seed = next
                    group.addTask { try await difference(seed: seed) }
                    next += 1
                }
            }
            return differences
        }
    }

    /// Returns the differences for chains at the limits of members and aliases, and beyond them.
    package func differencesOfChains() async throws -> [String] {
        var differences: [String] = []
        // Chains of 64 and 65 members, where the limit is 64. Chains with 497, 511 and 528 aliases, where the limit is
        // 512.
        for (count, others) in [(64, 0), (65, 0), (16, 30), (17, 29), (17, 30)] {
            let chain = IdentityHistory(chainOf: count, withOthers: others)
            differences += try await difference(seed: 1 << 40 + UInt64(count * 100 + others), chain)
        }
        return differences
    }

    /// Returns the differences for histories that a random seed hardly produces.
    package func differencesOfRareHistories() async throws -> [String] {
        try await difference(seed: 1 << 41, .ofAReplacementBehindAnother)
            + difference(seed: 1 << 41 + 1, .ofADecisionAboutAReplacedItem)
            + difference(seed: 1 << 41 + 2, .ofTwoReplacedItems)
            + difference(seed: 1 << 41 + 3, .ofReplacementsThatAreGone)
    }

    private func difference(seed: UInt64) async throws -> [String] {
        try await difference(seed: seed, IdentityHistory(seed: seed))
    }

    private func difference(seed: UInt64, _ history: IdentityHistory) async throws -> [String] {
        let first = try await Play(history, seed: seed, order: seed, on: self)
        let second = try await Play(history, seed: seed, order: seed &+ 0x5EED, on: self)
        var differences = first.differences + second.differences
        for (question, answer) in first.answers where !answer.isAmbiguous && first.isComparable && second.isComparable {
            let other = second.answers[question]
            if other != answer, other?.isAmbiguous != true {
                differences.append(
                    "seed \(seed), \(question): \(answer), in another order \(String(describing: other))")
            }
        }
        return differences
    }

    /// Runs a history in one order of arrival.
    private struct Play {
        struct Question: Hashable {
            var item: IdentityOracle.Name
            var requestingDevice: Int
        }

        var differences: [String] = []
        var answers: [Question: IdentityOracle.Answer] = [:]
        /// Whether the service refused a delta.
        private var isRefusing = false
        /// Whether the answers depend on no order of arrival. A refusal depends on it, and so does the end of a decision
        /// about an identifier that is given to another item.
        var isComparable: Bool { !isRefusing && !oracle.hasEndedDecisions }

        private let seed: UInt64
        private let service: RestorationService
        private let clock = ManualClock()
        private let list: ItemList
        private var principals: [Principal] = []
        private var oracle = IdentityOracle()
        private var random: IdentityHistory

        init(_ history: IdentityHistory, seed: UInt64, order: UInt64, on histories: IdentityHistories) async throws {
            self.seed = seed
            random = history
            let number = seed << 1 | (order == seed ? 0 : 1)
            let owner = UserKey(app: AppID(high: 0xA, low: 1), user: UserID(high: 0xF00, low: number))
            list = ItemList(owner: owner, dataSource: "photos")
            service = RestorationService(
                store: histories.store, clock: clock, random: NoRandomness(), hashing: histories.hashing)
            let uniqueAliases = seed % 2 == 0 ? ["key"] : []
            let app = App(
                id: owner.app, bundleIdentifier: "com.example.photos", publishableKey: "pk", createdAt: clock.now(),
                dataSources: ["photos": DataSource(scope: .registered, uniqueAliases: uniqueAliases)])
            oracle.uniqueKinds = Set(uniqueAliases)
            for device in 0..<history.deviceCount {
                let id = DeviceID(high: number, low: UInt64(device))
                let stored = try await histories.store.register(
                    Device(id: id, owner: owner, idiom: .phone, createdAt: clock.now(), lastSeenAt: clock.now()),
                    token: Digest(number, UInt64(device), 0, 7), linkCode: nil
                ).value
                principals.append(Principal(app: app, device: try #require(stored.device)))
            }
            for (actor, deed) in history.inOrder(seed: order) {
                clock.advance(.milliseconds(1))
                try await perform(deed, actor)
                if random.below(4) == 0 { try await resolveRandomReferences() }
            }
            try await resolveAllNames()
        }

        private mutating func perform(_ deed: IdentityHistory.Deed, _ actor: Int) async throws {
            switch deed {
            case .delta(let delta):
                let isExpected = oracle.apply(delta, by: actor, at: clock.now())
                do throws(ServiceError) {
                    _ = try await service.lists.apply(delta, to: "photos", for: principals[actor])
                    if !isExpected { differences.append("seed \(seed): \(delta) was not refused") }
                } catch {
                    isRefusing = true
                    let isRefusal = [.redirectLoops, .redirectTargetUnknown].contains(error.code)
                    if isExpected || !isRefusal { differences.append("seed \(seed): \(delta): \(error)") }
                }
            case .decide(let kind, let one, let other):
                oracle.decide(kind, one, other, at: clock.now())
                if let kind {
                    try await service.lists.decide(kind, name(one), name(other), note: "by chance", in: list)
                } else {
                    _ = try await service.lists.removeDecision(name(one), name(other), in: list)
                }
            }
        }

        private func name(_ name: IdentityOracle.Name) -> ItemName {
            .init(device: principals[name.device].device.id, identifier: name.identifier)
        }

        /// Resolves the references of an archive. The archive has a random time, and the references have random
        /// aliases.
        private mutating func resolveRandomReferences() async throws {
            let (source, requestingDevice) = (random.below(principals.count), random.below(principals.count))
            let references = (0...random.below(3)).map { _ in random.reference() }
            let writtenAt = clock.now() - .milliseconds(Int64(random.below(12)))
            let resolver = try await IdentityResolver(
                service.identityEnvironment, list, from: principals[source].device.id,
                for: principals[requestingDevice].device.id, writtenAt: writtenAt)
            let found = try await resolver.resolve(references)
            for (reference, resolution) in zip(references, found) {
                let expected = oracle.resolve(
                    reference, among: references, of: source, writtenAt: writtenAt, for: requestingDevice)
                compare(resolution, expected, "\(reference) of \(references) of \(source) for \(requestingDevice)")
            }
        }

        private mutating func resolveAllNames() async throws {
            let names = random.names
            for source in random.requestingDevices {
                for requestingDevice in random.requestingDevices {
                    let found = try await service.lists.resolve(
                        names, of: principals[source].device.id, in: "photos", for: principals[requestingDevice])
                    for (identifier, resolution) in zip(names, found) {
                        let expected = oracle.resolve(
                            identifier, of: source, at: clock.now(), for: requestingDevice)
                        compare(resolution, expected, "\(identifier) of \(source) for \(requestingDevice)")
                        let item = IdentityOracle.Name(device: source, identifier: identifier)
                        answers[Question(item: item, requestingDevice: requestingDevice)] = expected
                    }
                }
            }
        }

        private mutating func compare(
            _ found: ItemResolution, _ expected: IdentityOracle.Answer, _ question: String
        ) {
            let answer = IdentityOracle.Answer(
                identifier: found.identifier, step: found.step, isAmbiguous: found.isAmbiguous)
            if answer != expected { differences.append("seed \(seed), \(question): \(answer), expected \(expected)") }
        }
    }
}

struct NoRandomness: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
}
