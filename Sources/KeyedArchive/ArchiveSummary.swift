/// What an archive says of itself: what it was made on, what its place is called, how much it holds. Made in one bounded
/// pass; what it does not say is nil.
public struct ArchiveSummary: Sendable, Hashable {
    /// The format of Placekeeper's own keys; nil for any other app's keyed archive, which has only reserved keys.
    public var formatVersion: Int64?
    /// The app's bundle version (`UIApplicationStateRestorationBundleVersion`).
    public var bundleVersion: String?
    /// The number of a user interface idiom (`UIApplicationStateRestorationUserInterfaceIdiom`): unspecified −1,
    /// phone 0, pad 1, tv 2, carPlay 3, mac 5, vision 6, or one that is not known yet.
    public var idiom: Int64?
    /// When the state was saved, in seconds since the start of 2001, UTC (`UIApplicationStateRestorationTimestamp`).
    public var timestamp: Double?
    /// The system's version (`UIApplicationStateRestorationSystemVersion`).
    public var systemVersion: String?
    /// The app's own number for its interface.
    public var stateVersion: Int64?
    /// The horizontal size class that the screens were laid out for.
    public var layout: ArchiveLayout?
    /// The title, else the screen's name, of each step of the place; empty when the archive has no place.
    public var placeTitles: [String] = []
    /// How many restorable objects there are; 0 in a foreign archive.
    public var objectCount = 0
    /// How many model references there are; 0 in a foreign archive.
    public var referenceCount = 0

    /// Checks an archive as `KeyedArchiveReader` does, and reads what it says of itself.
    /// - Throws: what is wrong first, with the byte where it is.
    public init(reading bytes: [UInt8], limits: BinaryPropertyList.Limits = .init()) throws(ArchiveError) {
        self = try bytes.withRawBytes { (file) throws(ArchiveError) in
            let geometry = try BinaryPropertyList.Geometry(of: file, limits: limits)
            var validator = PropertyListValidator(PropertyListView(file, geometry), limits: limits)
            try validator.run()
            let frame = try validator.validateKeyedArchive()
            return try ArchiveSummary(KeyedView(list: validator.view, frame: frame))
        }
    }

    /// Reads what an archive that was checked says of itself.
    public init(_ reader: KeyedArchiveReader) throws(ArchiveError) {
        self = try reader.withView { (view) throws(ArchiveError) in try ArchiveSummary(view) }
    }

    init(_ view: KeyedView) throws(ArchiveError) {
        bundleVersion = try view.reserved(ArchiveKey.bundleVersion, view.text)
        idiom = try view.reserved(ArchiveKey.idiom, view.integer)
        timestamp = try view.reserved(ArchiveKey.timestamp, view.date)
        systemVersion = try view.reserved(ArchiveKey.systemVersion, view.text)
        formatVersion = try view.reserved(ArchiveKey.formatVersion, view.integer)
        guard let formatVersion else { return }
        guard formatVersion == ArchiveKey.currentFormat else {
            throw ArchiveError(.formatVersion, at: view.topOffset(ArchiveKey.formatVersion))
        }
        stateVersion = try view.reserved(ArchiveKey.stateVersion, view.integer)
        layout = try view.reserved(ArchiveKey.layout) { view.text($0).flatMap(ArchiveLayout.init) }
        objectCount = try view.table(ArchiveKey.objects, .objectTable)?.count ?? 0
        referenceCount = try view.table(ArchiveKey.references, .referenceTable)?.count ?? 0
        guard let steps = try view.table(ArchiveKey.place, .place) else { return }
        placeTitles.reserveCapacity(steps.count)
        for index in 0..<steps.count {
            placeTitles.append(try view.stepTitle(view.list.element(index, of: steps)))
        }
    }
}

/// How the screens of an archive were laid out: the horizontal size class.
public enum ArchiveLayout: String, Sendable, Hashable, CaseIterable {
    /// One column, as on a phone.
    case compact
    /// Room for columns side by side, as on most pads.
    case regular
}

extension KeyedView {
    /// What stands under a key of `$top`, as a type; refused when it is of another.
    func reserved<Value>(_ key: StaticString, _ read: (UInt32) -> Value?) throws(ArchiveError) -> Value? {
        guard let object = top(key) else { return nil }
        guard let value = read(object) else { throw ArchiveError(.reservedKey, at: list.offset(of: object)) }
        return value
    }

    /// An array under a key of `$top`.
    func table(_ key: StaticString, _ code: ArchiveError.Code) throws(ArchiveError) -> BinaryPropertyList.Elements? {
        guard let object = top(key) else { return nil }
        guard let elements = array(object) else { throw ArchiveError(code, at: list.offset(of: object)) }
        return elements
    }

    func topOffset(_ key: StaticString) -> Int {
        list.offset(of: top(key) ?? list.geometry.top)
    }

    func stepTitle(_ element: UInt32) throws(ArchiveError) -> String {
        let step = resolve(element)
        guard let entries = dictionary(step), let screen = value(for: ArchiveKey.screen, in: entries),
            let name = text(screen)
        else { throw ArchiveError(.place, at: list.offset(of: step)) }
        guard let title = value(for: ArchiveKey.title, in: entries) else { return name }
        guard let title = text(title) else { throw ArchiveError(.place, at: list.offset(of: title)) }
        return title
    }
}
