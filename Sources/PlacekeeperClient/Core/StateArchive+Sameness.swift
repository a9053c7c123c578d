package import PlacekeeperArchive
import PlacekeeperModels

// Two states count as the same if they differ only in things that change without the user: times, versions, the layout,
// titles, scroll positions, and the evidence for finding an item, which depends on the data. A changed progress makes a
// different state, because a reader who turns pages is working, but not a different place.
extension StateArchive {
    /// Returns whether two archives show the user the same thing.
    package func shows(sameAs other: StateArchive) -> Bool {
        if equals(other) { return true }
        var comparison = Comparison(self, other)
        return comparison.placesAreSame(withProgress: true) && comparison.areSame(application, other.application)
            && comparison.objectsAreSame() && comparison.instancesAreSame()
            && instances.count == other.instances.count
    }

    /// Returns whether two archives have the same screens, with the same items, parameters and layout-independent
    /// values. The progress may differ, because pages break differently in another layout. Archives without a place
    /// must show the same thing.
    func showsPlace(of other: StateArchive) -> Bool {
        guard place != nil, other.place != nil else { return shows(sameAs: other) }
        var comparison = Comparison(self, other)
        return comparison.placesAreSame() && comparison.instancesAreSame()
    }

    /// Returns whether two archives have the same screens, with the same items and parameters. Archives without a place
    /// must be equal.
    func isAtPlace(of other: StateArchive) -> Bool {
        guard place != nil, other.place != nil else { return equals(other) }
        var comparison = Comparison(self, other)
        return comparison.placesAreSame(withValues: false) && comparison.instancesAreSame()
    }
}

/// Compares the values of two archives, each with its own tables of references and instances. The order of the tables
/// and the objects varies between processes, because it depends on the order in which a dictionary was encoded.
private struct Comparison {
    private let mine: StateArchive
    private let theirs: StateArchive
    /// For each instance of this archive, the matching instance of the other one, if already found.
    private var counterparts: [Int: Int] = [:]
    /// The instances still to be compared. They may refer to each other in a cycle.
    private var waiting: [(mine: Int, theirs: Int)] = []

    init(_ mine: StateArchive, _ theirs: StateArchive) {
        self.mine = mine
        self.theirs = theirs
    }

    mutating func placesAreSame(withValues: Bool = true, withProgress: Bool = false) -> Bool {
        let (steps, others) = (mine.place?.steps ?? [], theirs.place?.steps ?? [])
        guard steps.count == others.count else { return false }
        for (step, other) in zip(steps, others) {
            guard step.screen == other.screen, !withProgress || step.hasProgress(of: other),
                areSame(
                    .array(step.references.map { .reference($0) }), .array(other.references.map { .reference($0) })),
                areSame(
                    withValues ? step.parameters : step.parameters.withoutPlaceValues,
                    withValues ? other.parameters : other.parameters.withoutPlaceValues)
            else { return false }
        }
        return true
    }

    mutating func objectsAreSame() -> Bool {
        guard mine.objects.count == theirs.objects.count else { return false }
        let others = Dictionary(theirs.objects.map { ($0.path, $0.state) }) { first, _ in first }
        for object in mine.objects {
            guard let other = others[object.path], areSame(object.state.withoutLayout, other.withoutLayout) else {
                return false
            }
        }
        return true
    }

    /// Compares the instances that the compared values refer to.
    mutating func instancesAreSame() -> Bool {
        while let next = waiting.popLast() {
            let (instance, other) = (mine.instances[next.mine], theirs.instances[next.theirs])
            guard instance.className == other.className, areSame(instance.state, other.state) else { return false }
        }
        return true
    }

    mutating func areSame(_ value: [String: StateValue], _ other: [String: StateValue]) -> Bool {
        let value = value.filter { !mine.isScrollPosition($0.value) }
        let other = other.filter { !theirs.isScrollPosition($0.value) }
        guard value.count == other.count else { return false }
        for (key, value) in value {
            guard let other = other[key], areSame(value, other) else { return false }
        }
        return true
    }

    private mutating func areSame(_ value: StateValue, _ other: StateValue) -> Bool {
        switch (value, other) {
        case (.reference(let index), .reference(let otherIndex)): return areSameItem(index, otherIndex)
        case (.instance(let index), .instance(let otherIndex)): return areCounterparts(index, otherIndex)
        case (.array(let values), .array(let others)):
            let values = values.filter { !mine.isScrollPosition($0) }
            let others = others.filter { !theirs.isScrollPosition($0) }
            guard values.count == others.count else { return false }
            for (value, other) in zip(values, others) {
                guard areSame(value, other) else { return false }
            }
            return true
        case (.dictionary(let values), .dictionary(let others)): return areSame(values, others)
        // A client in JavaScript can't write 3.0.
        case (.integer(let integer), .real(let real)), (.real(let real), .integer(let integer)):
            return Double(integer) == real
        default: return value == other
        }
    }

    private mutating func areCounterparts(_ index: Int, _ otherIndex: Int) -> Bool {
        guard mine.instances.indices.contains(index), theirs.instances.indices.contains(otherIndex) else {
            return index == otherIndex
        }
        if let known = counterparts[index] { return known == otherIndex }
        counterparts[index] = otherIndex
        waiting.append((index, otherIndex))
        return true
    }

    /// An item has an identifier once its data has arrived, and only aliases before that.
    private func areSameItem(_ index: Int, _ otherIndex: Int) -> Bool {
        guard mine.references.indices.contains(index), theirs.references.indices.contains(otherIndex) else {
            return index == otherIndex
        }
        let (item, other) = (mine.references[index], theirs.references[otherIndex])
        guard item.dataSource == other.dataSource, item.role == other.role else { return false }
        if let name = item.element.identifier, let otherName = other.element.identifier {
            return ByteText(name) == ByteText(otherName)
        }
        return item.element.aliases == other.element.aliases
            || !Set(item.element.aliases).isDisjoint(with: other.element.aliases)
    }
}

extension StateArchive {
    /// Whether a value is a first visible item, or an array of nothing else.
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

extension Place.Step {
    /// Whether two steps have the same progress, if both are known. A book that has not loaded yet has no progress.
    fileprivate func hasProgress(of other: Place.Step) -> Bool {
        guard let progress, let known = other.progress else { return true }
        return progress == known
    }
}
