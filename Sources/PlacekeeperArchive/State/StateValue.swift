/// A value that an object saves under a key: a property list value, nil, or a reference to another part of the archive.
public enum StateValue: Sendable, Hashable {
    /// A saved nil, as opposed to a missing key.
    case null
    /// True or false.
    case boolean(Bool)
    /// An integer that fits in 64 bits, signed.
    case integer(Int64)
    /// An unsigned integer. A value that fits in `integer` is read back as `integer`.
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
    /// The restoration path of a restorable object.
    case object(path: String)
    /// An element of a data source, by its index in `StateArchive.references`.
    case reference(Int)
    /// A saved copy of an app's object, by its index in `StateArchive.instances`.
    case instance(Int)
}
