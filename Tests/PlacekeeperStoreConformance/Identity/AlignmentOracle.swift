import PlacekeeperMatching
import PlacekeeperService

/// Computes the expected results for two devices' lists by the rules of docs/identity-algorithm.md#alignment in their
/// simplest form. It lists every chain of images and every pairing of the two pieces, so the lists must be short. All
/// items live.
struct AlignmentOracle {
    struct Row: Equatable {
        /// The identifier in UTF-8.
        private var bytes: [UInt8]
        var aliases: Set<String>
        var hasPosition = true
        var identifier: String { String(decoding: bytes, as: UTF8.self) }

        init(identifier: String, aliases: Set<String>) {
            bytes = Array(identifier.utf8)
            self.aliases = aliases
        }
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

    /// The requesting device's items with positions. A place is an index among them.
    private var placed: [Row] { theirs.filter(\.hasPosition) }

    /// Returns the place of the only item of the requesting device that shares an alias with an item.
    private func image(_ row: Row) -> Int? {
        let found = matches(row).found
        return found.count == 1 ? placed.firstIndex(of: found[0]) : nil
    }

    /// The answer before alignment: the items that match.
    private func matches(_ row: Row) -> (found: [Row], sharedCount: Int) {
        func count(_ other: Row) -> Int { other.aliases.intersection(row.aliases).subtracting(ambiguous).count }
        return (theirs.filter { count($0) > 0 }, theirs.map(count).max() ?? 0)
    }

    func resolve(_ identifier: String) -> IdentityOracle.Answer {
        guard let own = source.first(where: { $0.identifier.utf8.elementsEqual(identifier.utf8) }) else {
            return .init(step: .unresolved)
        }
        let (matched, sharedCount) = matches(own)
        if matched.count > 1 {
            // The best match is compared elsewhere (`IdentityOracle`). Here it matters whether alignment decides.
            return alignment(own) ?? .init(step: .alias, isAmbiguous: true)
        }
        guard let found = matched.first else { return alignment(own) ?? .init(step: .pending) }
        let answer = IdentityOracle.Answer(identifier: found.identifier, step: .alias)
        let shared = found.aliases.intersection(own.aliases).subtracting(ambiguous)
        let weak = Set(ambiguous.map(Self.kind))
        if sharedCount > 1 || !shared.allSatisfy({ weak.contains(Self.kind($0)) }) { return answer }
        guard let place = placed.firstIndex(of: found), let company = company(of: own) else {
            return isElsewhere(own) ? answer : .init(step: .pending)
        }
        return company.supports(place) ? answer : alignment(own) ?? .init(step: .pending)
    }

    /// The items near an item on the source device, and the chain of their images.
    private struct Company {
        /// The items of the source device, and the index of the item sought.
        var piece: [Row]
        var own: Int
        /// The indices of the neighbors in the piece, each with its image's place.
        var chain: [(row: Int, place: Int)]
        /// The images in the window, in the chain or not.
        var images: [(row: Int, place: Int)]
        var window: ClosedRange<Int>

        /// Whether the chain is hardly one by chance.
        var isClear: Bool { 6 * chain.count > 5 * images.count }
        var falls: Bool { chain.count > 1 && chain[0].place > chain[1].place }
        var before: [Int] { chain.filter { $0.row < own }.map(\.place) }
        var after: [Int] { chain.filter { $0.row > own }.map(\.place) }

        func isNear(_ place: Int) -> Bool {
            guard window.contains(place) else { return false }
            let next = chain.sorted { (abs($0.row - own), $0.row) < (abs($1.row - own), $1.row) }.prefix(4)
            return next.contains { abs(abs($0.place - place) - abs($0.row - own)) <= 5 }
        }

        func supports(_ place: Int) -> Bool {
            if let last = before.last, let next = after.first, min(last, next) < place, place < max(last, next) {
                return true
            }
            return isNear(place)
        }
    }

    /// Whether the requesting device has another order.
    private func isElsewhere(_ own: Row) -> Bool {
        guard company(of: own) == nil, let (piece, index) = piece(around: own) else { return false }
        return piece.indices.count { $0 != index && image(piece[$0]) != nil } > 2
    }

    /// Returns the items around an item on the source device, and the item's index among them.
    private func piece(around own: Row) -> ([Row], Int)? {
        let mine = source.filter { $0.hasPosition || $0 == own }
        guard own.hasPosition, let index = mine.firstIndex(of: own) else { return nil }
        let piece = Array(mine[max(0, index - 12)..<min(mine.count, index + 13)])
        return piece.firstIndex(of: own).map { (piece, $0) }
    }

    /// Nil if no chain has more than half of the images.
    private func company(of own: Row) -> Company? {
        guard let (piece, ownIndex) = piece(around: own) else { return nil }
        let images = piece.indices.filter { $0 != ownIndex }.compactMap { row in
            image(piece[row]).map { (row: row, place: $0) }
        }
        guard !images.isEmpty else { return nil }
        let middle = images.map(\.place).sorted()[images.count / 2]
        let window = max(0, middle - 36)...min(placed.count - 1, middle + 35)
        let inside = images.filter { window.contains($0.place) }
        var best: (chain: [(row: Int, place: Int)], difference: Int)?
        for sign in [1, -1] {
            for chain in Self.selections(of: inside) {
                let pairs = zip(chain, chain.dropFirst())
                    .map { (mine: $1.row - $0.row, theirs: sign * ($1.place - $0.place)) }
                guard pairs.allSatisfy({ $0.theirs > 0 && $0.theirs <= $0.mine + 5 }) else { continue }
                let difference = pairs.reduce(0) { $0 + abs($1.theirs - $1.mine) }
                if let best, (best.chain.count, -best.difference) >= (chain.count, -difference) { continue }
                best = (chain, difference)
            }
        }
        guard let chain = best?.chain, 2 * chain.count > images.count else { return nil }
        return Company(piece: piece, own: ownIndex, chain: chain, images: inside, window: window)
    }

    /// All selections of elements in their order. Among those of one length, those with earlier elements come first.
    private static func selections<Element>(of elements: [Element]) -> [[Element]] {
        guard let first = elements.first else { return [[]] }
        let rest = selections(of: Array(elements.dropFirst()))
        return rest.map { [first] + $0 } + rest
    }

    /// Nil if alignment finds nothing.
    private func alignment(_ own: Row) -> IdentityOracle.Answer? {
        guard let company = company(of: own), company.isClear else { return nil }
        let (theirs, chain, piece) = (placed, company.chain, company.piece)
        let places = chain.map(\.place)
        var columns = Array(
            max(company.window.lowerBound, places.min()! - 6)...min(company.window.upperBound, places.max()! + 6))
        if company.falls { columns.reverse() }
        let pairs = chain.map { (piece[$0.row], theirs[$0.place]) }
        let compared = piece + columns.map { theirs[$0] }
        let shares = Pairings(
            odds: piece.map { row in
                columns.map { odds(row, theirs[$0]) { self.odds(ofLacking: $0, by: pairs, among: compared) } }
            }
        ).shares(of: company.own)
        guard let top = shares.max(), top > 0, let best = shares.lastIndex(of: top) else { return nil }
        func isBetween(_ place: Int) -> Bool {
            guard chain.count >= 3 else { return false }
            let before = company.images.filter { $0.row < company.own }.suffix(2)
            let after = company.images.filter { $0.row > company.own }.prefix(2)
            if before.last?.row == company.own - 1, after.first?.row == company.own + 1,
                [place - 1, place + 1] == [before.last?.place, after.first?.place].compactMap({ $0 }).sorted()
            {
                return true
            }
            let path = before.map(\.place) + [place] + after.map(\.place)
            guard path.count == 5 else { return false }
            return path == path.sorted(by: company.falls ? (>) : (<)) && Set(path).count == 5
        }
        let column = columns[best]
        guard company.isNear(column), !differs(own, theirs[column]),
            isBetween(column) || isKnown(own, theirs[column])
        else { return nil }
        return shares[best] >= 0.9 ? .init(identifier: theirs[column].identifier, step: .alignment) : nil
    }

    /// Whether a common alias is evidence or, if it is ambiguous, neither item lacks aliases of a kind.
    private func isKnown(_ one: Row, _ other: Row) -> Bool {
        let common = one.aliases.intersection(other.aliases)
        return !common.isSubset(of: ambiguous) || (!common.isEmpty && lacked(one, other).isEmpty)
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

    /// Returns how many pairs lack a kind, divided by how many would by chance, with one more on both sides, but at most 1. Pairs that
    /// have only aliases of the kind in common don't count.
    private func odds(ofLacking kind: String, by pairs: [(Row, Row)], among rows: [Row]) -> Double {
        let counted = pairs.filter { pair in
            let common = pair.0.aliases.intersection(pair.1.aliases)
            let proofs = common.subtracting(ambiguous)
            return Set((proofs.isEmpty ? common : proofs).map(Self.kind)) != [kind]
        }
        if counted.isEmpty { return 0.01 }
        let having = rows.count { row in row.aliases.contains { Self.kind($0) == kind } }
        let share = (Double(having) + 0.5) / Double(rows.count + 1)
        let expected = Double(counted.count) * 2 * share * (1 - share)
        return min(1, (Double(counted.count { lacked($0.0, $0.1).contains(kind) }) + 1) / (expected + 1))
    }

    private func odds(_ one: Row, _ other: Row, _ lackingOdds: (String) -> Double) -> Double {
        let common = one.aliases.intersection(other.aliases)
        var odds = 1.0
        if !common.isSubset(of: ambiguous) { odds *= 10_000 }
        if !common.isDisjoint(with: ambiguous) { odds *= 30 }
        if differs(one, other) { odds *= 0.02 }
        if one.aliases.isEmpty, other.aliases.isEmpty { odds *= 5 }
        if common.isSubset(of: ambiguous) { for kind in lacked(one, other) { odds *= lackingOdds(kind) } }
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
