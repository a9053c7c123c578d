/// Validates a file. The file's size limits the work: each object is visited a fixed number of times. The total length
/// of all objects must not exceed the object area, so overlapping objects cannot multiply the work.
struct PropertyListValidator: ~Copyable {
    var view: PropertyListView
    let limits: BinaryPropertyList.Limits
    /// The state of each object: a `Mark`, `Mark.container` plus a container's height, or a container's roles.
    let marks: UnsafeMutablePointer<UInt8>
    var keys: KeyTable
    var meter = WorkMeter()

    enum Mark {
        static let scalar: UInt8 = 0
        static let string: UInt8 = 1
        /// A container of unknown height.
        static let container: UInt8 = 2
        /// A container on the search path.
        static let entered: UInt8 = 255
    }

    init(_ view: PropertyListView, limits: BinaryPropertyList.Limits) {
        self.view = view
        self.limits = limits
        let count = Int(view.geometry.objectCount)
        marks = .allocate(capacity: count)
        marks.initialize(repeating: Mark.scalar, count: count)
        keys = KeyTable(objectCount: count)
    }

    deinit { marks.deallocate() }

    mutating func run() throws(ArchiveError) {
        try validateObjects()
        try validateContainers()
    }
}
