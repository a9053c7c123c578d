import PlacekeeperCore
@testable import PlacekeeperMatching
import Testing

@testable import PlacekeeperService

struct DeltaDecisionTests {
    /// A registration with five items. The texts of each item are one byte: the item's key.
    ///
    /// - 1 is live and has the aliases 10 and 11. 2 is live and has the aliases 20 and 21.
    /// - 3 was removed. 4 was replaced by 1. 5 was removed, and has as many aliases as one delta may take from items.
    struct Facts: Sendable {
        var facts = DeltaFacts()
        var limit = 10
        var stored: [Int64: StoredItem] = [
            1: item(1, [10, 11], position: 1), 2: item(2, [20, 21]), 3: item(3, [30], .removed),
            4: item(4, [40], .replaced(by: key(1), at: Timestamp(milliseconds: 1))),
            5: item(5, Array(1000..<1000 + Int64(Limits.deltaAliases)), .removed),
        ]

        init() {
            facts.state = RegistrationState(cursor: 7, digest: digest([1, 2]), count: 2)
            facts.removedCount = 3
        }
    }

    struct Row: Sendable, CustomStringConvertible {
        var description: String
        var delta: PreparedDelta
        var change: @Sendable (inout Facts) -> Void = { _ in }
        var expected: Expected
    }

    enum Expected: Sendable {
        case answer(DeltaResult)
        /// The changed items, the live items whose digests form the state's digest, the numbers of live and of removed
        /// items, and the number of items to forget.
        case write([Change], digest: [Int64], count: Int, removed: Int, forgotten: Int = 0)
    }

    /// A change of an item, with the item's ordinal and time.
    struct Change: Sendable, Equatable, CustomStringConvertible {
        var key: Int64
        var presence: StoredItem.Presence = .live
        var aliases: [Int64]
        var position: Int64?
        var ordinal: Int64
        /// The time when the aliases changed: 1 for a stored item, and 2 for this delta.
        var at: Int64
        var texts: [UInt8]?
        var changesAliases: Bool

        var description: String {
            "\(key) \(presence) \(aliases) \(position ?? -1) #\(ordinal) at \(at) \(texts ?? []) \(changesAliases)"
        }
    }

    static func key(_ number: Int64) -> LookupKey { LookupKey(rawValue: number) }

    static func item(
        _ number: Int64, _ aliases: [Int64], _ presence: StoredItem.Presence = .live, position: Int64? = nil
    ) -> StoredItem {
        StoredItem(
            ordinal: 100 + number, key: key(number), aliases: aliases.map(key), position: position,
            changedAt: Timestamp(milliseconds: 1), presence: presence)
    }

    /// Returns the combined digest of items. An item's digest depends only on the item's key, so the digest of a state
    /// shows which items are live. An item whose texts differ from the stored texts has another digest.
    static func digest(_ numbers: [Int64]) -> ItemDigest {
        ItemDigest(high: numbers.reduce(0) { $0 ^ 1 << UInt64($1) }, low: 0)
    }

    static let changed: Int64 = 32

    /// An item to add. Its digest is the digest of the stored item, or `key + 32` if the item is changed.
    static func upsert(
        _ number: Int64, _ aliases: [Int64] = [], position: Int64? = nil, texts: [UInt8]? = nil, isChanged: Bool = true
    ) -> PreparedDelta.Upsert {
        PreparedDelta.Upsert(
            key: key(number), aliases: aliases.map(key), position: position, texts: texts ?? [UInt8(number)],
            digest: digest([isChanged ? number + changed : number]))
    }

    static func delta(
        _ upserts: [PreparedDelta.Upsert] = [], removals: [Int64] = [], redirects: [(from: Int64, to: Int64)] = [],
        after: Int64? = nil
    ) -> PreparedDelta {
        PreparedDelta(
            upserts: upserts, removals: removals.map(key),
            redirects: redirects.map { .init(from: key($0.from), to: key($0.to), texts: [99]) }, after: after,
            time: Timestamp(milliseconds: 2)
        ) { stored, texts in
            #expect(texts == [UInt8(stored.key.rawValue)])
            return digest([stored.key.rawValue])
        } lostAliases: { texts, kept in
            // The stored items 1 and 2 have the aliases 10 and 11, and 20 and 21.
            let aliases = texts.flatMap { [key(10 * Int64($0)), key(10 * Int64($0) + 1)] }
            return .init(keys: aliases.filter { !kept.contains($0) }, texts: [77])
        }
    }

    static let before = Facts().facts.state

    static func removed(_ number: Int64, _ aliases: [Int64], _ presence: StoredItem.Presence = .removed) -> Change {
        Change(key: number, presence: presence, aliases: aliases, ordinal: 100 + number, at: 1, changesAliases: true)
    }

    static func lost(of number: Int64, _ aliases: [Int64], ordinal: Int64) -> Change {
        Change(
            key: key(number).ofLostAliases.rawValue,
            presence: .replaced(by: key(number), at: Timestamp(milliseconds: 2)), aliases: aliases,
            ordinal: ordinal, at: 2, texts: [77], changesAliases: true)
    }

    /// The rows are in the order of the checks. A row may also fail checks that come after its own check.
    static let refusals: [Row] = [
        Row(
            description: "a device that is no longer the user's comes before all other checks",
            delta: delta(redirects: [(1, 9)], after: 6), change: { $0.facts.isActorKnown = false },
            expected: .answer(.actorGone)),
        Row(
            description: "an older cursor comes before the redirects",
            delta: delta([upsert(6)], redirects: [(1, 9)], after: 6), expected: .answer(.stale(before))),
        Row(
            description: "a higher cursor is stale too", delta: delta([upsert(6)], after: 8),
            expected: .answer(.stale(before))),
        Row(
            description: "an older cursor is not stale if everything in the delta is stored",
            delta: delta([upsert(1, [10, 11], isChanged: false)], removals: [3, 6], redirects: [(4, 1)], after: 6),
            expected: .answer(.applied(before))),
        Row(
            description: "an older cursor is stale for a live item to remove", delta: delta(removals: [1], after: 6),
            expected: .answer(.stale(before))),
        Row(
            description: "an older cursor is stale for a removed item to add",
            delta: delta([upsert(3, isChanged: false)], after: 6), expected: .answer(.stale(before))),
        Row(
            description: "an older cursor is stale for another redirect", delta: delta(redirects: [(4, 2)], after: 6),
            expected: .answer(.stale(before))),
        Row(
            description: "an empty delta with an older cursor is stale", delta: delta(after: 6),
            expected: .answer(.stale(before))),
        Row(
            description: "an empty delta with the current cursor is applied", delta: delta(after: 7),
            expected: .answer(.applied(before))),
        Row(
            description: "a redirect to an unknown item comes before the limit of items",
            delta: delta([upsert(6)], redirects: [(1, 2), (3, 9)]), change: { $0.limit = 0 },
            expected: .answer(.redirectTargetUnknown(1))),
        Row(
            description: "a redirect to a removed item has no target", delta: delta(redirects: [(1, 3)]),
            expected: .answer(.redirectTargetUnknown(0))),
        Row(
            description: "a redirect that leads back to itself loops", delta: delta(redirects: [(1, 4)]),
            expected: .answer(.redirectLoops(0))),
        Row(
            description: "too many live items come before too many aliases",
            delta: delta([upsert(5), upsert(1, [12])]),
            change: { $0.limit = 2 }, expected: .answer(.tooMany(before))),
        Row(
            description: "the aliases of a removed item that returns count as taken, even with those of another item",
            delta: delta([upsert(5), upsert(1, [12])]), expected: .answer(.takesTooManyAliases)),
        Row(
            description: "the aliases of items to remove and to redirect count as taken",
            delta: delta([upsert(5)], removals: [1]), expected: .answer(.takesTooManyAliases)),
        Row(
            description: "a delta that changes nothing is applied",
            delta: delta([upsert(1, [11, 10], isChanged: false)], removals: [3, 5, 6], redirects: [(4, 1)], after: 7),
            change: { $0.limit = 2 }, expected: .answer(.applied(before))),
        Row(
            description: "a delta that changes nothing is applied without a registration", delta: delta(removals: [6]),
            change: { facts in
                facts.facts = DeltaFacts()
                facts.stored = [:]
            }, expected: .answer(.applied(RegistrationState()))),
    ]

    static let writes: [Row] = [
        Row(
            description: "a new item is inserted with its texts",
            delta: delta([upsert(6, [60], position: 3)], after: 7),
            expected: .write(
                [Change(key: 6, aliases: [60], position: 3, ordinal: 0, at: 2, texts: [6], changesAliases: true)],
                digest: [1, 2, 6 + changed], count: 3, removed: 3)),
        Row(
            description: "the first items of a registration", delta: delta([upsert(6), upsert(7)], after: 0),
            change: { facts in
                facts.facts = DeltaFacts()
                facts.stored = [:]
            },
            expected: .write(
                [
                    Change(key: 6, aliases: [], ordinal: 0, at: 2, texts: [6], changesAliases: true),
                    Change(key: 7, aliases: [], ordinal: 0, at: 2, texts: [7], changesAliases: true),
                ], digest: [6 + changed, 7 + changed], count: 2, removed: 0)),
        Row(
            description: "a new position keeps the time, the texts and the aliases",
            delta: delta([upsert(1, [11, 10], position: 8)]),
            expected: .write(
                [Change(key: 1, aliases: [11, 10], position: 8, ordinal: 101, at: 1, changesAliases: false)],
                digest: [1 + changed, 2], count: 2, removed: 3)),
        Row(
            description: "new texts with the same keys keep the time",
            delta: delta([upsert(1, [10, 11], position: 1, texts: [7])]),
            expected: .write(
                [
                    Change(
                        key: 1, aliases: [10, 11], position: 1, ordinal: 101, at: 1, texts: [7], changesAliases: false)
                ], digest: [1 + changed, 2], count: 2, removed: 3)),
        Row(
            description: "an item that loses an alias keeps it apart", delta: delta([upsert(1, [10, 12], texts: [7])]),
            expected: .write(
                [
                    Change(key: 1, aliases: [10, 12], ordinal: 101, at: 2, texts: [7], changesAliases: true),
                    lost(of: 1, [11], ordinal: 0),
                ], digest: [1 + changed, 2], count: 2, removed: 4)),
        Row(
            description: "lost aliases take the place of those lost before",
            delta: delta([upsert(1, [10], texts: [7])]),
            change: { facts in
                facts.stored[key(1).ofLostAliases.rawValue] = StoredItem(
                    ordinal: 200, key: key(1).ofLostAliases, aliases: [key(19)], position: nil,
                    changedAt: Timestamp(milliseconds: 1),
                    presence: .replaced(by: key(1), at: Timestamp(milliseconds: 1)))
            },
            expected: .write(
                [
                    Change(key: 1, aliases: [10], ordinal: 101, at: 2, texts: [7], changesAliases: true),
                    lost(of: 1, [11], ordinal: 200),
                ], digest: [1 + changed, 2], count: 2, removed: 3)),
        Row(
            description: "an item without proof keeps none", delta: delta([upsert(1, [12], texts: [7])]),
            expected: .write(
                [Change(key: 1, aliases: [12], ordinal: 101, at: 2, texts: [7], changesAliases: true)],
                digest: [1 + changed, 2], count: 2, removed: 3)),
        Row(
            description: "a removed item returns with the same texts and aliases",
            delta: delta([upsert(3, [30], isChanged: false)]),
            expected: .write(
                [Change(key: 3, aliases: [30], ordinal: 103, at: 2, changesAliases: true)], digest: [1, 2, 3], count: 3,
                removed: 2)),
        Row(
            description: "a live item is removed, and a removed item stays", delta: delta(removals: [3, 2, 6]),
            expected: .write([removed(2, [20, 21])], digest: [1], count: 1, removed: 4)),
        Row(
            description: "a live item is replaced", delta: delta(redirects: [(2, 1)]),
            expected: .write(
                [removed(2, [20, 21], .replaced(by: key(1), at: Timestamp(milliseconds: 2)))], digest: [1], count: 1,
                removed: 4)),
        Row(
            description: "a removed item, an item with another replacement and an unknown item are redirected",
            delta: delta([upsert(6, isChanged: false)], redirects: [(3, 1), (4, 6), (8, 4)]),
            expected: .write(
                [
                    Change(key: 6, aliases: [], ordinal: 0, at: 2, texts: [6], changesAliases: true),
                    Change(
                        key: 3, presence: .replaced(by: key(1), at: Timestamp(milliseconds: 2)), aliases: [30],
                        ordinal: 103, at: 1,
                        changesAliases: false),
                    Change(
                        key: 4, presence: .replaced(by: key(6), at: Timestamp(milliseconds: 2)), aliases: [40],
                        ordinal: 104, at: 1,
                        changesAliases: false),
                    Change(
                        key: 8, presence: .replaced(by: key(4), at: Timestamp(milliseconds: 2)), aliases: [],
                        ordinal: 0, at: 2, texts: [99],
                        changesAliases: false),
                ], digest: [1, 2, 6], count: 3, removed: 4)),
        Row(
            description: "the limit counts the live items after the delta, and twice the limit is kept",
            delta: delta([upsert(6), upsert(7)], removals: [1, 2]), change: { $0.limit = 2 },
            expected: .write(
                [
                    Change(key: 6, aliases: [], ordinal: 0, at: 2, texts: [6], changesAliases: true),
                    Change(key: 7, aliases: [], ordinal: 0, at: 2, texts: [7], changesAliases: true),
                    {
                        var change = removed(1, [10, 11]); change.position = 1; return change
                    }(),
                    removed(2, [20, 21]),
                ], digest: [6 + changed, 7 + changed], count: 2, removed: 5, forgotten: 3)),
        Row(
            description: "as many aliases as the limit may be taken",
            delta: delta([upsert(5)], removals: [3]),
            expected: .write(
                [Change(key: 5, aliases: [], ordinal: 105, at: 2, changesAliases: true)], digest: [1, 2, 5 + changed],
                count: 3, removed: 2)),
    ]

    /// Decides a delta with `Facts`, which `change` can modify, in place of a store.
    static func decide(
        _ delta: PreparedDelta, _ change: (inout Facts) -> Void = { _ in },
        texts read: ([StoredItem]) -> Void = { _ in }
    ) throws -> DeltaDecision {
        var facts = Facts()
        change(&facts)
        let stored = facts.stored
        facts.facts.items = delta.keys.map { stored[$0.rawValue] }
        return try DeltaDecision(delta, in: facts.facts, limit: facts.limit) { keys in
            keys.map { stored[$0.rawValue] }
        } liveCounts: { aliases in
            aliases.map { alias in stored.values.count { $0.isLive && $0.aliases.contains(alias) } }
        } texts: { items in
            read(items)
            return items.map { [UInt8(truncatingIfNeeded: $0.key.rawValue)] }
        }
    }

    /// The stored texts of an item are one byte.
    @Test func refusesTextsBeyondAQuotaAndNoOtherChange() throws {
        func decide(_ delta: PreparedDelta, limit: Int) throws -> DeltaDecision {
            var delta = delta
            delta.quotas.userBytes = limit
            return try Self.decide(delta) { $0.facts.quotas.user.bytes = 100 }
        }
        let added = Self.delta([Self.upsert(6, texts: [1, 2]), Self.upsert(1, [10, 11], texts: [1, 2, 3])])
        let excess = QuotaExcess(.userBytes, limit: 103, used: 100)
        #expect(try decide(added, limit: 103) == .answer(.quotaExceeded(excess)))
        guard case .write(let changes) = try decide(added, limit: 104) else { Issue.record("refused"); return }
        #expect(changes.textBytes == 4)
        for delta in [Self.delta(removals: [1]), Self.delta([Self.upsert(2, [20, 21], texts: [1])])] {
            guard case .write = try decide(delta, limit: 0) else { Issue.record("refused"); return }
        }
        let redirect = Self.delta(redirects: [(9, 1)])
        #expect(
            try decide(redirect, limit: 100) == .answer(.quotaExceeded(QuotaExcess(.userBytes, limit: 100, used: 100))))
    }

    @Test(arguments: refusals + writes) func decides(_ row: Row) throws {
        let decision = try Self.decide(row.delta, row.change)
        switch (row.expected, decision) {
        case (.answer(let expected), .answer(let result)): #expect(result == expected)
        case (.write(let items, let digest, let count, let removed, let forgotten), .write(let changes)):
            #expect(changes.items.map(Change.init) == items)
            #expect(changes.state.digest == Self.digest(digest))
            #expect(changes.state.count == count)
            #expect(changes.removedCount == removed)
            #expect(changes.forgottenCount == forgotten)
            var facts = Facts()
            row.change(&facts)
            #expect(changes.state.cursor == facts.facts.state.cursor + 1)
            #expect(changes.items.allSatisfy { $0.before == facts.stored[$0.item.key.rawValue] })
        default: Issue.record("\(decision)")
        }
    }
}

extension DeltaDecisionTests.Change {
    init(_ change: DeltaChanges.ItemChange) {
        self.init(
            key: change.item.key.rawValue, presence: change.item.presence, aliases: change.item.aliases.map(\.rawValue),
            position: change.item.position, ordinal: change.item.ordinal, at: change.item.changedAt.milliseconds,
            texts: change.texts, changesAliases: change.changesAliases)
    }
}
