import PlacekeeperArchive
import PlacekeeperCore

/// What identifies an item of one device on another: its identifier and its aliases.
package struct Evidence: Sendable, Hashable {
    /// The identifier on the source device, if the reference has one.
    package var identifier: String? { name?.text }
    private let name: ByteText?
    /// The aliases that came with the reference.
    package var aliases: [String]
    /// How many of the aliases, the last ones, several items of the source device have. They aren't evidence.
    package var sharedCount: Int

    package init(_ identifier: String?, aliases: [String] = [], sharedCount: Int = 0) {
        name = identifier.map(ByteText.init)
        self.aliases = aliases
        self.sharedCount = sharedCount
    }
}

extension [Evidence] {
    /// Returns the distinct elements in order of first occurrence, and for each element of this array, its index among
    /// them.
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
    /// Creates the evidence from an element of an archive's reference: the first `Limits.aliases` of its aliases,
    /// without those longer than `Limits.alias` bytes.
    init(_ element: ModelReference.Element) {
        func within(_ aliases: [String], _ limit: Int) -> [String] {
            aliases.count <= limit && aliases.allSatisfy(\.isAlias)
                ? aliases : Array(aliases.lazy.filter(\.isAlias).prefix(limit))
        }
        let aliases = within(element.aliases, Limits.aliases)
        let shared = within(element.sharedAliases ?? [], Limits.aliases - aliases.count)
        self.init(
            element.identifier, aliases: shared.isEmpty ? aliases : aliases + shared, sharedCount: shared.count)
    }
}

extension Evidence {
    /// The identifier, unless it is too long for a registered item.
    var registrable: String? { identifier.flatMap { $0.utf8.count <= Limits.identifier ? $0 : nil } }
}

extension String {
    /// Whether the string is short enough for an alias.
    fileprivate var isAlias: Bool { utf8.count <= Limits.alias }
}
