/// The classes that an app has listed, by their names in archives. If several classes have the same name, the name is
/// ambiguous, and a lookup finds none of these classes (seed row 74).
struct ClassTable<Entry> {
    /// The result of a lookup.
    enum Finding {
        case found(Entry)
        case unlisted
        /// Several classes have the name. The associated value lists the type names of these classes.
        case ambiguous([String])
    }

    private struct Listed {
        let type: Any.Type
        let entry: Entry
        /// Whether the name of the class in archives is the name of its type.
        let hasTypeName: Bool
    }

    private var byName: [String: [Listed]] = [:]
    /// The classes by their short names, which earlier versions of this library wrote.
    private var byShortName: [String: [Listed]] = [:]

    /// Adds a class. If the table already has this class under this name, the new entry replaces the earlier entry.
    mutating func add(_ entry: Entry, for type: Any.Type, named name: String) {
        let listed = Listed(type: type, entry: entry, hasTypeName: name == ClassName.of(type))
        Self.add(listed, to: &byName[name, default: []])
        Self.add(listed, to: &byShortName[ClassName.short(type), default: []])
    }

    private static func add(_ listed: Listed, to classes: inout [Listed]) {
        classes.removeAll { $0.type == listed.type }
        classes.append(listed)
    }

    /// Returns the entry of the class with a name. A full name takes precedence over a short name. If several classes
    /// have the same short name, a class whose name in archives is its type's name takes precedence. The other classes
    /// chose other names for archives, so a short name in an archive probably does not name one of these classes.
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
