/// Everything of an app that the runtime needs to save and restore state: the delegate, restoration classes,
/// storyboards and registered objects.
@MainActor
public final class RestorationEnvironment {
    /// The app's delegate. Without a delegate, nothing is saved or restored (seed row 1).
    public weak var delegate: (any ApplicationRestorationDelegate)?

    /// The restoration classes, by their names in archives.
    private(set) var restorationClasses = ClassTable<any RestorationClass.Type>()

    /// The storyboards, by name.
    public private(set) var storyboards: [String: Storyboard] = [:]

    /// Classes whose objects are saved by copy, by their names in archives.
    var copyableClasses = FoundationCopy.classes

    /// Recommended limits for the state of an object (row 66).
    public var budget = StateBudget()

    /// Receives each step of saving and restoring.
    public var log: (any RestorationLog)? {
        didSet { addConsole() }
    }
    /// The console log, if `RestorableApplication.Configuration.isLogging` is true.
    var console: (any RestorationLog)? {
        didSet { addConsole() }
    }

    /// Returns a restoration class that the app need not list, by its name in archives.
    package var findRestorationClass: (@MainActor (String) -> (any RestorationClass.Type)?)?

    let registered = ObjectRegistry()
    /// How many calls of `extendStateRestoration()` have not been ended by `completeStateRestoration()`.
    var extensions = 0
    var completions: [@MainActor () -> Void] = []
    /// The restored view controllers that wait to be presented.
    var waitingPresentations: [WaitingPresentation] = []
    var isOverdue = false
    var isSaving = false
    var ignoresSnapshot = false

    /// Creates an environment.
    public init(
        delegate: (any ApplicationRestorationDelegate)? = nil, restorationClasses: [any RestorationClass.Type] = [],
        storyboards: [Storyboard] = [], log: (any RestorationLog)? = nil
    ) {
        self.delegate = delegate
        self.log = log
        for type in restorationClasses { add(type) }
        for storyboard in storyboards { add(storyboard) }
    }

    /// Lists a restoration class, so that the runtime can find it by its name in an archive.
    ///
    /// If several classes share a name, objects with such a restoration class are not restored, and the log reports the
    /// ambiguous name. Saving them fails with `PreservationError.ambiguousClassName`.
    public func add(_ type: any RestorationClass.Type) {
        restorationClasses.add(type, for: type, named: type.restorationClassName)
    }

    /// The restoration classes that need no registration.
    private static var standardClasses = ClassTable<any RestorationClass.Type>()

    /// Lists a restoration class of this library for all environments.
    package static func addStandard(_ type: any RestorationClass.Type) {
        standardClasses.add(type, for: type, named: type.restorationClassName)
    }

    /// Returns the restoration class with a name in archives: one that the app lists, a standard class, or one that
    /// `findRestorationClass` returns.
    func restorationClass(named name: String) -> ClassTable<any RestorationClass.Type>.Finding {
        guard case .unlisted = restorationClasses[name] else { return restorationClasses[name] }
        if case .unlisted = Self.standardClasses[name], let found = findRestorationClass?(name) { return .found(found) }
        return Self.standardClasses[name]
    }

    private func addConsole() {
        guard let console, !(log is RelayedLog) else { return }
        log = RelayedLog(log, console)
    }

    /// Adds a storyboard.
    public func add(_ storyboard: Storyboard) { storyboards[storyboard.name] = storyboard }

    /// Registers an object that is neither a view controller nor a view, so that it is saved and restored (row 34). The
    /// environment keeps only a weak reference.
    ///
    /// The object's path is `identifier`, preceded by the path of its restoration parent, if any. It replaces an object
    /// registered earlier under the same path.
    public func registerObject(_ object: any StateRestoring, restorationIdentifier identifier: String) {
        registered.add(object, identifier: identifier)
    }
}
