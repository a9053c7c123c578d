import PlacekeeperArchive
import PlacekeeperRuntime

// What changes without the person does not tell two states apart: times, versions, the layout, titles, scroll positions,
// and the evidence of an item, which comes with the data.
extension StateArchive {
    /// Returns whether two archives show a person the same.
    func shows(sameAs other: StateArchive) -> Bool {
        if equals(other) { return true }
        let comparison = Comparison(self, other)
        return comparison.placesAreSame(withValues: true) && comparison.areSame(application, other.application)
            && objects.count == other.objects.count
            && zip(objects, other.objects).allSatisfy { object, theirs in
                object.path == theirs.path
                    && comparison.areSame(object.state.withoutLayout, theirs.state.withoutLayout)
            }
            && instances.count == other.instances.count
            && zip(instances, other.instances).allSatisfy { comparison.areSame($0.state, $1.state) }
    }

    /// Returns whether two archives have the same screens with the same items and parameters, and the same values for
    /// every layout. Archives without a place must show the same.
    func showsPlace(of other: StateArchive) -> Bool {
        guard place != nil, other.place != nil else { return shows(sameAs: other) }
        return Comparison(self, other).placesAreSame(withValues: true)
    }

    /// Returns whether two archives have the same screens with the same items and parameters. Archives without a place
    /// must be equal.
    func isAtPlace(of other: StateArchive) -> Bool {
        guard place != nil, other.place != nil else { return equals(other) }
        return Comparison(self, other).placesAreSame(withValues: false)
    }
}

/// Compares the values of two archives, each with its own table of references.
private struct Comparison {
    private let mine: StateArchive
    private let theirs: StateArchive

    init(_ mine: StateArchive, _ theirs: StateArchive) {
        self.mine = mine
        self.theirs = theirs
    }

    func placesAreSame(withValues: Bool) -> Bool {
        let (steps, others) = (mine.place?.steps ?? [], theirs.place?.steps ?? [])
        return steps.count == others.count
            && zip(steps, others).allSatisfy { step, theirs in
                step.screen == theirs.screen
                    && areSame(
                        .array(step.references.map { .reference($0) }), .array(theirs.references.map { .reference($0) })
                    )
                    && areSame(
                        withValues ? step.parameters : step.parameters.withoutPlaceValues,
                        withValues ? theirs.parameters : theirs.parameters.withoutPlaceValues)
            }
    }

    func areSame(_ value: [String: StateValue], _ other: [String: StateValue]) -> Bool {
        let value = value.filter { !mine.isScrollPosition($0.value) }
        let other = other.filter { !theirs.isScrollPosition($0.value) }
        return value.count == other.count
            && value.allSatisfy { key, value in other[key].map { areSame(value, $0) } ?? false }
    }

    private func areSame(_ value: StateValue, _ other: StateValue) -> Bool {
        switch (value, other) {
        case (.reference(let index), .reference(let otherIndex)): return areSameItem(index, otherIndex)
        case (.array(let values), .array(let others)):
            let values = values.filter { !mine.isScrollPosition($0) }
            let others = others.filter { !theirs.isScrollPosition($0) }
            return values.count == others.count && zip(values, others).allSatisfy { areSame($0, $1) }
        case (.dictionary(let values), .dictionary(let others)): return areSame(values, others)
        default: return value == other
        }
    }

    /// An item whose data has arrived has an identifier, and before only its aliases.
    private func areSameItem(_ index: Int, _ otherIndex: Int) -> Bool {
        guard mine.references.indices.contains(index), theirs.references.indices.contains(otherIndex) else {
            return index == otherIndex
        }
        let (item, other) = (mine.references[index], theirs.references[otherIndex])
        guard item.dataSource == other.dataSource, item.role == other.role else { return false }
        if item.element.identifier == other.element.identifier, item.element.identifier != nil { return true }
        guard item.element.identifier == nil || other.element.identifier == nil else { return false }
        return item.element.aliases == other.element.aliases
            || !Set(item.element.aliases).isDisjoint(with: other.element.aliases)
    }
}

extension StateArchive {
    /// Whether a value is a first visible item, or only has such items.
    fileprivate func isScrollPosition(_ value: StateValue) -> Bool {
        switch value {
        case .reference(let index): references.indices.contains(index) && references[index].role == .firstVisible
        case .array(let values): !values.isEmpty && values.allSatisfy { isScrollPosition($0) }
        default: false
        }
    }
}

extension [String: StateValue] {
    fileprivate var withoutLayout: [String: StateValue] { filter { !LayoutKey.all.contains($0.key) } }
}
