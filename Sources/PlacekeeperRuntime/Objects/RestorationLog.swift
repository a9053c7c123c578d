/// Receives the steps of saving and restoring (seed row 50).
@MainActor
public protocol RestorationLog: AnyObject {
    /// Records a step.
    func record(_ event: RestorationEvent)
}

/// A step of saving or restoring.
public enum RestorationEvent: Sendable, Equatable {
    /// The delegate declined to save the state, or there is no delegate.
    case savingDeclined
    /// An object was saved.
    case saved(path: String, className: String)
    /// A reference was not saved, because the object has no identifier.
    case unsavedReference(from: String, className: String)
    /// An object encoded a value that exceeds the environment's budget or cannot be saved.
    case lint(path: String, key: String, RestorationLint)
    /// A restoration class, or a class whose objects are saved by copy, is not listed in the environment, so no launch
    /// can make its objects. Reported once for each class.
    case unlistedClass(String)
    /// The archive was written. The size is in bytes.
    case written(bytes: Int)
    /// The delegate declined to restore the state, or there is no delegate.
    case restoringDeclined
    /// An object was found or made.
    case found(path: String, by: LookUp)
    /// An object was not found or could not be made.
    case missing(path: String, Absence)
    /// The identifier of a restored object is not the last identifier of its path, so it will not be saved under this
    /// path again.
    case misnamed(path: String, identifier: String?)
    /// An object's class is not the saved class or a subclass of it, so its state is not restored.
    case otherClass(path: String, saved: String, found: String)
    /// An object decoded its state.
    case decoded(path: String)
    /// An object failed to restore its state.
    case failed(path: String, reason: String)
    /// A value was refused, because it is or contains an object of a class that the decoding code did not allow (row
    /// 77).
    case refusedClass(path: String, key: String, className: String)
    /// Only part of a navigation stack was restored.
    case truncated(path: String, kept: Int, of: Int)
    /// A view controller does not present the saved one, because this launch presented another. The saved one waits
    /// (`RestorationEnvironment.presentRestored()`).
    case notPresented(by: String, instead: String)
    /// A container keeps the view controllers of this launch, because one of them presents another, and the restored
    /// ones would replace it.
    case notReplaced(path: String, presents: String)
    /// A list has no data source yet, so its saved elements are pending.
    case awaitsDataSource(path: String)
    /// A list is scrolled to its saved fraction, from 0 to 1, because none of the saved rows was found
    /// (`ListContaining.listFallsBackToFraction`).
    case approximated(path: String, fraction: Double)
    /// The place ended before a screen.
    case placeEnded(before: String, PlaceRestoration.Reason)
    /// Restoration is complete.
    case finished
    /// The state was not saved, because the app has not launched yet.
    case notLaunched
    /// The state was not saved, because the archive could not be read at launch. The process must exit.
    case hasToExit
    /// The archive was discarded.
    case discarded
    /// The archive was put into quarantine.
    case quarantined(reason: String)
    /// The person force-quit the app, so the archive and the quarantined archive were discarded.
    case forceQuit
    /// The app was launched.
    case launched(LaunchResult)

    /// How an object was found.
    public enum LookUp: Sendable, Hashable {
        /// Made by the object's restoration class (row 14).
        case restorationClass
        /// Provided by the delegate (row 15).
        case delegate
        /// Already existed (row 16).
        case implicit
        /// Made by the object's storyboard (row 17).
        case storyboard
        /// Registered by the app (row 34).
        case registered
    }

    /// Why an object is missing.
    public enum Absence: Sendable, Equatable {
        /// The object's restoration class returned nil.
        case declined
        /// The environment does not list a restoration class with this name.
        case unknownClass(String)
        /// The environment lists several restoration classes with this name (row 74).
        case ambiguousClass(String, classes: [String])
        /// The container was left out, because none of its saved view controllers exists (row 85).
        case empty
        /// An earlier launch ended while it made the object or restored its state.
        case leftOut
        /// No object has this path, and none could be made for it.
        case notFound
    }
}
