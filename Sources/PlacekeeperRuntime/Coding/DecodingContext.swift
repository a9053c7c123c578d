package import PlacekeeperArchive

/// The state that all decoders of an archive share.
@MainActor
package final class DecodingContext {
    /// Returns the object that was saved at a path, and makes the object if it does not exist yet. Nil if the object
    /// can be neither found nor made.
    var objectAtPath: (String) -> (any StateRestoring)? = { _ in nil }

    /// Receives the events of restoring, for example that an object was found or could not decode its state.
    var report: (RestorationEvent) -> Void = { _ in }

    package let archive: StateArchive
    let storyboards: [String: Storyboard]
    let copyableClasses: ClassTable<CopyableClass>
    /// The objects that were made from the archive's instances, by index. The object of a `MadeCopy` is nil while the
    /// object is being made, or if it could not be made.
    var copies: [Int: MadeCopy] = [:]
    var copyDepth = 0
    /// The copies that have not decoded their state yet.
    var waiting: [WaitingCopy] = []

    /// The lists that decoded their rows. `path` is the path of the object that saved the rows, and `showsSavedRows`
    /// returns whether the list shows these rows.
    var restoredLists: [(path: String, showsSavedRows: () -> Bool)] = []

    init(
        _ archive: StateArchive, storyboards: [String: Storyboard] = [:],
        copyableClasses: ClassTable<CopyableClass> = ClassTable()
    ) {
        self.archive = archive
        self.storyboards = storyboards
        self.copyableClasses = copyableClasses
    }

    /// Returns the bundle version, idiom, timestamp or system version of the archive, if `key` is the reserved key of
    /// this value. Returns nil for every other key, or if the archive does not have the value.
    func reserved(_ key: String) -> StateValue? {
        switch key {
        case ReservedKey.bundleVersion: archive.bundleVersion.map { .string($0) }
        case ReservedKey.userInterfaceIdiom: archive.idiom.map { .integer($0) }
        case ReservedKey.timestamp: archive.timestamp.map { .date($0) }
        case ReservedKey.systemVersion: archive.systemVersion.map { .string($0) }
        default: nil
        }
    }
}
