/// Checks a file once. Work is bounded by the file's size: all objects together may be no longer than the room that they
/// have, so that objects which overlap cannot multiply it, and each is looked at a fixed number of times.
struct PropertyListValidator: ~Copyable {
    var view: PropertyListView
    let limits: BinaryPropertyList.Limits
    /// What is known of each object: one of `Mark`, or `Mark.container` plus a container's height.
    let marks: UnsafeMutablePointer<UInt8>
    var keys: KeyTable

    enum Mark {
        static let scalar: UInt8 = 0
        static let string: UInt8 = 1
        /// A container of a height that is not known yet.
        static let container: UInt8 = 2
        /// A container on the path that is being searched.
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
