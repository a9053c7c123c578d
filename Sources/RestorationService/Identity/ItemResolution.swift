/// The result of resolving one item for the requesting device.
package struct ItemResolution: Sendable, Hashable {
    /// The step by which an item was resolved, the best first.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        case exact, alias, pending, neighbour, indexPath, unresolved
    }

    package enum NeighbourSource: Sendable, Hashable {
        /// The archive names the neighbor.
        case archive
        /// A device registered positions for both items.
        case position
    }

    package enum Bound: Sendable, Hashable {
        /// The request already looked up the neighbors of `Limits.neighbourSearches` items by registered positions,
        /// or its work budget has too little left.
        case neighbours
        /// The archive would have grown by more than `Limits.rewritten` bytes.
        case size
    }

    /// The item's identifier on the requesting device. Nil if none was found.
    package var identifier: String?
    package var step: Step
    /// Whether several items of the requesting device match. This item is the likeliest.
    package var isAmbiguous = false
    /// Whether an operator decided that this item, or an item that this item replaced, is the item in question.
    package var isDecided = false
    /// Whether the identifier is the requesting device's own, without a live registration.
    var isAssumed = false
    /// Whether the item was found only through the items of third devices.
    package var isThroughOthers = false
    /// The aliases that came with the item and are no evidence on the requesting device.
    var withheldAliases: [String] = []
    /// The source of the neighbor. Nil at other steps.
    package var neighbourSource: NeighbourSource?
    /// The work limit that was reached, if the reference was left unresolved because of one.
    package var limitedBy: Bound?
    /// The positions to find a neighbor by. Empty unless the item is unresolved.
    var neighbourAnchors = NeighbourAnchors()

    /// The list positions by which neighbors are found.
    struct NeighbourAnchors: Hashable {
        /// The removed item's position on the requesting device.
        var former: ListPosition?
        /// The item's position on the source device.
        var source: ListPosition?
        var isEmpty: Bool { former == nil && source == nil }
    }

    /// An item's position in its device's list.
    struct ListPosition: Hashable {
        var key: LookupKey
        var position: Int64

        /// Nil if the device registered no position.
        init?(_ item: StoredItem?) {
            guard let item, let position = item.position else { return nil }
            (key, self.position) = (item.key, position)
        }
    }

    init(_ identifier: String?, _ step: Step) {
        self.identifier = identifier
        self.step = step
    }

    /// Resolves the item to a neighbor.
    mutating func take(_ neighbour: String, by source: NeighbourSource) {
        identifier = neighbour
        step = .neighbour
        neighbourSource = source
    }

    /// The confidence that this is the item, from 0 to 1. It is a rank, not a probability.
    package var confidence: Double {
        switch step {
        case .exact: 1
        case .alias: isAmbiguous ? 0.5 : isThroughOthers ? 0.8 : 0.95
        case .neighbour, .indexPath: 0.25
        case .pending, .unresolved: 0
        }
    }
}
