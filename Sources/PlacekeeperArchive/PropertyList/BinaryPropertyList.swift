/// A validated binary property list.
///
/// For any content, the time to create a list is linear in the file's size. Objects are read in place, by index. The
/// bytes of a string are copied only when the string is read. Containers may share objects, so a small file can
/// describe a value of astronomical size. Code that follows references must therefore limit its own work.
///
/// An accessor never traps if the objects and locations that it receives come from this list, and the index is in
/// range.
public struct BinaryPropertyList: Sendable {
    /// The limits for a file.
    public struct Limits: Sendable, Hashable {
        /// The maximum size of a file in bytes, less than 2 GiB. The default is 1 MiB.
        public var maximumByteCount: Int
        /// The maximum depth of nested containers, at most 128.
        public var maximumDepth: Int

        /// Creates limits. A limit above its maximum is lowered to the maximum.
        public init(maximumByteCount: Int = 1 << 20, maximumDepth: Int = 128) {
            self.maximumByteCount = min(maximumByteCount, Int(Int32.max))
            self.maximumDepth = min(max(maximumDepth, 0), 128)
        }
    }

    /// An object of a list, by its index in the file's offset table.
    public struct Object: Sendable, Hashable {
        var index: UInt32
    }

    /// The original file.
    public let bytes: [UInt8]
    let geometry: Geometry

    /// Validates a whole file: its header and trailer, every object, and every reference.
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
    /// Every object of the file, in the order of the offset table. A file may contain objects that cannot be reached
    /// from the top object.
    public var objects: some RandomAccessCollection<Object> { (0..<geometry.objectCount).lazy.map(Object.init) }
}
