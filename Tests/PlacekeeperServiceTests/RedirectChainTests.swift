import PlacekeeperCore
@testable import PlacekeeperMatching
import PlacekeeperStoreConformance
import Testing

@testable import PlacekeeperService

@Suite struct RedirectChainTests {
    /// Returns a delta with redirects between keys and with added items.
    private func delta(_ redirects: [(from: Int64, to: Int64)], adding added: [Int64] = []) -> PreparedDelta {
        func key(_ number: Int64) -> LookupKey { LookupKey(rawValue: number) }
        return PreparedDelta(
            upserts: added.map {
                PreparedDelta.Upsert(key: key($0), aliases: [], position: nil, texts: [], digest: ItemDigest())
            },
            removals: [], redirects: redirects.map { .init(from: key($0.from), to: key($0.to), texts: []) },
            after: nil, time: Timestamp(milliseconds: 0)
        ) { _, _ in ItemDigest() }
    }

    /// Returns the state of a key in a store. There, 0 is live, each greater number is redirected to the next lower
    /// number, and negative numbers are unknown.
    private func presence(_ key: LookupKey) -> StoredItem.Presence? {
        if key.rawValue < 0 { return nil }
        return key.rawValue == 0
            ? .live : .replaced(by: LookupKey(rawValue: key.rawValue - 1), at: Timestamp(milliseconds: 0))
    }

    private func fault(in delta: PreparedDelta, lookUp: ([LookupKey]) -> [StoredItem.Presence?]) -> DeltaResult? {
        var chain = RedirectChain(delta, [])
        return chain.fault { keys in
            zip(keys, lookUp(keys)).map { key, presence in
                presence.map {
                    StoredItem(
                        ordinal: 0, key: key, aliases: [], position: nil, changedAt: Timestamp(milliseconds: 0),
                        presence: $0)
                }
            }
        }
    }

    private func presences(_ keys: [LookupKey]) -> [StoredItem.Presence?] { keys.map(presence) }

    @Test func limitsWholeChainOfDeltaAndStore() {
        // The redirect from 100 and the 31 stored redirects behind it form a chain of 32 redirects, which is the limit.
        #expect(fault(in: delta([(100, 31)]), lookUp: presences) == nil)
        #expect(fault(in: delta([(100, 32)]), lookUp: presences) == .redirectLoops(0))
        // The limit does not depend on the order of the redirects, or on the number of redirects that are stored.
        let within = delta([(100, 30), (101, 100)])
        #expect(fault(in: within, lookUp: presences) == nil)
        let first = fault(in: delta([(101, 100), (100, 31)]), lookUp: presences)
        #expect(first == .redirectLoops(0))
        let second = fault(in: delta([(100, 31), (101, 100)]), lookUp: presences)
        #expect(second == .redirectLoops(1))
    }

    @Test func acceptsTargetAddedByDelta() {
        #expect(fault(in: delta([(100, -5)], adding: [-5]), lookUp: presences) == nil)
        #expect(fault(in: delta([(100, -5)]), lookUp: presences) == .redirectTargetUnknown(0))
        #expect(fault(in: delta([(100, 101), (101, 100)]), lookUp: presences) == .redirectLoops(0))
        #expect(fault(in: delta([(0, 5)]), lookUp: presences) == .redirectLoops(0))
    }

    /// A stored redirect ends when its target's identifier is given to another item.
    @Test(arguments: [(10, true, nil), (11, true, DeltaResult.redirectTargetUnknown(0)), (11, false, nil)])
    func followsNoRedirectThatHasEnded(_ since: Int64, _ isReuse: Bool, _ expected: DeltaResult?) {
        var chain = RedirectChain(delta([(100, 1)]), [])
        let fault = chain.fault { keys in
            keys.map { key in
                StoredItem(
                    ordinal: 0, key: key, aliases: [], position: nil, changedAt: Timestamp(milliseconds: 0),
                    since: Timestamp(milliseconds: since), isReuse: key.rawValue == 0 && isReuse,
                    presence: key.rawValue == 0
                        ? .live : .replaced(by: LookupKey(rawValue: 0), at: Timestamp(milliseconds: 10)))
            }
        }
        #expect(fault == expected)
    }

    @Test(arguments: [([50], 10), ([60], 20)] as [([Int64], Int64)])
    func beginsARedirectAnewThatHasEnded(_ aliases: [Int64], _ time: Int64) throws {
        func key(_ number: Int64) -> LookupKey { LookupKey(rawValue: number) }
        let upsert = PreparedDelta.Upsert(
            key: key(0), aliases: aliases.map(key), position: nil, texts: [], digest: ItemDigest(high: 0, low: 1))
        let delta = PreparedDelta(
            upserts: [upsert], removals: [], redirects: [.init(from: key(1), to: key(0), texts: [])], after: nil,
            time: Timestamp(milliseconds: 20)
        ) { _, _ in ItemDigest() }
        func item(_ number: Int64, _ presence: StoredItem.Presence) -> StoredItem {
            StoredItem(
                ordinal: 0, key: key(number), aliases: number == 0 ? [key(50)] : [], position: nil,
                changedAt: Timestamp(milliseconds: 0), presence: presence)
        }
        var facts = DeltaFacts()
        facts.items = [item(0, .live), item(1, .replaced(by: key(0), at: Timestamp(milliseconds: 10)))]
        let decision = try DeltaDecision(delta, in: facts, limit: 10) {
            $0.map { _ in nil }
        } liveCounts: {
            $0.map { _ in 0 }
        } texts: {
            $0.map { _ in [] }
        }
        guard case .write(let changes) = decision else { return #expect(Bool(false), "\(decision)") }
        let redirected = changes.items.first { $0.item.key == key(1) }?.item ?? facts.items[1]
        #expect(redirected?.presence == .replaced(by: key(0), at: Timestamp(milliseconds: time)))
    }

    /// If several redirects have a fault, the result is the fault of the first of these redirects, even if this fault
    /// is found last.
    @Test func returnsFirstFault() {
        let late = delta([(100, 20), (101, 102), (102, -7)])
        #expect(fault(in: late, lookUp: presences) == .redirectTargetUnknown(1))
        let loop = delta([(100, 40), (101, -7)])
        #expect(fault(in: loop, lookUp: presences) == .redirectLoops(0))
    }

    /// Ten thousand redirects share stored chains. Each stored key is looked up once, and one call looks up the next
    /// keys of all chains.
    @Test func looksUpEachKeyOnce() {
        let redirects = (0..<Int64(Limits.deltaItems)).map { (from: 1000 + $0, to: 20 + $0 % 4) }
        var lookups: [LookupKey] = []
        var calls = 0
        let fault = fault(in: delta(redirects)) { keys in
            lookups += keys
            calls += 1
            return presences(keys)
        }
        #expect(fault == nil)
        #expect(lookups.count == 24)
        // The first call asks for the keys 23 to 20. Each further call asks for one key, down to 0.
        #expect(calls == 21)
    }

    /// The end of a stored chain is looked up only as far as a chain within the limit can lead.
    @Test func limitsLookupsForLongStoredChain() {
        let redirects = (0..<Int64(Limits.deltaItems)).map { (from: 10_000 + $0, to: Int64(5000)) }
        var lookups: [LookupKey] = []
        let fault = fault(in: delta(redirects)) { keys in
            lookups += keys
            return presences(keys)
        }
        #expect(fault == .redirectLoops(0))
        #expect(lookups == (0..<Int64(Limits.redirects)).map { LookupKey(rawValue: 5000 - $0) })
    }

    /// Redirects behind the first fault do not cause further lookups.
    @Test func endsLookupsForRedirectsBehindFault() {
        var lookups = 0
        let fault = fault(in: delta([(100, -7), (101, 31)])) { keys in
            lookups += keys.count
            return presences(keys)
        }
        #expect(fault == .redirectTargetUnknown(0))
        #expect(lookups == 2)
    }

    /// If the chains share no stored redirects, the maximum size of a delta limits the number of lookups.
    @Test func limitsStoredRedirectsFollowedForDelta() {
        // Each redirect leads to a separate chain of 31 stored redirects.
        let redirects = (0..<Int64(Limits.deltaItems)).map { (from: -1 - $0, to: 100 * $0 + 31) }
        var lookups = 0
        var calls = 0
        let fault = fault(in: delta(redirects)) { keys in
            lookups += keys.count
            calls += 1
            return keys.map { key in
                key.rawValue % 100 == 0
                    ? .live : .replaced(by: LookupKey(rawValue: key.rawValue - 1), at: Timestamp(milliseconds: 0))
            }
        }
        #expect(fault == .redirectsLeadTooFar(Limits.deltaItems / 31))
        #expect(lookups <= 6 * Limits.deltaItems)
        #expect(calls <= Limits.redirects)
    }

    /// Following all chains at the same time gives the same fault as following one redirect after the other.
    @Test(arguments: 1...200 as ClosedRange<UInt64>) func agreesWithFollowingOneRedirectAfterTheOther(seed: UInt64) {
        var random = SeededNumbers(seed: seed)
        // Stored chains of redirects to lower keys. Some chains end in a removed item.
        let stored = (0..<120).map { _ in random.below(30) }
        func presence(_ key: LookupKey) -> StoredItem.Presence? {
            guard 0..<120 ~= key.rawValue else { return nil }
            let rest = stored[Int(key.rawValue)]
            if key.rawValue < 20 { return rest < 28 ? .live : .removed }
            return .replaced(
                by: LookupKey(rawValue: key.rawValue - 1 - Int64(rest % 7)), at: Timestamp(milliseconds: 0))
        }
        let redirects = (0..<1 + random.below(8)).map { index in
            (from: 1000 + Int64(index), to: [Int64(random.below(120)), 1000 + Int64(random.below(8))][random.below(2)])
        }
        let delta = delta(redirects, adding: [1007].filter { added in !redirects.contains { $0.from == added } })
        var expected: DeltaResult?
        for index in redirects.indices where expected == nil {
            var key = delta.redirects[index].from
            var count = 0
            while expected == nil {
                if let next = delta.redirects.first(where: { $0.from == key })?.to {
                    key = next
                } else if delta.upserts.contains(where: { $0.key == key }) {
                    break
                } else if case .replaced(let next, _) = presence(key) {
                    key = next
                } else if presence(key) == .live {
                    break
                } else {
                    expected = .redirectTargetUnknown(index)
                    break
                }
                count += 1
                if count > Limits.redirects { expected = .redirectLoops(index) }
            }
        }
        var asked: Set<LookupKey> = []
        let fault = fault(in: delta) { keys in
            #expect(keys.allSatisfy { asked.insert($0).inserted })
            return keys.map(presence)
        }
        #expect(fault == expected)
    }
}
