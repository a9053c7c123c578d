/// What became of looking for one item on the asking device.
package struct ItemResolution: Sendable, Hashable {
    /// A step of the ladder, the best first.
    package enum Step: String, Sendable, Hashable, CaseIterable {
        case exact, alias, pending, neighbour, indexPath, unresolved
    }

    package enum NeighbourSource: Sendable, Hashable {
        /// The archive names it.
        case archive
        /// A device registered where the two stand.
        case position
    }

    package enum Bound: Sendable, Hashable {
        /// Registered positions were asked for the neighbours of `Limits.neighbourSearches` others.
        case neighbours
        /// The archive would have grown by more than `Limits.rewritten`.
        case size
    }

    /// What the asking device calls it; nil when nothing was found.
    package var identifier: String?
    package var step: Step
    /// Several items of the asking device could be meant: this is the likeliest.
    package var isAmbiguous = false
    /// An operator decided that it is the one, or what it took the place of.
    package var isDecided = false
    /// It is the asking device's own identifier, of which it has registered nothing that is there.
    var isAssumed = false
    /// What makes them one lies with a third device.
    package var isThroughOthers = false
    /// Aliases that came with it and say nothing on the asking device.
    var refuted: [String] = []
    /// What a neighbour was found by; nil at other steps.
    package var neighbourSource: NeighbourSource?
    /// The bound of what one archive may ask for by which it was left unresolved.
    package var limitedBy: Bound?
    /// Of what is unresolved.
    var neighbourAnchors = NeighbourAnchors()

    /// By what its neighbours are found.
    struct NeighbourAnchors: Hashable {
        /// Where the asking device had it in its list before it removed it, and where the source device has it.
        var former: ListPosition?
        var source: ListPosition?
        var isEmpty: Bool { former == nil && source == nil }
    }

    /// Where an item stands or stood in its device's list.
    struct ListPosition: Hashable {
        var key: LookupKey
        var position: Int64

        /// nil where its device did not tell.
        init?(_ item: StoredItem?) {
            guard let item, let position = item.position else { return nil }
            (key, self.position) = (item.key, position)
        }
    }

    init(_ identifier: String?, _ step: Step) {
        self.identifier = identifier
        self.step = step
    }

    /// Lets a neighbour stand for what was not found.
    mutating func take(_ neighbour: String, by source: NeighbourSource) {
        identifier = neighbour
        step = .neighbour
        neighbourSource = source
    }

    /// How sure it is that this is the item, from 0 to 1: an order, not a probability.
    package var confidence: Double {
        switch step {
        case .exact: 1
        case .alias: isAmbiguous ? 0.5 : isThroughOthers ? 0.8 : 0.95
        case .neighbour, .indexPath: 0.25
        case .pending, .unresolved: 0
        }
    }
}
