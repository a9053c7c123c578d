import PlacekeeperArchive
import PlacekeeperModels

// Compares the progress of two places in the same item, at the deepest matching steps that both have a progress. Steps
// with items match if they have the same screen and items. Steps without items match only if all steps up to them are
// the same.
extension StateArchive {
    /// Whether any step of the place has a progress.
    var hasProgress: Bool { place?.steps.contains { $0.progress != nil } ?? false }

    /// Compares the progress of this archive's place with this device's newest state. Returns `nil` if the two are in
    /// different items, or if either has no progress.
    func progress(beside own: StateArchive) -> Placekeeper.Offer.Progress? {
        let (steps, ownSteps) = (place?.steps ?? [], own.place?.steps ?? [])
        for index in steps.indices.reversed() {
            guard let offered = steps[index].progress else { continue }
            for ownIndex in ownSteps.indices.reversed() {
                guard let progress = ownSteps[ownIndex].progress, isInItem(index, of: own, ownIndex) else { continue }
                return Placekeeper.Offer.Progress(offered: offered, own: progress)
            }
        }
        return nil
    }

    private func isInItem(_ index: Int, of own: StateArchive, _ ownIndex: Int) -> Bool {
        guard let step = place?.steps[index], let ownStep = own.place?.steps[ownIndex] else { return false }
        if items(of: step).isEmpty, own.items(of: ownStep).isEmpty { return hasRoute(to: index, of: own, ownIndex) }
        return step.screen == ownStep.screen && areSame(items(of: step), own.items(of: ownStep))
    }

    /// Returns whether both places have the same screens, items and parameters up to these steps.
    private func hasRoute(to index: Int, of own: StateArchive, _ ownIndex: Int) -> Bool {
        guard index == ownIndex, let place, let ownPlace = own.place else { return false }
        for (step, ownStep) in zip(place.steps[...index], ownPlace.steps[...ownIndex]) {
            guard step.screen == ownStep.screen, areSame(items(of: step), own.items(of: ownStep)),
                step.parameters.withoutPlaceValues == ownStep.parameters.withoutPlaceValues
            else { return false }
        }
        return true
    }

    private func items(of step: Place.Step) -> [ModelReference] {
        step.references.compactMap { index in
            guard references.indices.contains(index), references[index].role != .firstVisible else { return nil }
            return references[index]
        }
    }

    private func areSame(_ items: [ModelReference], _ others: [ModelReference]) -> Bool {
        items.count == others.count && zip(items, others).allSatisfy { $0.isSameItem(as: $1) }
    }
}

extension ModelReference {
    /// Whether two references name the same item. A reference that resolved to a neighbor names a different item. An
    /// ambiguous reference names no known item.
    fileprivate func isSameItem(as other: ModelReference) -> Bool {
        guard dataSource == other.dataSource, resolution?.isAmbiguous != true, other.resolution?.isAmbiguous != true
        else { return false }
        let (aliases, otherAliases) = (Set(element.aliases), Set(other.element.aliases))
        guard let known = itemIdentifier, let otherKnown = other.itemIdentifier else {
            return !aliases.isDisjoint(with: otherAliases)
        }
        if resolution != nil || other.resolution != nil || aliases.isEmpty || otherAliases.isEmpty {
            return known == otherKnown
        }
        // The identifiers may come from two different devices.
        return known == otherKnown ? !aliases.isDisjoint(with: otherAliases) : aliases == otherAliases
    }

    private var itemIdentifier: ByteText? {
        resolution?.step == .neighbor ? nil : element.identifier.map(ByteText.init)
    }
}
