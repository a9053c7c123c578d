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
