extension RestorationEvent: CustomStringConvertible {
    /// The step as a line of a log.
    public var description: String {
        switch self {
        case .savingDeclined: "the app does not want its state saved"
        case .saved(let path, let className): "saved \(path) (\(className))"
        case .unsavedReference(let path, let className):
            "\(path.isEmpty ? "the application" : path) refers to a \(className) without a restoration identifier"
        case .lint(let path, let key, let lint): "\(path.isEmpty ? "the application" : path), key \(key): \(lint)"
        case .restoringDeclined: "the app does not want its state restored"
        case .found(let path, let lookUp): "found \(path)\(lookUp.words)"
        case .missing(let path, let absence): "\(path) is missing: \(absence.words)"
        case .misnamed(let path, let identifier):
            "\(path) has \(identifier.map { "the restoration identifier \($0)" } ?? "no restoration identifier") now"
        case .otherClass(let path, let saved, let found): "\(path) was a \(saved) and is a \(found): it gets no state"
        case .decoded(let path): "decoded \(path)"
        case .failed(let path, let reason): "\(path) could not take its state: \(reason)"
        case .refusedClass(let path, let key, let className):
            "\(path.isEmpty ? "the application" : path), key \(key): a \(className) is not allowed there"
        case .truncated(let path, let kept, let count): "\(path) ends after \(kept) of \(count) view controllers"
        case .finished: "restoring is complete"
        case .hasToExit:
            "the archive could not be read at launch: the state is not saved over it, and the process has to exit"
        case .launched(let result): "launched: \(result)"
        }
    }
}

extension RestorationEvent.LookUp {
    fileprivate var words: String {
        switch self {
        case .restorationClass: " by its restoration class"
        case .delegate: " by the delegate"
        case .implicit: ", which was there"
        case .storyboard: " in its storyboard"
        case .registered: ", which is registered"
        }
    }
}

extension RestorationEvent.Absence {
    fileprivate var words: String {
        switch self {
        case .declined: "its restoration class does not want it"
        case .unknownClass(let name): "there is no restoration class \(name) in the environment"
        case .ambiguousClass(let name, let classes):
            "\(classes.count) restoration classes in the environment have the name \(name): \(classes.joined(separator: ", "))"
        case .notFound: "nothing made it and nothing had it"
        }
    }
}

extension RestorationLint: CustomStringConvertible {
    /// What is unwise.
    public var description: String {
        switch self {
        case .large(let bytes, let budget): "\(bytes) bytes, more than the \(budget) that are wise"
        case .many(let elements, let budget): "\(elements) values, more than the \(budget) that are wise"
        case .unwritable: "no archive can hold it, and it is not written"
        case .unsupported(let what): "cannot be saved: \(what)"
        case .reservedKey: "a reserved key, which is not the app's to write"
        }
    }
}

extension LaunchResult: CustomStringConvertible {
    /// What the launch found.
    public var description: String {
        switch self {
        case .nothingSaved: "nothing was saved"
        case .declined: "the app did not want its state back"
        case .restored(let restoration):
            "\(restoration.restored.count) restored, \(restoration.missing.count) missing, \(restoration.failed.count) failed"
        case .placeOnly: "only the place of the state fits this device, and waits"
        case .incompatible: "nothing of the state fits this device"
        case .locked: "the device is locked: the process has to exit once its work is done"
        case .crashedBefore: "an earlier launch did not survive the state, which is not restored"
        case .unreadable(let reason): "the state cannot be read: \(reason)"
        }
    }
}
