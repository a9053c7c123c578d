/// Compares the inspections of two archives, in time linear in their size.
struct ArchiveComparison {
    /// How many bytes the names of further changes may take. The comparison stops when this is negative.
    private(set) var room: Int
    private var changes: [ArchiveDifference.Change] = []
    private var meter = WorkMeter()

    private typealias Entry = ArchiveInspection.Entry
    private typealias Value = ArchiveInspection.Value

    init(limit: Int) { room = limit }

    mutating func compare(
        _ before: ArchiveInspection, _ after: ArchiveInspection
    ) -> [ArchiveDifference.Change] {
        compare(before.topLevel, after.topLevel, in: "Top Level")
        compare(before.place, after.place, in: "Place")
        compare(before.references, after.references, in: "Model References")
        let old = before.sections.map { identity(of: $0) }
        let new = after.sections.map { identity(of: $0) }
        let newIndices = Dictionary(zip(new, new.indices), uniquingKeysWith: { first, _ in first })
        for (section, identity) in zip(before.sections, old) {
            if let other = newIndices[identity].map({ after.sections[$0] }) {
                compare(section.attributes, other.attributes, in: identity.text)
                compare(section.entries, other.entries, in: identity.text)
            } else {
                add(section: identity.text, before: .string(section.className))
            }
        }
        let known = Set(old)
        for (section, identity) in zip(after.sections, new) where !known.contains(identity) {
            add(section: identity.text, after: .string(section.className))
        }
        return changes
    }

    private mutating func identity(of section: ArchiveInspection.Section) -> ByteText {
        meter.consume(1)
        meter.consume(bytes: section.name.utf8.count)
        return ByteText("[\(section.kind)] \(section.name)")
    }

    private mutating func add(section: String, key: String? = nil, before: Value? = nil, after: Value? = nil) {
        // The admin API's JSON contains section and key twice: on their own and in `path`.
        room -= 2 * (InspectionBudget.jsonLength(of: section) + (key.map(InspectionBudget.jsonLength) ?? 0))
        guard room >= 0 else { return }
        changes.append(ArchiveDifference.Change(section: section, key: key, before: before, after: after))
    }

    /// Compares the entries of a section by key. At the top level, a key may appear twice, because the app's own state
    /// may use a key of the archive format. Entries with the same key are compared in order.
    private mutating func compare(_ before: [Entry], _ after: [Entry], in section: String) {
        // Reserve the capacity: a growing dictionary hashes all its keys again, in one long step.
        var unmatched = [ByteText: [Int]](minimumCapacity: after.count)
        for (index, entry) in after.enumerated().reversed() {
            consume(entry)
            unmatched[ByteText(entry.key), default: []].append(index)
        }
        for entry in before where room >= 0 {
            consume(entry)
            let other = unmatched[ByteText(entry.key)]?.popLast().map { after[$0].value }
            if let other, isSame(other, entry.value) { continue }
            add(section: section, key: entry.key, before: entry.value, after: other)
        }
        for entry in after where room >= 0 {
            consume(entry)
            // Values that exist only in the second archive are reported after the section's other changes.
            guard let left = unmatched.removeValue(forKey: ByteText(entry.key)) else { continue }
            for index in left.reversed() { add(section: section, key: entry.key, after: after[index].value) }
        }
    }

    private mutating func consume(_ entry: Entry) {
        meter.consume(4)
        meter.consume(bytes: entry.key.utf8.count)
    }

    /// Returns whether two values are equal. Unlike with `==`, NaN equals NaN, and dates in the same millisecond are
    /// equal.
    private mutating func isSame(_ left: Value, _ right: Value) -> Bool {
        meter.consume(1)
        switch (left, right) {
        case (.real(let left), .real(let right)): return left == right || (left.isNaN && right.isNaN)
        case (.date(let one), .date(let other)): return one == other || left.text == right.text
        case (.string(let left), .string(let right)), (.object(let left), .object(let right)):
            return isSame(left, right)
        case (.data(let left), .data(let right)):
            meter.consume(bytes: left.count)
            return left == right
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return false }
            for (left, right) in zip(left, right) {
                guard isSame(left, right) else { return false }
            }
            return true
        case (.dictionary(let left), .dictionary(let right)):
            guard left.count == right.count else { return false }
            for (left, right) in zip(left, right) {
                guard isSame(left.key, right.key), isSame(left.value, right.value) else { return false }
            }
            return true
        case (.numbered(let left, let leftClass), .numbered(let right, let rightClass)):
            return left == right && isSame(leftClass, rightClass)
        default: return left == right
        }
    }

    private mutating func isSame(_ left: String, _ right: String) -> Bool {
        meter.consume(bytes: left.utf8.count)
        return ByteText(left) == ByteText(right)
    }
}

extension ArchiveInspection.Section {
    /// The object's properties, except its saved state, as entries.
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
