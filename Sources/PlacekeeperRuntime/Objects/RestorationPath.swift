/// Restoration paths: the restoration identifiers from the root to an object, joined by `/` (seed row 11).
enum RestorationPath {
    static func join(_ prefix: String, _ identifier: String, index: Int? = nil) -> String {
        var path = prefix
        if !path.isEmpty { path += "/" }
        if let index { path += ":[\(index)]:/" }
        return path + identifier
    }

    /// Returns whether an identifier is valid as part of a path.
    static func isValid(_ identifier: String) -> Bool {
        !identifier.isEmpty && !identifier.utf8.contains(UInt8(ascii: "/")) && !isIndex(identifier)
    }

    /// Returns the identifiers in a path, without the indices that distinguish siblings.
    static func identifiers(of path: String) -> [String] {
        path.split(separator: "/", omittingEmptySubsequences: false).filter { !isIndex($0) }.map(String.init)
    }

    /// Returns the last identifier in a path, without splitting the whole path.
    static func identifier(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return isIndex(path) ? nil : path }
        let last = path[path.utf8.index(after: slash)...]
        return isIndex(last) ? identifiers(of: path).last : String(last)
    }

    /// Returns the index that distinguishes the last identifier of a path from its siblings. `nil` if there is none.
    static func index(of path: String) -> Int? {
        let components = path.split(separator: "/", omittingEmptySubsequences: false)
        guard let component = components.dropLast().last, isIndex(component) else { return nil }
        return Int(component.dropFirst(2).dropLast(2))
    }

    /// Returns the parent's path. `nil` for a root.
    static func parent(of path: String) -> String? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return nil }
        let prefix = path[..<slash]
        guard let before = prefix.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return isIndex(prefix) ? nil : String(prefix)
        }
        return isIndex(prefix[prefix.index(after: before)...]) ? String(prefix[..<before]) : String(prefix)
    }

    /// Returns the indices of children that share an identifier with a sibling (row 13). Their paths include the index.
    /// Other paths don't, so those children are found even if the app has moved them to another index (row 25). Empty
    /// if the parent's `disambiguatesChildren` is false.
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
