/// An archive's context, the titles of its place, and the number of its objects and model references. Reading a summary
/// takes work limited by the file's size. Values that the archive lacks are nil.
public struct ArchiveSummary: Sendable, Hashable {
    /// The version of Placekeeper's format. `nil` for a foreign archive, whose summary contains only the bundle
    /// version, idiom, timestamp and system version.
    public var formatVersion: Int64?
    /// The app's bundle version (`UIApplicationStateRestorationBundleVersion`).
    public var bundleVersion: String?
    /// The number of the user interface idiom (`UIApplicationStateRestorationUserInterfaceIdiom`): unspecified −1,
    /// phone 0, pad 1, tv 2, carPlay 3, watch 4, mac 5, vision 6, or any other number for an idiom that a later system
    /// adds.
    public var idiom: Int64?
    /// When the state was saved, in seconds since the start of 2001, UTC (`UIApplicationStateRestorationTimestamp`).
    public var timestamp: Double?
    /// The system version (`UIApplicationStateRestorationSystemVersion`).
    public var systemVersion: String?
    /// The version number of the app's state format.
    public var stateVersion: Int64?
    /// The horizontal size class of the screens' layout.
    public var layout: ArchiveLayout?
    /// The title of each step of the place, or the screen's name if the step has no title. Empty if the archive has no
    /// place.
    public var placeTitles: [String] = []
    /// The number of restorable objects. 0 for a foreign archive.
    public var objectCount = 0
    /// The number of model references. 0 for a foreign archive.
    public var referenceCount = 0

    /// Validates an archive as `KeyedArchiveReader` does, and reads its summary.
    /// - Throws: The first problem, with its byte offset.
    public init(reading bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()) throws(ArchiveError) {
        self = try bytes.withRawBytes { (file) throws(ArchiveError) in
            let geometry = try BinaryPropertyList.Geometry(of: file, limits: limits)
            var validator = PropertyListValidator(PropertyListView(file, geometry), limits: limits)
            try validator.run()
            let frame = try validator.validateKeyedArchive()
            return try ArchiveSummary(KeyedView(list: validator.view, frame: frame), byteCount: bytes.count)
        }
    }

    /// Reads the summary of a validated archive.
    public init(_ reader: KeyedArchiveReader) throws(ArchiveError) {
        self = try reader.withView { (view) throws(ArchiveError) in
            try ArchiveSummary(view, byteCount: reader.propertyList.bytes.count)
        }
    }

    init(_ view: KeyedView, byteCount: Int) throws(ArchiveError) {
        var (references, place): ([ModelReference], Place?) = ([], nil)
        try self.init(view, byteCount: byteCount, &references, &place)
    }

    /// Reads the summary, and also returns the model references and the place, which it has to read anyway.
    init(
        _ view: KeyedView, byteCount: Int, _ references: inout [ModelReference], _ place: inout Place?
    ) throws(ArchiveError) {
        bundleVersion = try view.reserved(ArchiveKey.bundleVersion, view.version)
        idiom = try view.reserved(ArchiveKey.idiom, view.integer)
        timestamp = try view.reserved(ArchiveKey.timestamp, view.date)
        systemVersion = try view.reserved(ArchiveKey.systemVersion, view.version)
        formatVersion = try view.reserved(ArchiveKey.formatVersion, view.integer)
        guard let formatVersion else { return }
        guard formatVersion == ArchiveKey.currentFormat else {
            throw ArchiveError(.formatVersion, at: view.topOffset(ArchiveKey.formatVersion))
        }
        stateVersion = try view.reserved(ArchiveKey.stateVersion, view.integer)
        layout = try view.reserved(ArchiveKey.layout) { view.text($0).flatMap(ArchiveLayout.init) }
        var tables = try TableReader(view, byteCount: byteCount)
        objectCount = try tables.checkObjects()
        references = try tables.references()
        referenceCount = references.count
        place = try tables.place()
        placeTitles = place?.steps.map { $0.title ?? $0.screen } ?? []
    }
}

/// The layout of an archive's screens, as the horizontal size class.
public enum ArchiveLayout: String, Sendable, Hashable, CaseIterable {
    /// One column, as on a phone.
    case compact
    /// Columns side by side, as on most iPads.
    case regular
}

extension KeyedView {
    /// Reads the value under a key of `$top`. `nil` if the key is missing or its value is nil. Throws `reservedKey` if
    /// `read` returns nil.
    fileprivate func reserved<Value>(_ key: StaticString, _ read: (UInt32) -> Value?) throws(ArchiveError) -> Value? {
        guard let object = top(key) else { return nil }
        guard let value = read(object) else { throw ArchiveError(.reservedKey, at: list.offset(of: object)) }
        return value
    }

    /// Returns a version string. `nil` if the object is not a string of at most 128 code units.
    fileprivate func version(_ object: UInt32) -> String? {
        textObject(object).map(list.string).flatMap { $0.count <= 128 ? list.text($0) : nil }
    }

    fileprivate func topOffset(_ key: StaticString) -> Int {
        list.offset(of: top(key) ?? list.geometry.top)
    }
}

extension TableReader {
    /// Validates the restorable objects and returns their number. Each object must contain strings under the first
    /// three of `names`, and a dictionary (its saved state) under the last. The state itself is not read.
    fileprivate mutating func checkObjects() throws(ArchiveError) -> Int {
        var names = [
            KeyName(ArchiveKey.path), KeyName(ArchiveKey.kind), KeyName(ArchiveKey.className),
            KeyName(ArchiveKey.state),
        ]
        guard let elements = try Self.elements(ArchiveKey.objects, .objectTable, in: view) else { return 0 }
        for index in 0..<elements.count {
            let record = try record(view.list.element(index, of: elements), .objectTable)
            var missing = 1 << names.count - 1
            for position in 0..<record.entries.keys.count where missing != 0 {
                let key = view.resolve(view.list.element(position, of: record.entries.keys))
                for name in names.indices where missing & 1 << name != 0 && names[name].is(key, in: view.list) {
                    let value = view.resolve(view.list.element(position, of: record.entries.values))
                    try visit(value)
                    guard name < 3 ? view.textObject(value) != nil : view.dictionary(value) != nil else {
                        throw error(.objectTable, value)
                    }
                    missing &= ~(1 << name)
                }
            }
            guard missing == 0 else { throw error(.objectTable, record.object) }
        }
        return elements.count
    }
}
