import PlacekeeperArchive
import PlacekeeperCore

/// The facts that identify an item of one device on another device: the item's identifier and its aliases.
package struct Evidence: Sendable, Hashable {
    /// The item's identifier on the source device. Nil if the reference has no identifier.
    package var identifier: String?
    /// The aliases that came with the reference.
    package var aliases: [String]

    package init(_ identifier: String?, aliases: [String] = []) {
        self.identifier = identifier
        self.aliases = aliases
    }
}

extension [Evidence] {
    /// Returns the distinct elements in the order of their first occurrence. Also returns, for each element of this
    /// array, its index among the distinct elements.
    func uniqued() -> (distinct: [Evidence], places: [Int]) {
        var known = [Evidence: Int](minimumCapacity: Swift.min(count, 1024))
        var distinct: [Evidence] = []
        let places = map { evidence in
            if let place = known[evidence] { return place }
            known[evidence] = distinct.count
            distinct.append(evidence)
            return distinct.count - 1
        }
        return (distinct, places)
    }
}

extension Evidence {
    /// Creates the evidence from the element of an archive's reference. Leaves out aliases that are longer than
    /// `Limits.alias` bytes, and uses at most the first `Limits.aliases` of the remaining aliases.
    init(_ element: ModelReference.Element) {
        let isWhole = element.isEvidenceThroughout
        self.init(
            element.identifier,
            aliases: isWhole ? element.aliases : Array(element.aliases.lazy.filter(\.isAlias).prefix(Limits.aliases)))
    }
}

extension Evidence {
    /// The identifier. Nil if the identifier is too long for a registered item.
    var registrable: String? { identifier.flatMap { $0.utf8.count <= Limits.identifier ? $0 : nil } }
}

extension String {
    /// Whether the string is short enough to be an item's alias.
    fileprivate var isAlias: Bool { utf8.count <= Limits.alias }
}

extension ModelReference.Element {
    /// Whether all aliases of the element are within the limits of an item.
    var isEvidenceThroughout: Bool {
        aliases.count <= Limits.aliases && aliases.allSatisfy(\.isAlias)
    }
}
