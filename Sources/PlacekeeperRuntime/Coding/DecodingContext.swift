package import PlacekeeperArchive

/// State shared by all decoders of an archive.
@MainActor
package final class DecodingContext {
    /// Returns the object that was saved at a path, and makes it if necessary. `nil` if it can be neither found nor
    /// made.
    var objectAtPath: (String) -> (any StateRestoring)? = { _ in nil }

    /// Receives restoration events, for example that an object was found or failed to decode its state.
    var report: (RestorationEvent) -> Void = { _ in }

    /// Receives the view controllers that cannot be presented yet.
    var wait: (WaitingPresentation) -> Void = { _ in }

    package let archive: StateArchive
    let storyboards: [String: Storyboard]
    let copyableClasses: ClassTable<CopyableClass>
    /// Returns a class that is not listed, but that the code which decodes right now allows.
    var allowedClass: (String) -> CopyableClass? = { _ in nil }
    /// The objects made from the archive's instances, by index. A `MadeCopy` has no object while the object is being
    /// made, or if it could not be made.
    var copies: [Int: MadeCopy] = [:]
    var copyDepth = 0
    /// Copies that have not decoded their state yet.
    var waiting: [WaitingCopy] = []

    /// The lists that decoded their rows. `path` is the path of the object that saved the rows; `showsSavedRows`
    /// returns whether the list still shows them.
    var restoredLists: [(path: String, showsSavedRows: () -> Bool)] = []

    init(
        _ archive: StateArchive, storyboards: [String: Storyboard] = [:],
        copyableClasses: ClassTable<CopyableClass> = ClassTable()
    ) {
        self.archive = archive
        self.storyboards = storyboards
        self.copyableClasses = copyableClasses
    }

    /// Returns the archive's bundle version, idiom, timestamp or system version if `key` is the reserved key for it.
    /// `nil` for any other key, or if the archive lacks the value.
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
