/// The differences between two archives, by section and key. The sections are the top level, the place, the model
/// references, and each object by its path. Instances, and objects of a foreign archive, are identified by number.
public struct ArchiveDifference: Sendable, Hashable {
    /// A key or object in only one of the archives, or a key with different values.
    public struct Change: Sendable, Hashable {
        /// The section: `Top Level`, `Place`, `Model References`, or an object as `[View Controller] PATH`.
        public var section: String
        /// The key. `nil` if a whole object was added or removed; the value is then the name of its class.
        public var key: String?
        /// The value in the first archive. `nil` if the key or object is not in it.
        public var before: ArchiveInspection.Value?
        /// The value in the second archive. `nil` if the key or object is not in it.
        public var after: ArchiveInspection.Value?
    }

    /// The changes, in section order.
    public var changes: [Change] = []

    /// Compares two archives.
    public init(from before: ArchiveInspection, to after: ArchiveInspection) {
        var comparison = ArchiveComparison(limit: .max)
        changes = comparison.compare(before, after)
    }

    /// Compares two archives. Each change repeats the names of its section and key, which may be long, so `limit` caps
    /// their total size.
    ///
    /// - Throws: `ArchiveError.Code.expansion` if the names of the changes take more than `limit` bytes.
    package init(
        from before: ArchiveInspection, to after: ArchiveInspection, limit: Int
    ) throws(ArchiveError) {
        var comparison = ArchiveComparison(limit: limit)
        changes = comparison.compare(before, after)
        guard comparison.room >= 0 else { throw ArchiveError(.expansion, at: 0) }
    }
}

extension ArchiveDifference: CustomStringConvertible {
    /// A line for each change: `-` for a removed value or object, `+` for an added one, `~` for a changed value. The
    /// section has a line before its keys.
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
    /// value are omitted.
    public var json: String {
        JSONText(
            .array(
                changes.map { change in
                    var members: [(String, JSONText.Value)] = [("section", .string(change.section))]
                    if let key = change.key { members.append(("key", .string(key))) }
                    if let before = change.before { members.append(("before", .shown(before))) }
                    if let after = change.after { members.append(("after", .shown(after))) }
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
