/// A validated binary property list.
///
/// Creating a list takes time linear in the file's size, whatever it contains. Objects are read in place, by index, and
/// a string's bytes are copied only when it is read. Containers may share objects, so a small file can describe a value
/// of astronomical size: code that follows references must limit its own work.
///
/// Accessors never trap if the objects and locations passed to them come from this list and the index is in range.
public struct BinaryPropertyList: Sendable {
    /// Limits for a file.
    public struct Limits: Sendable, Hashable {
        /// The maximum file size in bytes, less than 2 GiB. 1 MiB by default.
        public var maximumByteCount: Int
        /// The maximum depth of nested containers, 128 at most.
        public var maximumDepth: Int

        /// Creates limits. Values that are too high are lowered to the maximum.
        public init(maximumByteCount: Int = 1 << 20, maximumDepth: Int = 128) {
            self.maximumByteCount = min(maximumByteCount, Int(Int32.max))
            self.maximumDepth = min(max(maximumDepth, 0), 128)
        }
    }

    /// An object of a list, as its index in the file's offset table.
    public struct Object: Sendable, Hashable {
        var index: UInt32
    }

    /// The original file.
    public let bytes: [UInt8]
    let geometry: Geometry

    /// Validates a whole file: header, trailer, all objects and all references.
    /// - Throws: The first problem, with its byte offset.
    public init(validating bytes: [UInt8], limits: Limits = Limits()) throws(ArchiveError) {
        self.bytes = bytes
        geometry = try bytes.withRawBytes { (file) throws(ArchiveError) in
            let geometry = try Geometry(of: file, limits: limits)
            var validator = PropertyListValidator(PropertyListView(file, geometry), limits: limits)
            try validator.run()
            return validator.view.geometry
        }
    }

    init(bytes: [UInt8], geometry: Geometry) {
        self.bytes = bytes
        self.geometry = geometry
    }

    /// The top object of the file.
    public var top: Object { Object(index: geometry.top) }
    /// The number of objects in the file.
    public var objectCount: Int { Int(geometry.objectCount) }
    /// All objects in the file, in the order of the offset table. Some may be unreachable from the top object.
    public var objects: some RandomAccessCollection<Object> { (0..<geometry.objectCount).lazy.map(Object.init) }
}
