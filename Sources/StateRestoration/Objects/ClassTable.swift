/// The classes that an app has listed, found by the names that archives have for them. A name that several classes have
/// leads to none of them (row 74).
struct ClassTable<Entry> {
    /// The result of looking a name up.
    enum Finding {
        case found(Entry)
        case unlisted
        /// The names of the classes that could be meant.
        case ambiguous([String])
    }

    private struct Listed {
        let type: Any.Type
        let entry: Entry
        /// Whether archives have the type's own name for it.
        let hasTypeName: Bool
    }

    private var byName: [String: [Listed]] = [:]
    /// By the names that earlier versions of this library wrote.
    private var byShortName: [String: [Listed]] = [:]

    /// Lists a class; one that was listed before under this name gets the new entry.
    mutating func add(_ entry: Entry, for type: Any.Type, named name: String) {
        let listed = Listed(type: type, entry: entry, hasTypeName: name == ClassName.of(type))
        Self.add(listed, to: &byName[name, default: []])
        Self.add(listed, to: &byShortName[ClassName.short(type), default: []])
    }

    private static func add(_ listed: Listed, to classes: inout [Listed]) {
        classes.removeAll { $0.type == listed.type }
        classes.append(listed)
    }

    /// The class of a name. A whole name goes before a short one. A short name means a class with a name of its own only
    /// if no other class has that short name: archives name such a class otherwise.
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
