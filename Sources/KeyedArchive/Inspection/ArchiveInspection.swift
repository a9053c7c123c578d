/// What an archive holds, to be shown to a person: of Placekeeper's own format by its screens, any other app's keyed
/// archive by its objects (seed row 63).
///
/// It is bounded by the file's size: where objects are shared or refer to each other in a circle, values end in `elided`
/// or in the number of an object that stands by itself.
public struct ArchiveInspection: Sendable, Hashable {
    /// A key with its value.
    public struct Entry: Sendable, Hashable {
        /// The key.
        public var key: String
        /// What stands under it.
        public var value: Value
    }

    /// An object with all that it saved.
    public struct Section: Sendable, Hashable {
        /// Such as `View Controller`, `View`, `Restorable Object`, `Instance`; `Object` in a foreign archive.
        public var kind: String
        /// The restoration path, or the object's number.
        public var name: String
        /// The object's class.
        public var className: String
        /// The class that makes the object anew.
        public var restorationClass: String?
        /// The storyboard that the object came from.
        public var storyboard: String?
        /// The object's identifier in that storyboard.
        public var storyboardIdentifier: String?
        /// Whether the app registered the object by itself.
        public var isRegistered = false
        /// What it saved, by key in order.
        public var entries: [Entry]
    }

    /// The format of Placekeeper's own keys; nil for any other app's archive.
    public var formatVersion: Int64?
    /// What was encoded by name, in order.
    public var topLevel: [Entry]
    /// The steps of the place, from the first on.
    public var place: [Entry]
    /// The table of model references.
    public var references: [Entry]
    /// The objects, in the archive's order.
    public var sections: [Section]

    /// Checks an archive and reads it as its format asks for.
    /// - Throws: what is wrong first, with the byte where it is.
    public init(reading bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()) throws(ArchiveError) {
        let reader = try KeyedArchiveReader(validating: bytes, limits: limits)
        if try ArchiveSummary(reader).formatVersion != nil {
            var inspector = StateInspector(
                try StateArchive(reading: bytes, limits: limits), byteCount: bytes.count)
            self = inspector.inspect()
        } else {
            self = reader.withView { view in
                var inspector = ForeignInspector(view, byteCount: bytes.count)
                return inspector.inspect()
            }
        }
    }

    /// The restoration class of each path that has one.
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
    /// A value as it is shown.
    public enum Value: Sendable, Hashable {
        /// Nil.
        case null
        /// True or false.
        case boolean(Bool)
        /// A whole number.
        case integer(Int64)
        /// A whole number above those that fit `integer`.
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
        /// A dictionary, by key in order.
        case dictionary([Entry])
        /// A restorable object, by its path.
        case object(path: String)
        /// An element of a data source, by its number among the model references.
        case reference(Int)
        /// An object that stands in a section of its own, by its number there.
        case numbered(Int, className: String)
        /// Something that would take more room than the file.
        case elided
    }
}
