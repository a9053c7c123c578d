package import KeyedArchive

/// The state that all decoders of an archive share.
@MainActor
package final class DecodingContext {
    /// Returns the object that was saved at a path, and makes it if necessary. Nil if the object no longer exists.
    var objectAtPath: (String) -> (any StateRestoring)? = { _ in nil }

    /// Is called with an event for each object: found, missing, decoded or failed.
    var report: (RestorationEvent) -> Void = { _ in }

    package let archive: StateArchive
    let storyboards: [String: Storyboard]
    let copyableClasses: ClassTable<CopyableClass>
    /// The objects that were made from the archive's instances, by index.
    var copies: [Int: MadeCopy] = [:]
    var copyDepth = 0
    /// The copies that have not decoded their state yet.
    var waiting: [WaitingCopy] = []

    /// The lists that decoded their rows, with the paths of the objects that saved the rows.
    var restoredLists: [(path: String, showsSavedRows: () -> Bool)] = []

    init(
        _ archive: StateArchive, storyboards: [String: Storyboard] = [:],
        copyableClasses: ClassTable<CopyableClass> = ClassTable()
    ) {
        self.archive = archive
        self.storyboards = storyboards
        self.copyableClasses = copyableClasses
    }

    /// Returns the value of a reserved key: the context of the device that saved the archive.
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
