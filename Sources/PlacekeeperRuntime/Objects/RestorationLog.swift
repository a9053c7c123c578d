/// Receives the steps of saving and restoring (seed row 50).
@MainActor
public protocol RestorationLog: AnyObject {
    /// Records a step.
    func record(_ event: RestorationEvent)
}

/// A step of saving or restoring.
public enum RestorationEvent: Sendable, Hashable {
    /// The delegate declined to save the state, or the environment has no delegate.
    case savingDeclined
    /// An object was saved.
    case saved(path: String, className: String)
    /// A reference to an object was not saved, because the object has no identifier.
    case unsavedReference(from: String, className: String)
    /// An object encoded a value that exceeds the environment's budget, or a value that cannot be saved.
    case lint(path: String, key: String, RestorationLint)
    /// The delegate declined to restore the state, or the environment has no delegate.
    case restoringDeclined
    /// An object was found or made.
    case found(path: String, by: LookUp)
    /// An object is missing, because it was not found or could not be made.
    case missing(path: String, Absence)
    /// The identifier of a restored object is not the last identifier of the object's path, so the object will not be
    /// saved under this path again.
    case misnamed(path: String, identifier: String?)
    /// An object's class is neither the class that was saved nor a subclass of it, so the state of the object is not
    /// restored.
    case otherClass(path: String, saved: String, found: String)
    /// An object decoded its state.
    case decoded(path: String)
    /// An object failed to restore its state.
    case failed(path: String, reason: String)
    /// A value under a key was refused. The value is, or contains, an object of a class that the decoding code did not
    /// allow (row 77).
    case refusedClass(path: String, key: String, className: String)
    /// A navigation stack was restored only in part.
    case truncated(path: String, kept: Int, of: Int)
    /// A list shows the row at the saved fraction of the list, from 0 to 1, because none of the saved rows is there
    /// (`ListContaining.listFallsBackToFraction`).
    case approximated(path: String, fraction: Double)
    /// The place ended before a screen.
    case placeEnded(before: String, PlaceRestoration.Reason)
    /// Restoration is complete.
    case finished
    /// The state was not saved, because the archive could not be read at launch. The process must exit.
    case hasToExit
    /// The app was launched.
    case launched(LaunchResult)

    /// The way in which an object was found.
    public enum LookUp: Sendable, Hashable {
        /// The object's restoration class made the object (row 14).
        case restorationClass
        /// The delegate provided the object (row 15).
        case delegate
        /// The object already existed (row 16).
        case implicit
        /// The object's storyboard made the object (row 17).
        case storyboard
        /// The app had registered the object (row 34).
        case registered
    }

    /// The reason why an object is missing.
    public enum Absence: Sendable, Hashable {
        /// The object's restoration class returned nil.
        case declined
        /// The environment has no restoration class with this name.
        case unknownClass(String)
        /// Several restoration classes in the environment have this name (row 74).
        case ambiguousClass(String, classes: [String])
        /// No object has the path, and no object was made for this path.
        case notFound
    }
}
