import KeyedArchive

/// What an object should keep to in what it saves: identifiers and choices are small, a model's data is not (row 66).
/// What is beyond it is saved all the same, and the log tells.
public struct StateBudget: Sendable, Hashable {
    /// The most bytes under one key: of strings and data, and 8 for every other value.
    public var bytes: Int
    /// The most values in the arrays and dictionaries under one key.
    public var elements: Int

    /// Sets what an object should keep to.
    public init(bytes: Int = 2048, elements: Int = 256) {
        self.bytes = bytes
        self.elements = elements
    }
}

/// What is unwise in saved state (row 66), or wrong with it.
public enum RestorationLint: Sendable, Hashable {
    /// More bytes under one key than the budget has.
    case large(bytes: Int, budget: Int)
    /// More values under one key than the budget has: rather a model's data than choices.
    case many(elements: Int, budget: Int)
    /// A reserved key was written: what was written is not there.
    case reservedKey
    /// A value that an archive cannot hold, and which is left out: nested too deeply, a date beyond the year 9999, an index
    /// beyond its table, a text or key with more than 256 combining marks in a row.
    case unwritable
    /// An object of a class that has no way to be saved, or a value that could not be encoded: nil is saved.
    case unsupported(String)
}

extension ReservedKey {
    /// Whether an app may not write under a key.
    static func isReserved(_ key: String) -> Bool {
        // Most keys are told apart by their first letter.
        guard let first = key.utf8.first, first == UInt8(ascii: "U") || first == UInt8(ascii: "k") else { return false }
        return all.contains(key)
    }
}

extension EncodingContext {
    /// Whether an archive can hold a value; tells of those that are unwise.
    func accepts(_ value: StateValue, path: String, key: String) -> Bool {
        guard !key.hasLongCombiningRun else {
            lint(path, key, .unwritable)
            return false
        }
        // Most values are small of their kind.
        switch value {
        case .boolean, .integer, .unsigned, .real, .null: return true
        default: break
        }
        var measure = StateMeasure(referenceCount: references.count, copyCount: copies.count)
        measure.add(value, depth: 2)
        guard measure.isWritable else {
            lint(path, key, .unwritable)
            return false
        }
        if measure.bytes > budget.bytes { lint(path, key, .large(bytes: measure.bytes, budget: budget.bytes)) }
        if measure.elements > budget.elements {
            lint(path, key, .many(elements: measure.elements, budget: budget.elements))
        }
        return true
    }

    /// Whether an archive can hold a dictionary.
    func canWrite(_ entries: [String: StateValue]) -> Bool {
        var measure = StateMeasure(referenceCount: references.count, copyCount: copies.count)
        measure.add(.dictionary(entries), depth: 1)
        return measure.isWritable
    }
}

/// How much a value is, and whether an archive holds it.
private struct StateMeasure {
    let referenceCount: Int
    let copyCount: Int
    var bytes = 0
    var elements = 0
    var isWritable = true

    /// How deeply values may be nested in the state of an object.
    private static let greatestDepth = 128
    /// The dates that an archive has, in seconds since the start of 2001: the years 1 to 9999.
    private static let dates = -63_114_076_800.0..<252_423_993_600.0

    mutating func add(_ value: StateValue, depth: Int) {
        switch value {
        case .string(let text):
            bytes += text.utf8.count
            if text.hasLongCombiningRun { isWritable = false }
        case .data(let data): bytes += data.count
        case .date(let seconds):
            bytes += 8
            if !Self.dates.contains(seconds) { isWritable = false }
        case .array(let values):
            guard enter(values.count, depth) else { return }
            for value in values { add(value, depth: depth + 1) }
        case .dictionary(let values):
            guard enter(values.count, depth) else { return }
            for (key, value) in values {
                bytes += key.utf8.count
                if key.hasLongCombiningRun { isWritable = false }
                add(value, depth: depth + 1)
            }
        case .reference(let index): if !(0..<referenceCount).contains(index) { isWritable = false }
        case .instance(let index): if !(0..<copyCount).contains(index) { isWritable = false }
        case .null, .boolean, .integer, .unsigned, .real, .object: bytes += 8
        }
    }

    private mutating func enter(_ count: Int, _ depth: Int) -> Bool {
        elements += count
        if depth > Self.greatestDepth { isWritable = false }
        return isWritable
    }
}
