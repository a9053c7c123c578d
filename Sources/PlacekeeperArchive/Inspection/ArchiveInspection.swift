/// The content of an archive, for display. An archive in Placekeeper's format has a section for each restorable object
/// and each instance. A foreign archive (a keyed archive in another format) has a section for each object that is not a
/// plain value (seed row 63).
///
/// The size of the inspection is limited by the size of the file. If objects are shared or form a cycle, an object's
/// content may be replaced by `elided` or, if the object has its own section, by its number.
public struct ArchiveInspection: Sendable, Hashable {
    /// A key and its value.
    public struct Entry: Sendable, Hashable {
        /// The key.
        public var key: String
        /// The key's value.
        public var value: Value
    }

    /// An object and its saved state.
    public struct Section: Sendable, Hashable {
        /// The kind: `View Controller`, `View`, `Restorable Object` or `Instance`, or `Object` in a foreign archive.
        public var kind: String
        /// The restoration path. For an instance, or an object in a foreign archive, its number, such as `#3`.
        public var name: String
        /// The object's class.
        public var className: String
        /// The class that recreates the object.
        public var restorationClass: String?
        /// The storyboard that the object came from.
        public var storyboard: String?
        /// The object's identifier in `storyboard`.
        public var storyboardIdentifier: String?
        /// Whether the app registered the object directly.
        public var isRegistered = false
        /// The object's saved state, in key order.
        public var entries: [Entry]
    }

    /// The version of Placekeeper's format. Nil for a foreign archive.
    public var formatVersion: Int64?
    /// The values at the top level, in key order.
    public var topLevel: [Entry]
    /// The steps of the place, in order.
    public var place: [Entry]
    /// The table of model references.
    public var references: [Entry]
    /// The objects, then the instances, in the order of the archive.
    public var sections: [Section]

    /// Validates and reads an archive in Placekeeper's format, or a foreign archive.
    /// - Throws: The first problem, with its byte offset. `ArchiveError.Code.expansion` if the file is valid, but its
    ///   state would be too much work to show.
    public init(reading bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()) throws(ArchiveError) {
        let reader = try KeyedArchiveReader(validating: bytes, limits: limits)
        if reader.withView({ $0.top(ArchiveKey.formatVersion) }) != nil {
            var inspector = StateInspector(try StateArchive(reader, keys: .inspection), byteCount: bytes.count)
            self = inspector.inspect()
        } else {
            _ = try ArchiveSummary(reader)
            self = reader.withView { view in
                var inspector = ForeignInspector(view, byteCount: bytes.count)
                return inspector.inspect()
            }
        }
    }

    /// An entry for each object with a restoration class: the object's path and the class.
    public var restorationClasses: [Entry] {
        sections.compactMap { section in
            section.restorationClass.map { Entry(key: section.name, value: .string($0)) }
        }
    }

    init(topLevel: [Entry], sections: [Section]) {
        self.topLevel = topLevel
        self.sections = sections
        place = []
        references = []
    }
}

extension ArchiveInspection {
    /// A value for display.
    public enum Value: Sendable, Hashable {
        /// Nil.
        case null
        /// True or false.
        case boolean(Bool)
        /// An integer.
        case integer(Int64)
        /// An integer that is too large for `integer`.
        case unsigned(UInt64)
        /// A floating-point number.
        case real(Double)
        /// A string.
        case string(String)
        /// Seconds since the start of 2001, UTC.
        case date(Double)
        /// Bytes.
        case data([UInt8])
        /// An array.
        case array([Value])
        /// A dictionary, in key order.
        case dictionary([Entry])
        /// The path of a restorable object.
        case object(path: String)
        /// An element of a data source, by its index among the model references.
        case reference(Int)
        /// An object with its own section, by its number in the archive.
        case numbered(Int, className: String)
        /// A value that was left out, because the inspection would become too large or too deep.
        case elided
    }
}
