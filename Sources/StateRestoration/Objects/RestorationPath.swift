/// Paths: restoration identifiers from the root on, joined by `/` (row 11).
enum RestorationPath {
    static func join(_ prefix: String, _ identifier: String, index: Int? = nil) -> String {
        var path = prefix
        if !path.isEmpty { path += "/" }
        if let index { path += ":[\(index)]:/" }
        return path + identifier
    }

    /// Whether an identifier can stand in a path.
    static func isValid(_ identifier: String) -> Bool {
        !identifier.isEmpty && !identifier.utf8.contains(UInt8(ascii: "/")) && !isIndex(identifier)
    }

    /// The identifiers, without the indices that tell siblings apart.
    static func identifiers(of path: String) -> [String] {
        path.split(separator: "/", omittingEmptySubsequences: false).filter { !isIndex($0) }.map(String.init)
    }

    /// The identifier of the object itself, without splitting all of a long path.
    static func identifier(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return isIndex(path) ? nil : path }
        let last = path[path.utf8.index(after: slash)...]
        return isIndex(last) ? identifiers(of: path).last : String(last)
    }

    /// The path of what an object stands in; nil for a root.
    static func parent(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let prefix = path[..<slash]
        guard let before = prefix.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return isIndex(prefix) ? nil : String(prefix)
        }
        return isIndex(prefix[prefix.index(after: before)...]) ? String(prefix[..<before]) : String(prefix)
    }

    /// Which children have to be told apart by their index, since a sibling has the same identifier (row 13). All others
    /// are found by their identifier wherever they are moved (row 25).
    @MainActor
    static func disambiguation(
        of children: [any RestorableViewController], in parent: any RestorableViewController
    ) -> Set<Int> {
        guard children.count > 1, parent.disambiguatesChildren else { return [] }
        var first: [String: Int] = [:]
        var ambiguous: Set<Int> = []
        for (index, child) in children.enumerated() {
            guard let identifier = child.restorationIdentifier else { continue }
            if let other = first[identifier] {
                ambiguous.insert(other)
                ambiguous.insert(index)
            } else {
                first[identifier] = index
            }
        }
        return ambiguous
    }

    private static func isIndex(_ component: some StringProtocol) -> Bool {
        component.hasPrefix(":[") && component.hasSuffix("]:")
    }
}
