/// How much it counts against two items being the same that only one of them has aliases of a kind. The pairs of neighbors
/// and their images show it: if a pair lacks a kind as often as any two items do, a lack says nothing; if more rarely,
/// the items are different.
struct LackedKinds {
    /// The factor of the odds that two items are the same if only one of them has aliases of a kind: how many pairs lack
    /// the kind, divided by how many would if their items were chosen by chance. It is at most 1, because a lack never
    /// shows that items are the same. One more on both sides keeps a few pairs from deciding. There is no factor for a
    /// kind that no pair can lack.
    private(set) var odds: [Int: Double] = [:]

    /// - Parameters:
    ///   - pairs: The neighbors, compared with their images.
    ///   - rows: The rows of both devices.
    init(_ pairs: [ListAlignment.Comparison], rows: [ListAlignment.Row]) {
        var having: [Int: Int] = [:]
        for row in rows { for kind in Set(row.aliases.map(\.kind)) { having[kind, default: 0] += 1 } }
        var (lacking, untested): ([Int: Int], [Int: Int]) = ([:], [:])
        for pair in pairs {
            for kind in pair.lackedKinds { lacking[kind, default: 0] += 1 }
            // A pair whose common aliases are all of one kind can't lack this kind, so it shows nothing about it.
            if pair.sharedKinds.count == 1 { untested[pair.sharedKinds[0], default: 0] += 1 }
        }
        for (kind, count) in having {
            let tested = pairs.count - untested[kind, default: 0]
            guard tested > 0 else { continue }
            let share = (Double(count) + 0.5) / Double(rows.count + 1)
            let expected = Double(tested) * 2 * share * (1 - share)
            odds[kind] = min(1, (Double(lacking[kind, default: 0]) + 1) / (expected + 1))
        }
    }
}
