/// A validated keyed archive of any app, written by `NSKeyedArchiver` or by this library.
///
/// Objects are read in place. They may refer to each other in cycles, so code that follows UIDs must limit its own
/// work. Classes are only names and are never instantiated.
public struct KeyedArchiveReader: Sendable {
    /// The property list that contains the archive.
    public let propertyList: BinaryPropertyList
    let frame: KeyedView.Frame

    /// Validates a file as a property list, then as a keyed archive.
    /// - Throws: The first problem, with its byte offset. `ArchiveError.Code.notKeyedArchive` if the file is a valid
    ///   property list, but not a keyed archive.
    public init(
        validating bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()
    ) throws(ArchiveError) {
        let (geometry, frame) = try bytes.withRawBytes { (file) throws(ArchiveError) in
            let geometry = try BinaryPropertyList.Geometry(of: file, limits: limits)
            var validator = PropertyListValidator(PropertyListView(file, geometry), limits: limits)
            try validator.run()
            let frame = try validator.validateKeyedArchive()
            return (validator.view.geometry, frame)
        }
        propertyList = BinaryPropertyList(bytes: bytes, geometry: geometry)
        self.frame = frame
    }

    func withView<Result, Failure: Error>(
        _ body: (KeyedView) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try propertyList.withView { (list) throws(Failure) in try body(KeyedView(list: list, frame: frame)) }
    }

    /// The entries of `$top`, without resolving UIDs.
    public var top: BinaryPropertyList.Entries { frame.top }
    /// The elements of `$objects`. UIDs are indices into this array.
    public var objects: BinaryPropertyList.Elements { frame.objects }

    /// Returns the object that a UID refers to. Any other object is returned as it is.
    public func resolve(_ object: BinaryPropertyList.Object) -> BinaryPropertyList.Object {
        withView { BinaryPropertyList.Object(index: $0.resolve(object.index)) }
    }

    /// Returns the class name of an encoded object. `nil` for an object without a class record, such as a string or a
    /// UID.
    public func className(of object: BinaryPropertyList.Object) -> String? {
        withView { view in view.classRecord(object.index).flatMap(view.className) }
    }
}
