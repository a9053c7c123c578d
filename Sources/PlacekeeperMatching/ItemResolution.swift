import PlacekeeperCore

/// The result of resolving one item for the requesting device.
package struct ItemResolution: Sendable, Hashable {
    /// The step by which an item was resolved. The cases are in order from the best step to the worst.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        case exact, alias, alignment, indistinguishable, pending, neighbor, indexPath, unresolved
    }

    package enum NeighborSource: Sendable, Hashable {
        /// The archive names the neighbor.
        case archive
        /// A device registered positions for both the item and the neighbor.
        case position
    }

    package enum Bound: Sendable, Hashable {
        /// The request already looked up the neighbors of `Limits.neighborSearches` items by registered positions, or
        /// the request's work budget has too few lookups left for another such search. A pending reference then has no
        /// neighbor.
        case neighbors
        /// The archive's rewritten references, up to this one, would have taken more than `Limits.rewritten` bytes.
        case size
    }

    /// The identifier of the item on the requesting device, or of the neighbor if `step` is `neighbor`. Nil if no
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
    /// The number of aliases that the item and the found item share. Nil unless `step` is `alias`, or if an
    /// operator's decision counts.
    var sharedAliasCount: Int?
    /// Whether the item was found only through the items of third devices.
    package var isThroughOthers = false
    /// Whether the requesting device removed the item.
    var isRemoved = false
    /// The aliases that came with the item, but by which the requesting device must not look up the item.
    var withheldAliases: [String] = []
    /// The identifier of a neighbor on the requesting device, which replaces the first visible item until the item
    /// arrives. Nil if `step` is not `pending`.
    package var neighbor: String?
    /// The source of the neighbor. Nil if the service chose no neighbor.
    package var neighborSource: NeighborSource?
    /// The limit because of which the reference was left unresolved, or pending without a neighbor. Nil if no limit is
    /// the cause.
    package var limitedBy: Bound?
    /// The positions by which to search for a neighbor. Empty if `step` is `exact`.
    var neighborAnchors = NeighborAnchors()

    /// The list positions near which the service searches for neighbors.
    struct NeighborAnchors: Hashable {
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

    package init(_ identifier: String?, _ step: Step) {
        self.identifier = identifier
        self.step = step
    }

    /// Resolves the item to a neighbor. A pending item stays pending, because it may still arrive.
    mutating func take(_ neighbor: String, by source: NeighborSource) {
        if step == .pending {
            self.neighbor = neighbor
        } else {
            identifier = neighbor
            step = .neighbor
        }
        neighborSource = source
    }

    /// Whether the item itself was found, and no other item of the requesting device matches.
    var isCertain: Bool { [.exact, .alias, .alignment].contains(step) && !isAmbiguous && !isAssumed }

    /// The share of items found in this way that are the right items in the simulation of docs/identity-measured.md, from
    /// 0 to 1. For a neighbor, the share that are beside the item. Some values are not measured (docs/identity.md).
    package var confidence: Double {
        switch step {
        case .exact: 1
        case .alias:
            if isAmbiguous {
                0.5
            } else if isThroughOthers {
                0.9
            } else {
                // Decisions of operators are not measured.
                sharedAliasCount.map { $0 > 1 ? 0.999 : 0.997 } ?? 0.95
            }
        case .alignment: 0.99
        case .indistinguishable: 0.15
        case .neighbor: 0.42
        case .indexPath: 0.25
        case .pending, .unresolved: 0
        }
    }
}
