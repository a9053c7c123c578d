/// Compares two pieces of lists, and returns how likely an item of one is an item of the other. The comparison sums
/// over all pairings that keep the order of both pieces (the forward-backward algorithm).
struct Alignment {
    /// The odds that an item of one list is missing in the other.
    private static let skip = 0.12

    let known: KnownItems

    /// Returns the odds that two items are the same thing, by their aliases.
    func odds(_ one: [Int], _ other: [Int]) -> Double {
        var odds = 1.0
        /// The kinds of aliases that both items have, and the kinds of which they share an alias, as bits.
        var (compared, shared) = (0, 0)
        for alias in one {
            let kind = known.kinds[alias]
            for theirs in other where known.kinds[theirs] == kind {
                compared |= 1 << kind
                guard alias == theirs else { continue }
                shared |= 1 << kind
                odds *= known.ambiguous.contains(alias) ? 30 : 1e4
            }
        }
        if compared == 0 { return 0.7 }
        for kind in known.kindNames.indices where (compared & ~shared) >> kind & 1 == 1 {
            odds *= Self.distrust[known.kindNames[kind]] ?? 1e-6
        }
        return odds
    }

    /// The odds that one thing has different aliases of a kind on two devices. For other kinds they are near zero.
    private static let distrust = [
        "isbn": 0.05, "key": 0.02, "song": 0.02, "track": 0.03, "number": 0.02, "book": 0.04, "capture": 0.02,
    ]

    /// Returns the most likely partner of an item, and its probability. Nil if there is none.
    func partner(of place: Int, in items: [[Int]], among others: [[Int]]) -> (index: Int, probability: Double)? {
        let (rows, width) = (items.count, others.count + 1)
        guard rows > 0, !others.isEmpty else { return nil }
        let odds = items.flatMap { item in others.map { self.odds(item, $0) } }
        func odd(_ row: Int, _ column: Int) -> Double { odds[row * others.count + column] }
        // In a gap, the skipped items of `items` come first, so that each pairing counts once. The second value of each
        // pair belongs to pairings whose last step skips one of `others`. The ends of `others` are free, because it is
        // the longer piece.
        let size = (rows + 1) * width
        var forward = ([Double](repeating: 0, count: size), [Double](repeating: 0, count: size))
        var backward = forward
        for column in 0..<width {
            forward.0[column] = 1
            backward.0[rows * width + column] = 1
        }
        for row in 0...rows {
            for column in 0..<width {
                let cell = row * width + column
                if row > 0 {
                    forward.0[cell] += Self.skip * forward.0[cell - width]
                    if column > 0 {
                        let last = cell - width - 1
                        forward.0[cell] += (forward.0[last] + forward.1[last]) * odd(row - 1, column - 1)
                    }
                }
                if row > 0, column > 0 { forward.1[cell] = Self.skip * (forward.0[cell - 1] + forward.1[cell - 1]) }
            }
        }
        for row in (0..<rows).reversed() {
            for column in (0..<width).reversed() {
                let cell = row * width + column
                if column < width - 1 {
                    let paired = backward.0[cell + width + 1] * odd(row, column)
                    let skipped = row > 0 ? Self.skip * backward.1[cell + 1] : 0
                    backward.1[cell] = paired + skipped
                    backward.0[cell] += paired + skipped
                }
                backward.0[cell] += Self.skip * backward.0[cell + width]
            }
        }
        let total = (0..<width).reduce(0) { $0 + forward.0[rows * width + $1] }
        guard total > 0, total.isFinite else { return nil }
        var best: (index: Int, probability: Double)?
        for column in others.indices {
            let cell = place * width + column
            let weight = (forward.0[cell] + forward.1[cell]) * odd(place, column) * backward.0[cell + width + 1]
            if weight / total > best?.probability ?? 0 { best = (column, weight / total) }
        }
        return best
    }
}
