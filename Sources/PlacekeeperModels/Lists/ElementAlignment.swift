import PlacekeeperAlignment
import PlacekeeperArchive

/// Decides about the element of a served reference by its neighbors in the whole list, if no proof of its identity
/// exists (docs/identity-algorithm.md#the-device-decides-last).
@MainActor
struct ElementAlignment {
    let reference: ModelReference
    let index: ListIndex
    /// Aliases that several elements of the reference have.
    let ambiguousAliases: Set<String>

    /// - Parameter found: The element that was found by the identifier that the service chose, or by an alias.
    func settle(_ found: IdentifiedElement?) -> IdentifiedElement? {
        let element = reference.itself
        // A reference without an identifier was pending when it was saved.
        let step = reference.resolution?.step ?? (element.identifier == nil ? .pending : .exact)
        guard step != .exact, found.map(sharesUniqueAlias) != true,
            let alias = ([element] + reference.before + reference.after).lazy.compactMap(\.allAliases.first).first,
            index.mayBeRead(alias)
        else { return found }
        var proofs: [String] = []
        if let found {
            let known = index.aliases(of: found.identifier)
            let common = element.aliases.filter(known.contains)
            // The service knows more than the reference says, such as a third device's item.
            if common.isEmpty, found.step == .identifier, step == .alias { return found }
            proofs = common.filter { !ambiguousAliases.contains($0) && !index.isShared($0) }
            if proofs.count > 1 || proofs.contains(where: { !index.sharesKind(of: $0) }) { return found }
        }
        let isServed = found?.step == .identifier
        // The service has compared the lists as it knows them.
        let isAligned = isServed && (step == .alignment || step == .indistinguishable)
        // The proof leads to the element that was found.
        let place = proofs.first.flatMap(index.placeOfSoleElement)
        var isProved: Bool { place.map { !contradicts($0) } ?? false }
        switch finding(about: place, isGone: step == .neighbor) {
        case .agrees: return found
        case .otherOrder: return isAligned || isProved ? found : nil
        case .unknown:
            // A list without index paths saves no neighbors.
            let hasNeighbors = !reference.before.isEmpty || !reference.after.isEmpty
            return isAligned || (isProved && (isServed || !hasNeighbors)) ? found : nil
        case .absent: return nil
        case .item(let place): return identified(place)
        case .either(let place):
            let takesEither = reference.role == .firstVisible || index.list.selectsNeighbors
            return takesEither ? identified(place) : nil
        }
    }

    /// Whether an element has one of the reference's aliases of a unique kind. Doesn't read the list.
    private func sharesUniqueAlias(_ found: IdentifiedElement) -> Bool {
        let unique = reference.itself.aliases.filter { !ambiguousAliases.contains($0) && index.isUnique($0) }
        return !unique.isEmpty && index.aliases(of: found.identifier).contains(where: unique.contains)
    }

    /// Whether the element in a place has aliases of some kind, but none of the reference's aliases of this kind.
    private func contradicts(_ place: Int) -> Bool {
        var numbers = AliasNumbers()
        let rows = [reference.itself.allAliases, index.element(at: place).aliases].map { aliases in
            numbers.row(aliases) { _ in false }
        }
        return ListAlignment.Comparison(rows[0], rows[1]).differs
    }

    private func identified(_ place: Int) -> IdentifiedElement {
        IdentifiedElement(identifier: index.element(at: place).identifier, step: .alias)
    }

    /// - Parameters:
    ///   - place: The place of the element that was found, if an alias proves it.
    ///   - isGone: Whether the service knows that the element is gone. Then a row in its place that has no common alias
    ///     is another element.
    private func finding(about place: Int?, isGone: Bool) -> Neighborhood.Finding {
        let neighbors = reference.before.reversed() + [reference.itself] + reference.after
        let row = reference.before.count
        let known = neighbors.indices.filter { $0 != row }.flatMap { row in
            places(of: neighbors[row]).map { ImageChain.Image(row: row, place: $0.place, isSole: $0.isSole) }
        }
        guard let middle = Neighborhood.middle(of: ImageChain(known).images.map(\.place)) else { return .unknown }
        let (window, start) = index.window(around: middle)
        let images = known.filter { window.indices.contains($0.place) }
            .map { ImageChain.Image(row: $0.row, place: $0.place - start, isSole: $0.isSole) }
        let neighborhood = Neighborhood(of: row, images: images, knownCount: Set(known.map(\.row)).count)
        let found = place.flatMap { window.indices.contains($0) ? $0 - start : nil }
        if let finding = neighborhood.finding(about: found) {
            guard finding == .otherOrder || finding == .unknown else { return finding }
            let candidates = Set(neighbors[row].allAliases.flatMap { index.places(withAlias: $0).places })
                .filter { !contradicts($0) }
            return Neighborhood.candidate(among: candidates.sorted(), of: row, images: known).map { .item($0) }
                ?? finding
        }
        var numbers = AliasNumbers()
        let compared = neighborhood.places(among: window.count)
        let rows = neighbors.map { element in
            numbers.row(element.allAliases) {
                element.sharedAliases?.contains($0) == true || ambiguousAliases.contains($0) || index.isShared($0)
            }
        }
        let theirs = compared.map { numbers.row(window[start + $0].aliases) { _ in false } }
        return neighborhood.counterpart(in: rows, among: theirs, at: compared, needsAlias: isGone).inList(from: start)
    }

    /// Returns the places of the elements that a neighbor may be.
    private func places(of neighbor: ModelReference.Element) -> [(place: Int, isSole: Bool)] {
        var sole: [Int] = []
        var fewest: [Int] = []
        func note(_ alias: String, isEvidence: Bool) {
            let (places, isSole) = index.places(withAlias: alias)
            if isSole, isEvidence {
                sole.append(places[0])
            } else if !places.isEmpty, fewest.isEmpty || places.count < fewest.count {
                fewest = places
            }
        }
        for alias in neighbor.aliases { note(alias, isEvidence: !ambiguousAliases.contains(alias)) }
        for alias in neighbor.sharedAliases ?? [] { note(alias, isEvidence: false) }
        if let first = sole.first { return sole.allSatisfy { $0 == first } ? [(first, true)] : [] }
        if let place = neighbor.identifier.flatMap(index.place(of:)) { return [(place, true)] }
        return fewest.map { ($0, false) }
    }
}

/// Numbers for aliases and their kinds.
private struct AliasNumbers {
    private var numbers: [String: Int64] = [:]
    private var kinds = AliasKinds()

    mutating func row(_ aliases: [String], isAmbiguous: (String) -> Bool) -> ListAlignment.Row {
        ListAlignment.Row(
            aliases.map { alias in
                let number = numbers[alias] ?? Int64(numbers.count)
                numbers[alias] = number
                return .init(key: number, kind: kinds.number(of: alias), isAmbiguous: isAmbiguous(alias))
            })
    }
}
