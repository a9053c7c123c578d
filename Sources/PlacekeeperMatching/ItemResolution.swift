import PlacekeeperCore

/// The result of resolving one item for the requesting device.
package struct ItemResolution: Sendable, Hashable {
    /// The step that resolved an item, from the best step to the worst.
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
        /// The request has already looked up neighbors of `Limits.neighborSearches` items by registered position, or
        /// the work budget is too low for another such search. A pending reference then has no neighbor.
        case neighbors
        /// The archive's rewritten references up to this one would have exceeded `Limits.rewritten` bytes.
        case size
    }

    /// The requesting device's identifier of the item, or of the neighbor if `step` is `neighbor`. Nil if none was
    /// found.
    package var identifier: String?
    package var step: Step
    /// Whether several items of the requesting device match. `identifier` is then the likeliest.
    package var isAmbiguous = false
    /// Whether an operator decided that the item found is the item to resolve. The decision may name an item that the
    /// item found has replaced.
    package var isDecided = false
    /// Whether the source device is also the requesting device, and the saved identifier isn't registered. The service
    /// keeps such an identifier, because the device's list may contain items that it hasn't registered.
    var isAssumed = false
    /// How many aliases the item to resolve and the item found share. Nil unless `step` is `alias` and no operator
    /// decided.
    var sharedAliasCount: Int?
    /// The shared alias of the item found, or of an item that it replaced, if there is only one.
    var sharedAlias: LookupKey?
    /// Whether the item found has no shared alias of its own, but an item that it replaced has.
    var isThroughReplacedItem = false
    /// Whether the item was found only through items of third devices.
    package var isThroughOthers = false
    /// Whether the requesting device removed the item.
    var isRemoved = false
    /// Aliases that came with the item, but belong to another item of the requesting device.
    var withheldAliases: [String] = []
    /// Aliases that came with the item, but aren't evidence.
    var sharedAliases: [String] = []
    /// The identifier of a neighbor on the requesting device that replaces the first visible item until the item
    /// arrives. Nil unless `step` is `pending`.
    package var neighbor: String?
    /// Where the neighbor came from. Nil if the service chose none.
    package var neighborSource: NeighborSource?
    /// The limit that left the reference unresolved, or pending without a neighbor. Nil if no limit did.
    package var limitedBy: Bound?
    /// Where to search for a neighbor. Empty if `step` is `exact`.
    var neighborAnchors = NeighborAnchors()

    /// The list positions near which the service searches for neighbors.
    struct NeighborAnchors: Hashable {
        /// The removed item's position on the requesting device.
        var former: ListPosition?
        /// The item's position on the source device.
        var source: ListPosition?
        var isEmpty: Bool { former == nil && source == nil }
    }

    /// An item's position in the list of its device.
    struct ListPosition: Hashable {
        var key: LookupKey
        var position: Int64

        /// Creates the position of an item. Nil without an item, or if the device registered no position for it.
        init?(_ item: StoredItem?) {
            guard let item, let position = item.position else { return nil }
            (key, self.position) = (item.key, position)
        }
    }

    package init(_ identifier: String?, _ step: Step) {
        self.identifier = identifier
        self.step = step
    }

    /// Resolves the item to a neighbor. A pending item remains pending, because it may still arrive.
    mutating func take(_ neighbor: String, by source: NeighborSource) {
        if step == .pending {
            self.neighbor = neighbor
        } else {
            identifier = neighbor
            step = .neighbor
        }
        neighborSource = source
    }

    /// Whether the item itself was found, and nothing else on the requesting device matches.
    var isCertain: Bool { [.exact, .alias].contains(step) && !isAmbiguous && !isAssumed }

    /// How often this kind of result is right in the simulation of docs/identity-measured.md, from 0 to 1. For a
    /// neighbor, how often it is next to the item. Some values are not measured (docs/identity.md).
    package var confidence: Double {
        switch step {
        case .exact: 1
        case .alias:
            if isAmbiguous {
                0.5
            } else if isThroughOthers {
                0.9
            } else {
                // Operators' decisions are not measured.
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
