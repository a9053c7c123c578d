package import KeyedArchive

/// What the coders of one archive share while it is read.
@MainActor
package final class DecodingContext {
    /// The object that was saved at a path, made if need be; nil when there is none any more.
    var objectAtPath: (String) -> (any StateRestoring)? = { _ in nil }

    /// Hears what became of objects.
    var report: (RestorationEvent) -> Void = { _ in }

    package let archive: StateArchive
    let storyboards: [String: Storyboard]
    let copyableClasses: ClassTable<CopyableClass>
    /// Those that were made of the archive's instances, by index.
    var copies: [Int: MadeCopy] = [:]
    var copyDepth = 0
    /// Copies that have yet to decode their state.
    var waiting: [WaitingCopy] = []

    /// The lists that decoded their rows, by the paths of the objects that saved these.
    var restoredLists: [(path: String, showsSavedRows: () -> Bool)] = []

    init(
        _ archive: StateArchive, storyboards: [String: Storyboard] = [:],
        copyableClasses: ClassTable<CopyableClass> = ClassTable()
    ) {
        self.archive = archive
        self.storyboards = storyboards
        self.copyableClasses = copyableClasses
    }

    /// What a reserved key says of who saved the archive.
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
