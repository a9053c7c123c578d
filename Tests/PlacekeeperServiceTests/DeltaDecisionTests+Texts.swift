import PlacekeeperCore
@testable import PlacekeeperMatching
import Testing

@testable import PlacekeeperService

/// The texts that a decision reads.
extension DeltaDecisionTests {
    /// Texts are sealed, and there can be many, so the decision reads only the texts that it needs.
    @Test func readsTextsOnlyForDigestsAndComparisons() throws {
        var read: [[Int64]] = []
        func note(_ items: [StoredItem]) { read.append(items.map(\.key.rawValue)) }
        let needed = Self.delta(
            [Self.upsert(6), Self.upsert(3), Self.upsert(1)], removals: [5], redirects: [(2, 1), (4, 1)])
        _ = try Self.decide(needed, texts: note)
        #expect(read == [[3, 1, 2]])
        for row in Self.refusals where row.delta.after == nil {
            guard case .answer(let result) = row.expected, !result.isApplied else { continue }
            _ = try Self.decide(row.delta, row.change) { _ in Issue.record("\(row): texts were read") }
        }
    }

    @Test(arguments: [
        delta([upsert(1, isChanged: false)], removals: [2], after: 6),
        delta([upsert(1, isChanged: false), upsert(6, isChanged: false)], after: 6),
        delta([upsert(1, isChanged: false), upsert(3, isChanged: false)], after: 6),
        delta([upsert(1, isChanged: false)], redirects: [(2, 1)], after: 6),
        delta([upsert(1, isChanged: false)], redirects: [(8, 1)], after: 6),
    ]) func readsNoTextsOfStaleDeltaThatChangesPresence(_ delta: PreparedDelta) throws {
        let decision = try Self.decide(delta, texts: { _ in Issue.record("texts were read") })
        #expect(decision == .answer(.stale(Self.before)))
    }

    /// A delta that is stale because of its first texts does not cost a full batch.
    @Test func comparesTextsOfStaleDeltaInGrowingBatches() throws {
        let keys = 0..<Int64(3 * Limits.batch)
        func counts(ofTextsReadWithChange changed: Int64?, isApplied: Bool) throws -> [Int] {
            let delta = PreparedDelta(
                upserts: keys.map { number in
                    PreparedDelta.Upsert(
                        key: Self.key(number), aliases: [], position: nil, texts: [],
                        digest: ItemDigest(high: UInt64(number), low: number == changed ? 2 : 1))
                }, removals: [], redirects: [], after: 6, time: Timestamp(milliseconds: 2)
            ) { stored, texts in
                #expect(texts == [UInt8(stored.key.rawValue & 0xFF)])
                return ItemDigest(high: UInt64(stored.key.rawValue), low: 1)
            }
            var facts = DeltaFacts()
            facts.items = keys.map { Self.item($0, []) }
            facts.state = RegistrationState(cursor: 7, digest: ItemDigest(), count: keys.count)
            var counts: [Int] = []
            let decision = try DeltaDecision(delta, in: facts, limit: 10_000) { _ in
                []
            } liveCounts: { _ in
                []
            } texts: { items in
                counts.append(items.count)
                return items.map { [UInt8($0.key.rawValue & 0xFF)] }
            }
            #expect(decision == .answer(isApplied ? .applied(facts.state) : .stale(facts.state)))
            return counts
        }
        #expect(try counts(ofTextsReadWithChange: 0, isApplied: false) == [16])
        #expect(try counts(ofTextsReadWithChange: 16, isApplied: false) == [16, 32])
        #expect(
            try counts(ofTextsReadWithChange: nil, isApplied: true) == [16, 32, 64, 128, 256, 512, 1024, 1024, 16])
    }

    @Test func readsTextsInBatches() throws {
        let keys = 0..<Int64(2 * Limits.batch + 1)
        let delta = PreparedDelta(
            upserts: [], removals: keys.map(Self.key), redirects: [], after: nil, time: Timestamp(milliseconds: 2)
        ) { stored, texts in
            #expect(texts == [UInt8(stored.key.rawValue & 0xFF)])
            return ItemDigest(high: UInt64(stored.key.rawValue), low: 1)
        }
        var facts = DeltaFacts()
        facts.items = keys.map { Self.item($0, []) }
        facts.state.count = keys.count
        var counts: [Int] = []
        let decision = try DeltaDecision(delta, in: facts, limit: 10_000) { _ in
            []
        } liveCounts: { _ in
            []
        } texts: { items in
            counts.append(items.count)
            return items.map { [UInt8($0.key.rawValue & 0xFF)] }
        }
        #expect(counts == [Limits.batch, Limits.batch, 1])
        guard case .write(let changes) = decision else {
            Issue.record("\(decision)")
            return
        }
        #expect(changes.state.count == 0 && changes.removedCount == keys.count)
        #expect(changes.state.digest == ItemDigest(high: keys.reduce(0) { $0 ^ UInt64($1) }, low: 1))
    }
}
