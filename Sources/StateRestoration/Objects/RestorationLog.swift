/// Hears what is done while state is saved and restored, step by step (row 50).
@MainActor
public protocol RestorationLog: AnyObject {
    /// A step was taken.
    func record(_ event: RestorationEvent)
}

/// A step of saving or restoring.
public enum RestorationEvent: Sendable, Hashable {
    /// The app does not want its state saved.
    case savingDeclined
    /// An object was saved.
    case saved(path: String, className: String)
    /// A reference leads to an object that cannot be saved, since it has no identifier.
    case unsavedReference(from: String, className: String)
    /// An object saves more, or other things, than it should.
    case lint(path: String, key: String, RestorationLint)
    /// The app does not want its state restored.
    case restoringDeclined
    /// An object was found or made.
    case found(path: String, by: LookUp)
    /// An object was not found, or is not wanted any more.
    case missing(path: String, Absence)
    /// An object was found that has another identifier than the path it was asked for: it will not be saved there again.
    case misnamed(path: String, identifier: String?)
    /// An object is of another class than the one that was saved, and gets no state.
    case otherClass(path: String, saved: String, found: String)
    /// An object got its state.
    case decoded(path: String)
    /// An object could not take its state.
    case failed(path: String, reason: String)
    /// An object under a key is, or holds, one of a class that the decoding code did not allow (row 77).
    case refusedClass(path: String, key: String, className: String)
    /// A stack ends earlier than it did.
    case truncated(path: String, kept: Int, of: Int)
    /// Everything is restored.
    case finished
    /// State is not saved, since the archive could not be read at launch: the process has to exit.
    case hasToExit
    /// The app was launched.
    case launched(LaunchResult)

    /// How an object was found.
    public enum LookUp: Sendable, Hashable {
        /// Its restoration class made it (row 14).
        case restorationClass
        /// The delegate gave it (row 15).
        case delegate
        /// It was there (row 16).
        case implicit
        /// It was made from its storyboard (row 17).
        case storyboard
        /// The app had registered it (row 34).
        case registered
    }

    /// Why an object was not found.
    public enum Absence: Sendable, Hashable {
        /// Its restoration class did not want it.
        case declined
        /// There is no restoration class of that name in the environment.
        case unknownClass(String)
        /// Several restoration classes in the environment have that name (row 74).
        case ambiguousClass(String, classes: [String])
        /// Nothing made it and nothing had it.
        case notFound
    }
}
