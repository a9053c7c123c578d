/// A property list value as a tree, including the UIDs of keyed archives.
public enum PropertyListValue: Sendable, Hashable {
    /// True or false.
    case boolean(Bool)
    /// An integer that fits in 64 bits, signed.
    case integer(Int64)
    /// An unsigned integer. A value that fits in `integer` is read back as `integer`.
    case unsigned(UInt64)
    /// A floating-point number.
    case real(Double)
    /// Seconds since the start of 2001, UTC.
    case date(Double)
    /// Bytes.
    case data([UInt8])
    /// A string.
    case string(String)
    /// A reference from a keyed archive to one of its objects.
    case uid(UInt32)
    /// An array.
    case array([PropertyListValue])
    /// A dictionary.
    case dictionary([String: PropertyListValue])
}

extension PropertyListValue {
    /// Reads a binary property list as a tree.
    /// - Throws: The first problem, with its byte offset. `ArchiveError.Code.expansion` if objects are shared so often
    ///   that the tree would contain more values than the file has bytes, or if the tree's keys exceed 64 MiB in total.
    ///   A non-ASCII key counts as eight times its size.
    public init(reading bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()) throws(ArchiveError) {
        let list = try BinaryPropertyList(validating: bytes, limits: limits)
        self = try list.withView { (view) throws(ArchiveError) in
            var reading = TreeReading(budget: ExpansionBudget(bytes.count))
            return try view.tree(view.geometry.top, &reading)
        }
    }

    /// Returns the value as a binary property list. Equal values have equal bytes.
    /// - Throws: `ArchiveWritingError` for a date that property lists cannot hold, containers nested more than 128
    ///   deep, a string with more than 256 combining marks in a row, or keys that exceed 64 MiB in total. A non-ASCII
    ///   key counts as eight times its size.
    public func encoded() throws(ArchiveWritingError) -> [UInt8] {
        var writer = BinaryPropertyListWriter()
        var keys = KeyBudget()
        let top = try writer.add(self, depth: 1, &keys)
        guard !writer.hasLongCombiningRun else { throw ArchiveWritingError(.combiningRun) }
        return writer.finish(top: top)
    }
}

private struct TreeReading {
    var budget: ExpansionBudget
    var keys = KeyBudget()
    var shared = SharedValues()
}

extension PropertyListView {
    /// Reads an object as a tree. Validation has limited the depth, so recursion is safe; the budget limits the size.
    fileprivate func tree(_ object: UInt32, _ reading: inout TreeReading) throws(ArchiveError) -> PropertyListValue {
        let offset = offset(of: object)
        try reading.budget.consume(1, at: offset)
        switch content(object) {
        case .boolean(let value): return .boolean(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .real(let value): return .real(value)
        case .date(let value): return .date(value)
        case .uid(let value):
            guard let value = UInt32(exactly: value) else { throw ArchiveError(.uidRange, at: offset) }
            return .uid(value)
        case .data: return .data(reading.shared.data(object, in: self))
        case .string: return .string(reading.shared.text(object, in: self))
        case .array(let elements):
            var array: [PropertyListValue] = []
            for index in 0..<elements.count { array.append(try tree(element(index, of: elements), &reading)) }
            return .array(array)
        case .dictionary(let entries):
            var dictionary: [String: PropertyListValue] = [:]
            for index in 0..<entries.count {
                let key = reading.shared.text(key(index, of: entries), in: self)
                guard reading.keys.consume(key) else { throw ArchiveError(.expansion, at: offset) }
                let value = try tree(value(index, of: entries), &reading)
                // Validation compares code units. Swift may treat keys as equal even if their code units differ, so a
                // duplicate can still appear here.
                guard dictionary.updateValue(value, forKey: key) == nil else {
                    throw ArchiveError(.duplicateKey, at: offset)
                }
            }
            return .dictionary(dictionary)
        }
    }
}

extension BinaryPropertyListWriter {
    fileprivate mutating func add(
        _ value: PropertyListValue, depth: Int, _ keyBudget: inout KeyBudget
    ) throws(ArchiveWritingError) -> Reference {
        switch value {
        case .boolean(let value): return add(value)
        case .integer(let value): return add(value)
        case .unsigned(let value): return add(value)
        case .real(let value): return add(value)
        case .data(let value): return add(value)
        case .string(let value): return add(value)
        case .uid(let value): return add(uid: value)
        case .date(let seconds):
            guard PropertyListDate.isValid(seconds) else { throw ArchiveWritingError(.dateRange) }
            return add(date: seconds)
        case .array(let elements):
            guard depth <= 128 else { throw ArchiveWritingError(.tooDeep) }
            var references: [Reference] = []
            for element in elements { references.append(try add(element, depth: depth + 1, &keyBudget)) }
            return addArray(references)
        case .dictionary(let entries):
            guard depth <= 128 else { throw ArchiveWritingError(.tooDeep) }
            var keys: [Reference] = []
            var values: [Reference] = []
            for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
                guard keyBudget.consume(key) else { throw ArchiveWritingError(.expansion) }
                keys.append(add(key))
                values.append(try add(value, depth: depth + 1, &keyBudget))
            }
            return addDictionary(keys: keys, values: values)
        }
    }
}
