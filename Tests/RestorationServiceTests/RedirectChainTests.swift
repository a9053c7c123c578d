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

    /// A store of a chain that leads from each number to the next below it, and of 0, which is live. Negative numbers are
    /// not known.
    private func presence(_ key: LookupKey) -> StoredItem.Presence? {
        if key.rawValue < 0 { return nil }
        return key.rawValue == 0 ? .live : .replaced(by: LookupKey(rawValue: key.rawValue - 1))
    }

    @Test func isLimitedByAllThatLeadsToTheEnd() {
        // 31 that are stored, and one before them.
        #expect(RedirectChain.fault(in: delta([(100, 31)]), presence: presence) == nil)
        #expect(RedirectChain.fault(in: delta([(100, 32)]), presence: presence) == .redirectLoops(0))
        // However they are divided between the delta and the store, and in whatever order.
        let within = delta([(100, 30), (101, 100)])
        #expect(RedirectChain.fault(in: within, presence: presence) == nil)
        let first = RedirectChain.fault(in: delta([(101, 100), (100, 31)]), presence: presence)
        #expect(first == .redirectLoops(0))
        let second = RedirectChain.fault(in: delta([(100, 31), (101, 100)]), presence: presence)
        #expect(second == .redirectLoops(1))
    }

    @Test func endsInWhatTheDeltaAdds() {
        #expect(RedirectChain.fault(in: delta([(100, -5)], adding: [-5]), presence: presence) == nil)
        #expect(RedirectChain.fault(in: delta([(100, -5)]), presence: presence) == .redirectTargetUnknown(0))
        #expect(RedirectChain.fault(in: delta([(100, 101), (101, 100)]), presence: presence) == .redirectLoops(0))
        #expect(RedirectChain.fault(in: delta([(0, 5)]), presence: presence) == .redirectLoops(0))
    }

    /// What ten thousand redirects lead over is looked up once.
    @Test func looksNothingUpTwice() {
        let redirects = (0..<Int64(Limits.deltaItems)).map { (from: 1000 + $0, to: 20 + $0 % 4) }
        var lookups: [LookupKey] = []
        let fault = RedirectChain.fault(in: delta(redirects)) { key in
            lookups.append(key)
            return presence(key)
        }
        #expect(fault == nil)
        #expect(lookups.count == 24)
    }

    /// Chains that share nothing are followed as far as a delta is long.
    @Test func boundsWhatADeltaLeadsOver() {
        // To the heads of chains of 31, a hundred apart.
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
