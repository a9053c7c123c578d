/// The differences between two archives, by section and key. The sections are the top level, the place, the model
/// references, and each object by its path. Instances, and objects of a foreign archive, are identified by their
/// numbers.
public struct ArchiveDifference: Sendable, Hashable {
    /// A key or an object that is in only one archive, or a key that has different values in the two archives.
    public struct Change: Sendable, Hashable {
        /// The section: `Top Level`, `Place`, `Model References`, or an object as `[View Controller] PATH`.
        public var section: String
        /// The key. If only one archive has the whole object, the key is nil, and the value is the name of the object's
        /// class.
        public var key: String?
        /// The value in the first archive. Nil if the first archive does not have the key or the object.
        public var before: ArchiveInspection.Value?
        /// The value in the second archive. Nil if the second archive does not have the key or the object.
        public var after: ArchiveInspection.Value?
    }

    /// The changes, in the order of the sections.
    public var changes: [Change] = []

    /// Compares two archives.
    public init(from before: ArchiveInspection, to after: ArchiveInspection) {
        compare(before.topLevel, after.topLevel, in: "Top Level")
        compare(before.place, after.place, in: "Place")
        compare(before.references, after.references, in: "Model References")
        let old = Dictionary(before.sections.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
        let new = Dictionary(after.sections.map { ($0.identity, $0) }, uniquingKeysWith: { first, _ in first })
        for section in before.sections {
            if let other = new[section.identity] {
                compare(section.attributes, other.attributes, in: section.identity)
                compare(section.entries, other.entries, in: section.identity)
            } else {
                changes.append(Change(section: section.identity, before: .string(section.className)))
            }
        }
        for section in after.sections where old[section.identity] == nil {
            changes.append(Change(section: section.identity, after: .string(section.className)))
        }
    }

    /// Compares the entries of a section by key. The top level can have a key twice, because the app's own state may
    /// use a key of the archive format. Entries with the same key are compared in their order.
    private mutating func compare(
        _ before: [ArchiveInspection.Entry], _ after: [ArchiveInspection.Entry], in section: String
    ) {
        var unmatched = Dictionary(grouping: after, by: \.key).mapValues { $0.map(\.value)[...] }
        for entry in before {
            let other = unmatched[entry.key]?.popFirst()
            guard other.map({ !$0.isSame(as: entry.value) }) ?? true else { continue }
            changes.append(Change(section: section, key: entry.key, before: entry.value, after: other))
        }
        for entry in after {
            // Values that only the second archive has are reported after the other changes of the section.
            guard let left = unmatched.removeValue(forKey: entry.key) else { continue }
            changes += left.map { Change(section: section, key: entry.key, after: $0) }
        }
    }
}

extension ArchiveDifference: CustomStringConvertible {
    /// One line for each change: `-` for a removed value or object, `+` for an added value or object, `~` for a changed
    /// value. A line with the section comes before the lines of its keys.
    public var description: String {
        var lines: [String] = []
        var section: String?
        for change in changes {
            if change.section != section, change.key != nil {
                lines.append(ArchiveInspection.Value.printable(change.section, limit: 1000))
            }
            section = change.section
            lines.append(change.line)
        }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The changes as JSON text: an array of objects with `section`, `key`, `before` and `after`. Members without a
    /// value are left out.
    public var json: String {
        JSONText(
            .array(
                changes.map { change in
                    var members: [(String, JSONText.Value)] = [("section", .string(change.section))]
                    if let key = change.key { members.append(("key", .string(key))) }
                    if let before = change.before { members.append(("before", before.json)) }
                    if let after = change.after { members.append(("after", after.json)) }
                    return .object(members)
                })
        ).text
    }
}

extension ArchiveDifference.Change {
    fileprivate var line: String {
        guard let key else {
            let section = ArchiveInspection.Value.printable(section, limit: 1000)
            return "\(before == nil ? "+" : "-") \(section)"
        }
        let name = ArchiveInspection.Value.printable(key, limit: 120)
        switch (before, after) {
        case (let before?, let after?): return "  ~ \(name): \(before.text) → \(after.text)"
        case (let before?, nil): return "  - \(name): \(before.text)"
        default: return "  + \(name): \(after?.text ?? "")"
        }
    }
}

extension ArchiveInspection.Section {
    fileprivate var identity: String { "[\(kind)] \(name)" }

    /// The object's properties other than its saved state, as entries.
    fileprivate var attributes: [ArchiveInspection.Entry] {
        var entries = [ArchiveInspection.Entry(key: "Class", value: .string(className))]
        if let storyboard { entries.append(.init(key: "Storyboard", value: .string(storyboard))) }
        if let storyboardIdentifier { entries.append(.init(key: "Identifier", value: .string(storyboardIdentifier))) }
        if isRegistered { entries.append(.init(key: "Registered", value: .boolean(true))) }
        if let restorationClass {
            entries.append(.init(key: "Restoration Class", value: .string(restorationClass)))
        }
        return entries
    }
}

extension ArchiveInspection.Value {
    /// Returns whether the values are equal or have the same JSON text. Unlike `==`, this function treats two NaN
    /// values as equal.
    fileprivate func isSame(as other: Self) -> Bool {
        self == other || JSONText(json).text == JSONText(other.json).text
    }
}
