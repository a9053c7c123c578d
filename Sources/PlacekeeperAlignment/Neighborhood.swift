/// What the neighbors of an item show about the item's place on the requesting device
/// (docs/identity-algorithm.md#alignment).
///
/// Rows are indices of the neighbors on the source device, among which is the item sought. Places are indices in the
/// *window*: the requesting device's items around the middle image of the neighbors.
package struct Neighborhood {
    /// What the neighbors' places show about an item.
    package enum Finding: Hashable, Sendable {
        /// The neighbors' places are unknown.
        case unknown
        /// The requesting device orders its list differently, so places prove nothing.
        case otherOrder
        /// The neighbors are near the item that was found by an alias.
        case agrees
        /// The neighbors are together, and the item in this place among them is the one sought.
        case item(Int)
        /// The item is one of several next to each other with the same evidence. The first of them is in this place.
        case either(Int)
        /// The neighbors are together, but the item isn't among them.
        case absent

        /// The finding with the places of a list in which the window begins at a place.
        package func inList(from start: Int) -> Finding {
            switch self {
            case .item(let place): .item(start + place)
            case .either(let place): .either(start + place)
            case .unknown, .otherOrder, .agrees, .absent: self
            }
        }
    }

    /// How many items on each side of an item are its neighbors, if an archive doesn't name them.
    package static let reach = 12
    /// How many items on each side of the middle image are the window.
    package static let windowReach = 3 * reach
    /// How many items beyond the images are compared.
    private static let margin = 6
    /// The minimum probability for an item to be taken.
    private static let certainty = 0.9

    /// Returns the middle one of the neighbors' images, around which the window lies. Nil if there are none.
    package static func middle<Place: Comparable>(of places: [Place]) -> Place? {
        places.sorted().dropFirst(places.count / 2).first
    }

    /// Returns the one of several items around which the neighbors lie as around the item sought: eight or more of
    /// them, at most a sixth as many in another order, and around each of the other items at most half as many. This
    /// shows the item's place in a list whose sections are in another order.
    /// - Parameters:
    ///   - candidates: The places of the items that share an alias with the item sought, in the whole list.
    ///   - row: The row of the item sought.
    ///   - images: The neighbors' images in the whole list.
    package static func candidate(among candidates: [Int], of row: Int, images: [ImageChain.Image]) -> Int? {
        let ranked = candidates.map { (place: $0, support: ImageChain.support(of: $0, at: row, among: images)) }
            .sorted { $0.support.count > $1.support.count }
        guard let (place, support) = ranked.first, support.count >= 8, 6 * support.against <= support.count,
            ranked.dropFirst().allSatisfy({ 2 * $0.support.count <= support.count })
        else { return nil }
        return place
    }

    private let row: Int
    private let chain: ImageChain
    private let imageCount: Int
    /// What the neighbors show if no item was found: `unknown` or `otherOrder`. Nil if the lists can be aligned.
    private let obstacle: Finding?

    /// - Parameters:
    ///   - row: The row of the item sought.
    ///   - images: The neighbors' images in the window, in the order of the rows.
    ///   - knownCount: The number of neighbors with an image, also outside the window.
    package init(of row: Int, images: [ImageChain.Image], knownCount: Int) {
        self.row = row
        chain = ImageChain(images)
        imageCount = Set(images.map(\.row)).count
        // In a list of another order, places prove nothing. A few images don't show that it is one.
        obstacle = 2 * chain.images.count > knownCount ? nil : knownCount < 3 ? .unknown : .otherOrder
    }

    /// Returns what the neighbors show about an item that was found by an alias. Nil if the lists must be aligned.
    /// - Parameter place: The place of the item that was found. Nil if it isn't in the window, or if none was found.
    package func finding(about place: Int?) -> Finding? {
        if let obstacle { return obstacle }
        if let place, chain.isAround(place, row) || chain.isNear(place, to: row) { return .agrees }
        // Among few images, some form a chain by chance.
        return 6 * chain.images.count > 5 * imageCount ? nil : .unknown
    }

    /// The places to compare with the rows, in the order of the rows.
    /// - Parameter count: The number of items in the window.
    package func places(among count: Int) -> [Int] {
        let low = max(0, (chain.images.map(\.place).min() ?? 0) - Self.margin)
        let high = min(count - 1, (chain.images.map(\.place).max() ?? 0) + Self.margin)
        guard low <= high else { return [] }
        return chain.isRising ? Array(low...high) : (low...high).reversed()
    }

    /// Aligns the lists and returns the item's counterpart.
    /// - Parameters:
    ///   - rows: The evidence of the rows.
    ///   - theirs: The evidence of the items in `places`.
    ///   - places: The places to compare.
    ///   - needsAlias: Whether an item without a common alias doesn't count.
    ///   - isDifferent: Whether the item in a place is known to be another one.
    package func counterpart(
        in rows: [ListAlignment.Row], among theirs: [ListAlignment.Row], at places: [Int],
        needsAlias: Bool = false, isDifferent: (Int) -> Bool = { _ in false }
    ) -> Finding {
        let pairs = chain.images.compactMap { image in
            places.firstIndex(of: image.place).map { ListAlignment.Comparison(rows[image.row], theirs[$0]) }
        }
        let lacked = LackedKinds(pairs, rows: rows + theirs)
        let probabilities = ListAlignment.probabilities(of: row, in: rows, among: theirs, lacked: lacked)
        guard let best = probabilities.indices.max(by: { probabilities[$0] < probabilities[$1] }) else {
            return .unknown
        }
        func isPossible(_ index: Int) -> Bool {
            let comparison = ListAlignment.Comparison(rows[row], theirs[index])
            // An item without a common alias needs its nearest neighbors in the same order. So does one with a common
            // alias that others have too, if one of the two lacks aliases of a kind.
            let isKnown =
                comparison.sharesAlias || (comparison.sharesAmbiguousAlias && comparison.lackedKinds.isEmpty)
                || (!needsAlias && chain.brackets(places[index], row))
            return isKnown && !comparison.differs && chain.isNear(places[index], to: row)
                && !isDifferent(places[index])
        }
        guard isPossible(best) else { return .absent }
        if probabilities[best] >= Self.certainty { return .item(places[best]) }
        // Copies next to each other have the same aliases.
        func isCopy(_ index: Int) -> Bool {
            theirs[index].aliases.map(\.key) == theirs[best].aliases.map(\.key) && isPossible(index)
        }
        var (first, last) = (best, best)
        while first > 0, isCopy(first - 1) { first -= 1 }
        while last + 1 < places.count, isCopy(last + 1) { last += 1 }
        guard first < last, !theirs[best].aliases.isEmpty,
            probabilities[first...last].reduce(0, +) >= Self.certainty
        else { return .absent }
        return .either(places[first])
    }
}
