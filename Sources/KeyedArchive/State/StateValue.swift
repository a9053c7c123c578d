/// What an object saves under a key: a property-list value, nil, or a reference into the archive.
public enum StateValue: Sendable, Hashable {
    /// A nil that was saved, which is not the same as nothing.
    case null
    /// True or false.
    case boolean(Bool)
    /// A whole number that fits 64 bits with a sign.
    case integer(Int64)
    /// A whole number without a sign; one that fits `integer` is read back as such.
    case unsigned(UInt64)
    /// A floating-point number.
    case real(Double)
    /// A string.
    case string(String)
    /// Bytes.
    case data([UInt8])
    /// Seconds since the start of 2001, UTC.
    case date(Double)
    /// An array.
    case array([StateValue])
    /// A dictionary with string keys.
    case dictionary([String: StateValue])
    /// A restorable object, by its restoration path.
    case object(path: String)
    /// An element of a data source, by its index in `StateArchive.references`.
    case reference(Int)
    /// An object of the app's own that was saved by copy, by its index in `StateArchive.instances`.
    case instance(Int)
}
