/// Compares two pieces of lists, and returns how likely an item of one piece is an item of the other. Sums over all
/// pairings that keep the order of both pieces (the forward-backward algorithm). The work is proportional to the
/// product of the pieces' lengths.
package enum ListAlignment {
    /// An item of a piece, with its aliases.
    package struct Row {
        /// The aliases in the order of their keys, without duplicates.
        package var aliases: [Alias]

        package struct Alias {
            /// A number that stands for the alias.
            package var key: Int64
            /// The number of the alias's kind (`AliasKinds`).
            package var kind: Int
            package var isAmbiguous: Bool

            package init(key: Int64, kind: Int, isAmbiguous: Bool) {
                self.key = key
                self.kind = kind
                self.isAmbiguous = isAmbiguous
            }
        }

        package init(_ aliases: [Alias]) { self.aliases = aliases.sorted { $0.key < $1.key } }

        func hasKind(_ kind: Int) -> Bool { aliases.contains { $0.kind == kind } }
    }

    /// What the aliases of two items say about whether they are the same.
    package struct Comparison {
        /// Whether the items have a common alias that is evidence.
        var sharesAlias = false
        /// Whether the items have a common alias that other items have too.
        var sharesAmbiguousAlias = false
        /// Whether both items have aliases of some kind, but none of that kind in common.
        package private(set) var differs = false
        /// The kinds of the common aliases that are evidence, or of the others if none is. There are few.
        private(set) var sharedKinds: [Int] = []
        /// The kinds of aliases that only one of the items has.
        private(set) var lackedKinds: [Int] = []
        /// Whether neither item has aliases.
        var isEmpty = false

        package init(_ one: Row, _ other: Row) {
            var (index, place) = (0, 0)
            var ambiguousKinds: [Int] = []
            while index < one.aliases.count, place < other.aliases.count {
                let (mine, theirs) = (one.aliases[index], other.aliases[place])
                if mine.key == theirs.key {
                    if mine.isAmbiguous {
                        sharesAmbiguousAlias = true
                        if !ambiguousKinds.contains(mine.kind) { ambiguousKinds.append(mine.kind) }
                    } else {
                        sharesAlias = true
                        if !sharedKinds.contains(mine.kind) { sharedKinds.append(mine.kind) }
                    }
                }
                if mine.key <= theirs.key { index += 1 }
                if theirs.key <= mine.key { place += 1 }
            }
            if sharedKinds.isEmpty { sharedKinds = ambiguousKinds }
            isEmpty = one.aliases.isEmpty && other.aliases.isEmpty
            for alias in one.aliases where !sharedKinds.contains(alias.kind) && !ambiguousKinds.contains(alias.kind) {
                if other.hasKind(alias.kind) { differs = true } else { lacks(alias.kind) }
            }
            for alias in other.aliases where !one.hasKind(alias.kind) { lacks(alias.kind) }
        }

        private mutating func lacks(_ kind: Int) {
            if !lackedKinds.contains(kind) { lackedKinds.append(kind) }
        }

        /// The odds that the items are the same.
        ///
        /// - Parameter lacked: what a lack of a kind says.
        func odds(_ lacked: LackedKinds) -> Double {
            var odds = 1.0
            if sharesAlias { odds *= Odds.shared }
            if sharesAmbiguousAlias { odds *= Odds.ambiguous }
            if differs { odds *= Odds.different }
            if isEmpty { odds *= Odds.empty }
            if !sharesAlias {
                for kind in lackedKinds { odds *= lacked.odds[kind] ?? Odds.lacking }
            }
            return odds
        }
    }

    /// The factors of the odds. In a typical list, neighbors with common aliases decide the result, so the values
    /// matter little.
    private enum Odds {
        /// An item of one list isn't in the other.
        static let skipped = 0.12
        static let shared = 1e4
        static let ambiguous = 30.0
        static let different = 0.02
        static let empty = 5.0
        /// Only one of the items has aliases of a kind, and no pair can show what this says (`LackedKinds`).
        static let lacking = 0.01
    }

    /// Returns, for each row of `others`, the probability that it is the row `place` of `rows`. Empty if no pairing is
    /// found.
    static func probabilities(
        of place: Int, in rows: [Row], among others: [Row], lacked: LackedKinds
    ) -> [Double] {
        let (height, width) = (rows.count, others.count + 1)
        guard rows.indices.contains(place), !others.isEmpty else { return [] }
        let odds = rows.flatMap { row in
            others.map { Comparison(row, $0).odds(lacked) }
        }
        func odd(_ row: Int, _ column: Int) -> Double { odds[row * others.count + column] }
        // Each cell is a place between two rows and two columns. `paired` sums the pairings whose last step made a pair
        // or skipped a row, `left` those whose last step skipped a column. Between two pairs, rows are skipped before
        // columns, so each pairing counts once. Columns before the first pair and after the last one don't lower the
        // odds, because `others` is the longer piece.
        var forward = [(paired: Double, left: Double)](repeating: (0, 0), count: (height + 1) * width)
        var backward = forward
        /// For each row, the odds of the pairing that has skipped all rows before it.
        var start = [1.0]
        for row in 0...height {
            for column in 0..<width {
                let cell = row * width + column
                if row > 0 { forward[cell].paired = Odds.skipped * forward[cell - width].paired }
                guard column > 0 else { continue }
                if row > 0 {
                    let last = forward[cell - width - 1]
                    forward[cell].paired += (start[row - 1] + last.paired + last.left) * odd(row - 1, column - 1)
                }
                forward[cell].left = Odds.skipped * (forward[cell - 1].paired + forward[cell - 1].left)
            }
            start.append(start[row] * Odds.skipped)
        }
        for row in (0...height).reversed() {
            for column in (0..<width).reversed() {
                let cell = row * width + column
                guard row < height else {
                    backward[cell].paired = 1
                    continue
                }
                backward[cell].paired = Odds.skipped * backward[cell + width].paired
                guard column < width - 1 else { continue }
                let next = backward[cell + width + 1].paired * odd(row, column) + Odds.skipped * backward[cell + 1].left
                backward[cell].left = next
                backward[cell].paired += next
            }
        }
        let total = (0..<width).reduce(start[height]) { $0 + forward[height * width + $1].paired }
        guard total > 0, total.isFinite else { return [] }
        return others.indices.map { column in
            let cell = place * width + column
            let before = start[place] + forward[cell].paired + forward[cell].left
            return before * odd(place, column) * backward[cell + width + 1].paired / total
        }
    }
}
