import Testing

@testable import RestorationService

@Suite struct RedirectChainTests {
    /// A delta of redirects by key.
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

    /// A store in which each number is redirected to the next lower one, and 0 is live. Negative numbers are unknown.
    private func presence(_ key: LookupKey) -> StoredItem.Presence? {
        if key.rawValue < 0 { return nil }
        return key.rawValue == 0 ? .live : .replaced(by: LookupKey(rawValue: key.rawValue - 1))
    }

    @Test func limitsWholeChainOfDeltaAndStore() {
        // 31 stored redirects, and one before them.
        #expect(RedirectChain.fault(in: delta([(100, 31)]), presence: presence) == nil)
        #expect(RedirectChain.fault(in: delta([(100, 32)]), presence: presence) == .redirectLoops(0))
        // The limit does not depend on the order, or on the division between the delta and the store.
        let within = delta([(100, 30), (101, 100)])
        #expect(RedirectChain.fault(in: within, presence: presence) == nil)
        let first = RedirectChain.fault(in: delta([(101, 100), (100, 31)]), presence: presence)
        #expect(first == .redirectLoops(0))
        let second = RedirectChain.fault(in: delta([(100, 31), (101, 100)]), presence: presence)
        #expect(second == .redirectLoops(1))
    }

    @Test func acceptsTargetAddedByDelta() {
        #expect(RedirectChain.fault(in: delta([(100, -5)], adding: [-5]), presence: presence) == nil)
        #expect(RedirectChain.fault(in: delta([(100, -5)]), presence: presence) == .redirectTargetUnknown(0))
        #expect(RedirectChain.fault(in: delta([(100, 101), (101, 100)]), presence: presence) == .redirectLoops(0))
        #expect(RedirectChain.fault(in: delta([(0, 5)]), presence: presence) == .redirectLoops(0))
    }

    /// Ten thousand redirects share stored chains. Each stored key is looked up once.
    @Test func looksUpEachKeyOnce() {
        let redirects = (0..<Int64(Limits.deltaItems)).map { (from: 1000 + $0, to: 20 + $0 % 4) }
        var lookups: [LookupKey] = []
        let fault = RedirectChain.fault(in: delta(redirects)) { key in
            lookups.append(key)
            return presence(key)
        }
        #expect(fault == nil)
        #expect(lookups.count == 24)
    }

    /// If chains share nothing, the number of look-ups is limited by the maximum size of a delta.
    @Test func limitsStoredRedirectsFollowedForDelta() {
        // Each redirect leads to a separate chain of 31 stored redirects.
        let redirects = (0..<Int64(Limits.deltaItems)).map { (from: -1 - $0, to: 100 * $0 + 31) }
        var lookups = 0
        let fault = RedirectChain.fault(in: delta(redirects)) { key in
            lookups += 1
            return key.rawValue % 100 == 0 ? .live : .replaced(by: LookupKey(rawValue: key.rawValue - 1))
        }
        #expect(fault == .redirectsLeadTooFar(Limits.deltaItems / 31))
        #expect(lookups <= Limits.deltaItems + Limits.deltaItems / 31 + 1)
    }
}
