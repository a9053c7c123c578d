import PlacekeeperArchive

/// Recommended limits for each value in an object's state. An object should save identifiers and choices, which are
/// small, not the model's data (row 66). A value over a limit is still saved, and the restoration log reports its key.
public struct StateBudget: Sendable, Equatable {
    /// The maximum size of the value under one key, in bytes. Strings, dictionary keys and data count their own bytes.
    /// A number, a Boolean, a date, nil or an object's path counts as 8 bytes.
    public var bytes: Int
    /// The maximum number of values in all arrays and dictionaries under one key, including nested ones.
    public var elements: Int

    /// Creates a budget.
    public init(bytes: Int = 2048, elements: Int = 256) {
        self.bytes = bytes
        self.elements = elements
    }
}

/// A warning or error about a saved value (row 66).
public enum RestorationLint: Sendable, Equatable {
    /// The value is larger than the budget allows.
    case large(bytes: Int, budget: Int)
    /// The arrays and dictionaries under a key hold more values than the budget allows. They probably contain model
    /// data.
    case many(elements: Int, budget: Int)
    /// The app wrote to a reserved key. The value was not saved.
    case reservedKey
    /// An archive cannot hold the value, so it was not saved. Either it is nested too deeply, or it contains a date
    /// outside the years 1 to 9999, an index beyond the archive's table of references or copies, or a string or key
    /// with more than 256 combining marks in a row. Or it is a progress value outside 0 to 1.
    case unwritable
    /// An object's class cannot be saved, so nil was saved instead. Or a `Codable` value could not be encoded and was
    /// not saved.
    case unsupported(String)
    /// A value was left out because its step of the place would exceed the format's size limit, or steps were left out
    /// because the place had too many.
    case leftOut(size: Int, limit: Int)
}

extension RestorationLint {
    /// Whether the value was not saved.
    var isOmission: Bool {
        switch self {
        case .large, .many: false
        case .reservedKey, .unwritable, .unsupported, .leftOut: true
        }
    }
}

/// A value left out of an archive.
package struct OmittedValue: Sendable, Equatable {
    /// The path of the object; empty for the application. For a step of the place: `place/` and the name of the screen.
    package var path: String
    package var key: String
    package var lint: RestorationLint
}

/// A storage that reports which values were left out of the archives.
@MainActor
package protocol OmissionTelling: ArchiveStorage {
    /// Records the values that are left out of the next archive.
    func note(_ omissions: [OmittedValue])
}

extension ReservedKey {
    /// Returns whether a key is reserved.
    static func isReserved(_ key: String) -> Bool {
        // All reserved keys begin with `U` or `k`, and most other keys don't, so this skips most lookups in `all`.
        guard let first = key.utf8.first, first == UInt8(ascii: "U") || first == UInt8(ascii: "k") else { return false }
        return all.contains(key)
    }
}

extension EncodingContext {
    /// Returns whether an archive can hold a value under a key. Reports an error if it cannot, and a warning for each
    /// limit of the budget that the value exceeds.
    func accepts(_ value: StateValue, path: String, key: String) -> Bool {
        guard !key.hasLongCombiningRun else {
            lint(path, key, .unwritable)
            return false
        }
        // Always small and always writable, so not measured.
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

}

/// Measures a value and checks that an archive can hold it.
struct StateMeasure {
    let referenceCount: Int
    let copyCount: Int
    /// Whether the value belongs to a place, which cannot contain restorable objects.
    var isInPlace = false
    var bytes = 0
    var elements = 0
    var isWritable = true

    /// The maximum nesting depth in an object's state.
    private static let greatestDepth = 128
    /// The dates that an archive can hold, in seconds since the start of 2001: years 1 to 9999.
    private static let dates = -63_114_076_800.0..<252_423_993_600.0

    /// Returns whether a place can hold parameters.
    static func isWritable(_ parameters: [String: StateValue], inPlaceWith referenceCount: Int) -> Bool {
        var measure = StateMeasure(referenceCount: referenceCount, copyCount: 0, isInPlace: true)
        measure.add(.dictionary(parameters), depth: 1)
        return measure.isWritable
    }

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
        case .object:
            bytes += 8
            if isInPlace { isWritable = false }
        case .null, .boolean, .integer, .unsigned, .real: bytes += 8
        }
    }

    private mutating func enter(_ count: Int, _ depth: Int) -> Bool {
        elements += count
        if depth > Self.greatestDepth { isWritable = false }
        return isWritable
    }
}
