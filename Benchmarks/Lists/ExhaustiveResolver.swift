import PlacekeeperArchive
import PlacekeeperService
import PlacekeeperRuntime

/// Finds the items of archives for a device from everything that the person's devices registered and archived, including
/// which aliases several rows share, and from the device's own list, at any cost. It does not know the truth. Its results
/// show how much the evidence allows.
///
/// An item with an alias that only one item of the device has is that item, unless its neighbors are elsewhere and
/// aliases of this kind are often shared. For other items, the lists around the item are aligned, and a partner counts
/// if it is likely. Otherwise there is no result.
struct ExhaustiveResolver {
    /// The least probability of a result.
    private static let certainty = 0.8
    /// How far the items are considered as neighbors.
    private static let reach = 12

    private let ledgers: [Ledger]
    private let asking: Int
    private var known: KnownItems
    /// The items of the requesting device, in order.
    private var theirs: [KnownItem] = []
    private var theirsByAlias: [Int: [Int]] = [:]
    private var theirsByIdentifier: [String: Int] = [:]

    /// - Parameter list: The requesting device's list.
    init(_ ledgers: [Ledger], _ captures: [Capture], for asking: Int, list: [ListElement]) {
        self.ledgers = ledgers
        self.asking = asking
        known = KnownItems(ledgers, captures, list)
        theirs = list.map { item(ModelReference.Element($0.identifier, aliases: $0.aliases)) }
        theirsByIdentifier = Dictionary(
            theirs.enumerated().map { ($1.identifier ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        for (old, new) in ledgers[asking].redirects.reversed() {
            guard let index = theirsByIdentifier[new] else { continue }
            theirs[index].aliases = Array(Set(theirs[index].aliases + old.aliases.map { known.number($0) })).sorted()
            theirsByIdentifier[old.identifier] = theirsByIdentifier[old.identifier] ?? index
        }
        for (index, item) in theirs.enumerated() {
            for alias in item.aliases { theirsByAlias[alias, default: []].append(index) }
        }
    }

    private mutating func item(_ element: ModelReference.Element) -> KnownItem {
        KnownItem(identifier: element.identifier, aliases: element.allAliases.map { known.number($0) })
    }

    /// Returns the archive's references with the requesting device's identifiers, and without aliases, so that the runtime
    /// does not search.
    func answers(for capture: Capture) -> [ModelReference] {
        var resolver = self
        return capture.references.map { resolver.answer(to: $0, of: capture) }
    }

    private mutating func answer(to reference: ModelReference, of capture: Capture) -> ModelReference {
        let (items, place) = piece(around: reference, of: capture)
        var answer = reference
        answer.element.identifier = nil
        var step = ModelReference.Step.unresolved
        if let found = find(place, in: items, isOwn: capture.device == asking) {
            answer.element.identifier = theirs[found].identifier
            step = .exact
        } else if reference.role == .firstVisible {
            neighbors: for distance in 1...16 {
                for other in [place + distance, place - distance] where items.indices.contains(other) {
                    guard let found = anchor(items[other]) else { continue }
                    answer.element.identifier = theirs[found].identifier
                    step = .neighbor
                    break neighbors
                }
            }
        }
        answer.resolution = ModelReference.Resolution(step: step, confidence: 1)
        answer.element.aliases = []
        answer.element.sharedAliases = nil
        answer.before = []
        answer.after = []
        return answer
    }

    /// Returns the part of the source device's list around an item, and the item's place in this part.
    private mutating func piece(around reference: ModelReference, of capture: Capture) -> ([KnownItem], Int) {
        let local = reference.before.reversed() + [reference.element] + reference.after
        let ledger = ledgers[capture.device]
        let states = [ledger.state(at: capture.writtenAt), ledger.states.first { $0.time > capture.writtenAt }]
        var best: (registered: [RegisteredElement], places: [String: Int], fit: Int)?
        for elements in states.compactMap({ $0?.elements }) {
            let places = Dictionary(elements.enumerated().map { ($1.identifier, $0) }) { first, _ in first }
            let found = local.compactMap { $0.identifier.flatMap { places[$0] } }
            let fit = found.count + zip(found, found.dropFirst()).count { $0 + 1 == $1 }
            if fit > best?.fit ?? 0 { best = (elements, places, fit) }
        }
        var items: [KnownItem] = []
        for element in local {
            var item = item(element)
            if let best, let name = element.identifier, let place = best.places[name] {
                let registered = best.registered[place].aliases
                if element.aliases.isEmpty || registered.isEmpty || registered.contains(where: element.aliases.contains)
                {
                    item.aliases += registered.map { known.number($0) }
                }
            }
            items.append(item)
        }
        var place = reference.before.count
        if let best, let first = local.first?.identifier.flatMap({ best.places[$0] }) {
            let before = best.registered[max(0, first - 6)..<first]
            items = before.map { item(ModelReference.Element($0.identifier, aliases: $0.aliases)) } + items
            place += before.count
        }
        if let best, let last = local.last?.identifier.flatMap({ best.places[$0] }) {
            items += best.registered[(last + 1)...].prefix(6).map {
                item(ModelReference.Element($0.identifier, aliases: $0.aliases))
            }
        }
        if let new = ledger.redirects.last(where: { $0.from.identifier == reference.element.identifier })?.to {
            let aliases = ledger.elements.first { $0.identifier == new }?.aliases ?? []
            items[place].aliases += aliases.map { known.number($0) }
        }
        return (items.map { KnownItem(identifier: $0.identifier, aliases: known.expanded($0.aliases)) }, place)
    }

    /// Returns the only item of the requesting device that shares an unambiguous alias with an item.
    private func anchor(_ item: KnownItem) -> Int? {
        var found: Int?
        for alias in item.aliases where !known.ambiguous.contains(alias) {
            guard let places = theirsByAlias[alias] else { continue }
            guard places.count == 1, found ?? places[0] == places[0] else { return nil }
            found = places[0]
        }
        guard let found, Alignment(known: known).odds(item.aliases, theirs[found].aliases) > 1 else { return nil }
        return found
    }

    private func find(_ place: Int, in items: [KnownItem], isOwn: Bool) -> Int? {
        let item = items[place]
        if isOwn, let same = item.identifier.flatMap({ theirsByIdentifier[$0] }),
            Alignment(known: known).odds(item.aliases, theirs[same].aliases) > 0.5
        {
            return same
        }
        let near = items.indices.filter { $0 != place && abs($0 - place) <= Self.reach }
        let anchors = near.compactMap { index in anchor(items[index]).map { (place: index, image: $0) } }
        let own = anchor(item)
        let isCertain = own.map { found in
            item.aliases.contains {
                ["server", "isbn"].contains(known.kind(of: $0)) && theirs[found].aliases.contains($0)
            }
        }
        if isCertain == true || anchors.isEmpty { return own }
        let images = anchors.map(\.image).sorted()
        let middle = images[images.count / 2]
        let close = anchors.filter { abs($0.image - middle) <= 2 * Self.reach }
        // If the neighbors are apart on the requesting device, the device has another order, and the places tell nothing.
        if anchors.count < 3 ? own != nil : close.count * 2 <= anchors.count { return own }
        // A row may lie a few places away from its true place.
        func isNear(_ found: Int) -> Bool {
            anchors.sorted { abs($0.place - place) < abs($1.place - place) }.prefix(4).contains {
                abs(abs($0.image - found) - abs($0.place - place)) <= 5
            }
        }
        if let own, isNear(own) { return own }
        guard let low = close.map(\.image).min(), let high = close.map(\.image).max() else { return nil }
        var window = Array(max(0, low - 6)...min(theirs.count - 1, high + 6))
        let rises = zip(close, close.dropFirst()).reduce(0) { $0 + ($1.0.image < $1.1.image ? 1 : -1) }
        if rises < 0 { window.reverse() }
        let start = max(0, place - Self.reach)
        let part = items[start..<min(items.count, place + Self.reach + 1)].map(\.aliases)
        let partner = Alignment(known: known).partner(
            of: place - start, in: part, among: window.map { theirs[$0].aliases })
        guard let partner, partner.probability >= Self.certainty, isNear(window[partner.index]) else { return nil }
        return window[partner.index]
    }
}
