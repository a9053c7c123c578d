import KeyedArchive

/// What is known of an item of one device, by which it is looked for on another.
package struct Evidence: Sendable, Hashable {
    /// What its device calls it; nil where it could not be found.
    package var identifier: String?
    /// Aliases that came with the reference.
    package var aliases: [String]

    package init(_ identifier: String?, aliases: [String] = []) {
        self.identifier = identifier
        self.aliases = aliases
    }
}

extension [Evidence] {
    /// Each once, in the order in which they first come, and where among those each of all is.
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
    /// What an element of an archive is looked for by: of its aliases no more, and none longer, than an item may have.
    init(_ element: ModelReference.Element) {
        let isWhole = element.isEvidenceThroughout
        self.init(
            element.identifier,
            aliases: isWhole ? element.aliases : Array(element.aliases.lazy.filter(\.isAlias).prefix(Limits.aliases)))
    }
}

extension Evidence {
    /// The identifier, where an item may be registered under it.
    var registrable: String? { identifier.flatMap { $0.utf8.count <= Limits.identifier ? $0 : nil } }
}

extension String {
    /// Whether an item may have it as an alias.
    fileprivate var isAlias: Bool { utf8.count <= Limits.alias }
}

extension ModelReference.Element {
    /// Whether all of its aliases may count.
    var isEvidenceThroughout: Bool {
        aliases.count <= Limits.aliases && aliases.allSatisfy(\.isAlias)
    }
}
