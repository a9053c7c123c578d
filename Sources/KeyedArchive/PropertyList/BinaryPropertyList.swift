/// A binary property list whose every byte that matters has been checked once.
///
/// Making one is linear in the file's size, whatever the file says of itself; afterwards objects are looked at in place,
/// by index, and nothing is copied until it is asked for. Objects may be shared, so that a small file may describe a
/// value of astronomical size: a reader that follows references bounds its own work.
///
/// No accessor traps for an object, element or text that came from the same list.
public struct BinaryPropertyList: Sendable {
    /// What a file may be before it is refused.
    public struct Limits: Sendable, Hashable {
        /// The largest file; at most 2 GiB. 1 MiB unless told otherwise.
        public var maximumByteCount: Int
        /// How many containers may be nested in each other; at most 128.
        public var maximumDepth: Int

        /// Makes limits; what is larger than can be had is lowered to it.
        public init(maximumByteCount: Int = 1 << 20, maximumDepth: Int = 128) {
            self.maximumByteCount = min(maximumByteCount, Int(Int32.max))
            self.maximumDepth = min(max(maximumDepth, 0), 128)
        }
    }

    /// An object of a list: its index in the list's table.
    public struct Object: Sendable, Hashable {
        var index: UInt32
    }

    /// The file, as it was given.
    public let bytes: [UInt8]
    let geometry: Geometry

    /// Checks a file as a whole: its frame, every object, every reference.
    /// - Throws: what is wrong first, with the byte where it is.
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

    /// The object that the file is about.
    public var top: Object { Object(index: geometry.top) }
    /// How many objects the file has.
    public var objectCount: Int { Int(geometry.objectCount) }
    /// Every object of the file, in the order of its table, whether the top object leads to it or not.
    public var objects: some RandomAccessCollection<Object> { (0..<geometry.objectCount).lazy.map(Object.init) }
}
