/// The result of resolving one item for the requesting device.
package struct ItemResolution: Sendable, Hashable {
    /// The step by which an item was resolved. The cases are in order from the best step to the worst.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        case exact, alias, pending, neighbour, indexPath, unresolved
    }

    package enum NeighbourSource: Sendable, Hashable {
        /// The archive names the neighbor.
        case archive
        /// A device registered positions for both the item and the neighbor.
        case position
    }

    package enum Bound: Sendable, Hashable {
        /// The request already looked up the neighbors of `Limits.neighbourSearches` items by registered positions, or
        /// the request's work budget has too few look-ups left for another such search.
        case neighbours
        /// The archive's rewritten references, up to this one, would have taken more than `Limits.rewritten` bytes.
        case size
    }

    /// The identifier of the item on the requesting device, or of the neighbor if `step` is `neighbour`. Nil if no
    /// identifier was found.
    package var identifier: String?
    package var step: Step
    /// Whether several items of the requesting device match. If so, `identifier` names the most likely match.
    package var isAmbiguous = false
    /// Whether an operator decided that the item to resolve and the found item are the same. The decision may name an
    /// item that the found item replaced.
    package var isDecided = false
    /// Whether the requesting device is also the source device, and no registered item was found for the identifier
    /// that it saved. The service keeps such an identifier, because the device's list may contain items that the device
    /// has not registered.
    var isAssumed = false
    /// Whether the item was found only through the items of third devices.
    package var isThroughOthers = false
    /// The aliases that came with the item, but by which the requesting device must not look up the item.
    var withheldAliases: [String] = []
    /// The source of the neighbor. Nil if `step` is not `neighbour`.
    package var neighbourSource: NeighbourSource?
    /// The limit because of which the reference was left unresolved. Nil if no limit is the cause.
    package var limitedBy: Bound?
    /// The positions by which to search for a neighbor. Empty unless evidence left the item unresolved.
    var neighbourAnchors = NeighbourAnchors()

    /// The list positions near which the service searches for neighbors.
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

        /// Creates the position of an item. Nil if there is no item, or if the device registered no position for the
        /// item.
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

    /// The confidence that the found item is the right item, from 0 to 1. The value is a rank, not a probability.
    package var confidence: Double {
        switch step {
        case .exact: 1
        case .alias: isAmbiguous ? 0.5 : isThroughOthers ? 0.8 : 0.95
        case .neighbour, .indexPath: 0.25
        case .pending, .unresolved: 0
        }
    }
}
