/// The classes that an app has listed, by their names in archives. If several classes share a name, the name is
/// ambiguous, and a lookup finds none of them (seed row 74).
struct ClassTable<Entry> {
    /// The result of a lookup.
    enum Finding {
        case found(Entry)
        case unlisted
        /// Several classes have the name. The associated value contains their type names.
        case ambiguous([String])
    }

    private struct Listed {
        let type: Any.Type
        let entry: Entry
        /// Whether the class's name in archives is its type name.
        let hasTypeName: Bool
    }

    private var byName: [String: [Listed]] = [:]
    /// The classes by their short names, as earlier versions of this library wrote them.
    private var byShortName: [String: [Listed]] = [:]

    /// Adds a class. Replaces the entry if the table already contains the class under this name.
    mutating func add(_ entry: Entry, for type: Any.Type, named name: String) {
        let listed = Listed(type: type, entry: entry, hasTypeName: name == ClassName.of(type))
        Self.add(listed, to: &byName[name, default: []])
        Self.add(listed, to: &byShortName[ClassName.short(type), default: []])
    }

    private static func add(_ listed: Listed, to classes: inout [Listed]) {
        classes.removeAll { $0.type == listed.type }
        classes.append(listed)
    }

    /// Returns the entry of the class with a name. A full name takes precedence over a short name.
    ///
    /// If several classes have the same short name, classes that are archived under their type name take precedence:
    /// the others chose another name for archives, so a short name probably does not refer to them.
    subscript(name: String) -> Finding {
        guard let classes = byName[name] ?? shortNamed(name) else { return .unlisted }
        guard classes.count == 1 else { return .ambiguous(classes.map { ClassName.of($0.type) }.sorted()) }
        return .found(classes[0].entry)
    }

    private func shortNamed(_ name: String) -> [Listed]? {
        guard let classes = byShortName[name] else { return nil }
        let withTypeNames = classes.filter(\.hasTypeName)
        return withTypeNames.isEmpty ? classes : withTypeNames
    }
}
