/// A keyed archive that has been checked once: any app's, by `NSKeyedArchiver` or by this library.
///
/// Objects are looked at in place. They may refer to each other in cycles, as keyed archives may: a reader that follows
/// UIDs bounds its own work. Classes are names; nothing is ever instantiated.
public struct KeyedArchiveReader: Sendable {
    /// The property list that the archive is held in.
    public let propertyList: BinaryPropertyList
    let frame: KeyedView.Frame

    /// Checks a file as a property list and then as a keyed archive.
    /// - Throws: what is wrong first, with the byte where it is. A property list that is in order but no keyed archive
    ///   is refused with `ArchiveError.Code.notKeyedArchive`.
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

    /// `$top`: what was encoded by name, with UIDs not yet followed.
    public var top: BinaryPropertyList.Entries { frame.top }
    /// `$objects`: what UIDs name, by index.
    public var objects: BinaryPropertyList.Elements { frame.objects }

    /// The object that a UID names; any other object is itself.
    public func resolve(_ object: BinaryPropertyList.Object) -> BinaryPropertyList.Object {
        withView { BinaryPropertyList.Object(index: $0.resolve(object.index)) }
    }

    /// The name of an encoded object's class; nil when the object is a plain value.
    public func className(of object: BinaryPropertyList.Object) -> String? {
        withView { view in view.classRecord(object.index).flatMap(view.className) }
    }
}
