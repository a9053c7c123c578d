extension RestorationEvent: CustomStringConvertible {
    /// The step as a log line.
    public var description: String {
        switch self {
        case .savingDeclined: "the app does not want its state saved"
        case .saved(let path, let className): "saved \(path) (\(className))"
        case .unsavedReference(let path, let className):
            "\(path.isEmpty ? "the application" : path) refers to a \(className) without a restoration identifier"
        case .lint(let path, let key, let lint): "\(path.isEmpty ? "the application" : path), key \(key): \(lint)"
        case .unlistedClass(let name):
            "a launch cannot create a \(name): list the class in the environment"
        case .written(let bytes): "wrote the archive (\(bytes) bytes)"
        case .restoringDeclined: "the app does not want its state restored"
        case .found(let path, let lookUp): "found \(path)\(lookUp.words)"
        case .missing(let path, let absence): "\(path) is missing: \(absence.words)"
        case .misnamed(let path, let identifier):
            "\(path) now has \(identifier.map { "the restoration identifier \($0)" } ?? "no restoration identifier")"
        case .otherClass(let path, let saved, let found):
            "\(path) was saved as \(saved) and is now \(found): its state is not restored"
        case .decoded(let path): "decoded \(path)"
        case .failed(let path, let reason): "\(path) could not restore its state: \(reason)"
        case .refusedClass(let path, let key, let className):
            "\(path.isEmpty ? "the application" : path), key \(key): the class \(className) is not allowed for this key"
        case .truncated(let path, let kept, let count):
            "\(path) has only the first \(kept) of its \(count) view controllers"
        case .notPresented(let path, let name):
            "\(path) presents a \(name): what it presented when it was saved waits for presentRestored()"
        case .notReplaced(let path, let name):
            "\(path) keeps the view controllers of this launch: one of them presents a \(name)"
        case .awaitsDataSource(let path): "\(path) shows its saved rows when it gets a data source"
        case .approximated(let path, let fraction):
            "\(path) shows the row at \(Int((fraction * 100).rounded())) % of the list: none of the saved rows is there"
        case .placeEnded(let screen, let reason): "the place ends before the screen \(screen): \(reason)"
        case .finished: "restoring is complete"
        case .notLaunched: "nothing is saved before launch(served:hasSnapshot:)"
        case .hasToExit:
            "the archive could not be read at launch: it is not overwritten, and the process has to exit"
        case .discarded: "discarded the archive"
        case .quarantined(let reason): "quarantined the archive: \(reason)"
        case .forceQuit: "force quit: the archive and the quarantined archive are discarded"
        case .launched(let result): "launched: \(result)"
        }
    }
}

extension RestorationEvent.LookUp {
    fileprivate var words: String {
        switch self {
        case .restorationClass: " by its restoration class"
        case .delegate: " by the delegate"
        case .implicit: ", which already existed"
        case .storyboard: " in its storyboard"
        case .registered: ", which is registered"
        }
    }
}

extension RestorationEvent.Absence {
    fileprivate var words: String {
        switch self {
        case .declined: "its restoration class returned nil"
        case .unknownClass(let name): "there is no restoration class \(name) in the environment"
        case .ambiguousClass(let name, let classes):
            "\(classes.count) restoration classes in the environment have the name \(name): \(classes.joined(separator: ", "))"
        case .empty: "none of its view controllers exists"
        case .leftOut: "an earlier launch ended while it restored this object"
        case .notFound: "no object has this path, and no object was made for it"
        }
    }
}

extension RestorationLint: CustomStringConvertible {
    /// The warning as a string.
    public var description: String {
        switch self {
        case .large(let bytes, let budget): "\(bytes) bytes exceed the budget of \(budget)"
        case .many(let elements, let budget): "\(elements) values exceed the budget of \(budget)"
        case .unwritable: "an archive cannot hold the value, and it is not saved"
        case .unsupported(let what): "cannot be saved: \(what)"
        case .leftOut(let size, let limit): "left out: its size of \(size) does not fit into the limit of \(limit)"
        case .reservedKey: "the key is reserved, and the value is not saved"
        }
    }
}

extension LaunchResult: CustomStringConvertible {
    /// The result as a string.
    public var description: String {
        switch self {
        case .nothingSaved: "nothing was saved"
        case .declined: "the app declined to restore its state"
        case .restored(let restoration):
            "\(restoration.restored.count) restored, \(restoration.missing.count) missing, \(restoration.failed.count) failed"
        case .placeOnly: "only the place of the archive can be restored here, by restorePlace()"
        case .incompatible: "no part of the archive can be restored here"
        case .locked: "the device is locked: the process has to exit once its work is done"
        case .crashedBefore: "an earlier launch did not finish restoring the archive, which is not restored again"
        case .unreadable(let reason): "the archive cannot be read: \(reason)"
        }
    }
}
