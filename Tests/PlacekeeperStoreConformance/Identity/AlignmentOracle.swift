import PlacekeeperMatching
import PlacekeeperService

/// Computes the expected results for two devices' lists by the rules of docs/identity-algorithm.md#alignment in their
/// simplest form. It lists every pairing of the two pieces, so the lists must be short. All items have positions and
/// live.
struct AlignmentOracle {
    struct Row: Equatable {
        var identifier: String
        var aliases: Set<String>
    }

    /// The lists of the source device and of the requesting device, in order.
    var source: [Row]
    var theirs: [Row]

    private static func kind(_ alias: String) -> String {
        alias.firstIndex(of: ":").map { String(alias[..<$0]) } ?? ""
    }

    private var ambiguous: Set<String> {
        var found: Set<String> = []
        for list in [source, theirs] {
            for row in list {
                for alias in row.aliases where list.count(where: { $0.aliases.contains(alias) }) > 1 {
                    found.insert(alias)
                }
            }
        }
        return found
    }

    /// Returns the place of the only item of the requesting device that shares an alias with an item.
    private func image(_ row: Row) -> Int? {
        let found = theirs.indices.filter {
            !theirs[$0].aliases.intersection(row.aliases).subtracting(ambiguous).isEmpty
        }
        return found.count == 1 ? found[0] : nil
    }

    /// The answer before alignment: the places of the items that match.
    private func matches(_ row: Row) -> (places: [Int], sharedCount: Int) {
        let counts = theirs.map { $0.aliases.intersection(row.aliases).subtracting(ambiguous).count }
        let places = theirs.indices.filter { counts[$0] > 0 }
        return (places, counts.max() ?? 0)
    }

    func resolve(_ identifier: String) -> IdentityOracle.Answer {
        guard let own = source.firstIndex(where: { $0.identifier == identifier }) else {
            return .init(step: .unresolved)
        }
        let (matched, sharedCount) = matches(source[own])
        let found = matched.count == 1 ? matched[0] : nil
        if matched.count > 1 {
            // The best match is compared elsewhere (`IdentityOracle`). Here it matters whether alignment decides.
            return alignment(own, found: nil) ?? .init(step: .alias, isAmbiguous: true)
        }
        guard let found else { return alignment(own, found: nil) ?? .init(step: .pending) }
        let answer = IdentityOracle.Answer(identifier: theirs[found].identifier, step: .alias)
        if sharedCount > 1 || ambiguous.isEmpty { return answer }
        let shared = theirs[found].aliases.intersection(source[own].aliases).subtracting(ambiguous)
        let weak = Set(ambiguous.map(Self.kind))
        if !shared.allSatisfy({ weak.contains(Self.kind($0)) }) { return answer }
        return alignment(own, found: found) ?? answer
    }

    /// Nil if alignment tells nothing.
    private func alignment(_ own: Int, found: Int?) -> IdentityOracle.Answer? {
        let nothing: IdentityOracle.Answer? = found == nil ? nil : .init(step: .pending)
        let piece = Array(max(0, own - 12)..<min(source.count, own + 13))
        let images = piece.filter { $0 != own }.compactMap { place in image(source[place]).map { (place, $0) } }
        guard !images.isEmpty else { return nothing }
        if let found {
            let before = images.last { $0.0 < own }?.1
            let after = images.first { $0.0 > own }?.1
            if let before, let after, (before < found && found < after) || (after < found && found < before) {
                return nil
            }
        }
        let middle = images.map(\.1).sorted()[images.count / 2]
        let window = Array(max(0, middle - 36)..<min(theirs.count, middle + 36))
        let anchors = images.filter { window.contains($0.1) && abs($0.1 - middle) <= 24 }
        let pairs = Array(zip(anchors, anchors.dropFirst()))
        let falls = pairs.count { $0.0.1 > $0.1.1 }
        let isReversed = 2 * falls > pairs.count
        let agreeing = pairs.count { one, other in
            let distance = isReversed ? one.1 - other.1 : other.1 - one.1
            return distance >= 1 && distance <= other.0 - one.0 + 5
        }
        guard 2 * anchors.count > images.count, Double(agreeing) >= 0.75 * Double(anchors.count - 1) else {
            return images.count < 3 ? nothing : nil
        }
        let next = anchors.sorted { (abs($0.0 - own), $0.0) < (abs($1.0 - own), $1.0) }.prefix(4)
        func isNear(_ place: Int) -> Bool {
            next.contains { abs(abs($0.1 - place) - abs($0.0 - own)) <= 5 }
        }
        if let found {
            if isNear(found) { return nil }
            if images.count < 3 { return nothing }
        }
        var columns = Array(
            max(window[0], anchors.map(\.1).min()! - 6)...min(window.last!, anchors.map(\.1).max()! + 6))
        if isReversed { columns.reverse() }
        let missing = anchors.filter { columns.contains($0.1) }.reduce(into: Set<String>()) {
            $0.formUnion(lacked(source[$1.0], theirs[$1.1]))
        }
        let shares = Pairings(
            odds: piece.map { row in columns.map { odds(source[row], theirs[$0], missing) } }
        ).shares(of: own - piece[0])
        guard let top = shares.max(), top > 0, let best = shares.lastIndex(of: top) else { return nil }
        func isBetween(_ place: Int) -> Bool {
            let before = anchors.filter { $0.0 < own }.suffix(2)
            let after = anchors.filter { $0.0 > own }.prefix(2)
            let path = before.map(\.1) + [place] + after.map(\.1)
            if anchors.count >= 3, before.last?.0 == own - 1, after.first?.0 == own + 1,
                [place - 1, place + 1] == [before.last?.1, after.first?.1].compactMap({ $0 }).sorted()
            {
                return true
            }
            guard path.count == 5 else { return false }
            return path == path.sorted(by: isReversed ? (>) : (<)) && Set(path).count == 5
        }
        func isPossible(_ index: Int) -> Bool {
            isNear(columns[index]) && !differs(source[own], theirs[columns[index]])
                && (isBetween(columns[index]) || !source[own].aliases.isDisjoint(with: theirs[columns[index]].aliases))
        }
        guard isPossible(best) else { return nothing }
        let item = theirs[columns[best]]
        if shares[best] >= 0.9 { return .init(identifier: item.identifier, step: .alignment) }
        return nothing
    }

    private func differs(_ one: Row, _ other: Row) -> Bool {
        Set(one.aliases.map(Self.kind)).intersection(other.aliases.map(Self.kind)).contains { kind in
            !one.aliases.intersection(other.aliases).contains { Self.kind($0) == kind }
        }
    }

    /// The kinds of aliases that only one of the items has.
    private func lacked(_ one: Row, _ other: Row) -> Set<String> {
        Set(one.aliases.map(Self.kind)).symmetricDifference(other.aliases.map(Self.kind))
    }

    private func odds(_ one: Row, _ other: Row, _ missing: Set<String>) -> Double {
        let common = one.aliases.intersection(other.aliases)
        var odds = 1.0
        if !common.isSubset(of: ambiguous) { odds *= 10_000 }
        if !common.isDisjoint(with: ambiguous) { odds *= 30 }
        if differs(one, other) { odds *= 0.02 }
        if one.aliases.isEmpty, other.aliases.isEmpty { odds *= 5 }
        let lacked = lacked(one, other)
        if common.isSubset(of: ambiguous), !lacked.isEmpty { odds *= lacked.isSubset(of: missing) ? 0.7 : 0.01 }
        return odds
    }

    /// All pairings of rows and columns that keep the order of both. The columns before the first pair and after the
    /// last pair are free.
    struct Pairings {
        var odds: [[Double]]

        /// Returns, for each column, the weight of the pairings that pair it with a row, as a share of all pairings.
        func shares(of row: Int) -> [Double] {
            var sums = [Double](repeating: 0, count: odds.first?.count ?? 0)
            var total = 0.0
            visit(0, 0, nil, 1, nil) { weight, partner in
                total += weight
                if let partner { sums[partner] += weight }
            } of: {
                $0 == row
            }
            return sums.map { total > 0 ? $0 / total : 0 }
        }

        /// - Parameters:
        ///   - last: the column of the last pair.
        ///   - partner: the partner of the row that is asked for.
        private func visit(
            _ row: Int, _ column: Int, _ last: Int?, _ weight: Double, _ partner: Int?,
            _ end: (Double, Int?) -> Void, of isAsked: (Int) -> Bool
        ) {
            guard row < odds.count else { return end(weight, partner) }
            visit(row + 1, column, last, weight * 0.12, partner, end, of: isAsked)
            for other in column..<odds[row].count {
                // The columns between two pairs stay single.
                var weight = weight * odds[row][other]
                if let last { for _ in 0..<(other - last - 1) { weight *= 0.12 } }
                visit(row + 1, other + 1, other, weight, isAsked(row) ? other : partner, end, of: isAsked)
            }
        }
    }
}
