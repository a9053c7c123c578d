/// All that saving and restoring an app's state has to know of the app: its delegate, what can be made anew, and the
/// objects that it registered.
@MainActor
public final class RestorationEnvironment {
    /// The application's part. Without one, nothing is saved or restored (row 1).
    public weak var delegate: (any ApplicationRestorationDelegate)?

    /// What makes objects anew, by the names that archives have.
    private(set) var restorationClasses = ClassTable<any RestorationClass.Type>()

    /// The storyboards, by name.
    public private(set) var storyboards: [String: Storyboard] = [:]

    /// The classes whose objects are saved by copy, by the names that archives have.
    var copyableClasses = FoundationCopy.classes

    /// What an object should keep to in what it saves (row 66).
    public var budget = StateBudget()

    /// Hears of each step.
    public var log: (any RestorationLog)? {
        didSet { addConsole() }
    }
    /// Hears of each step as well, where logging was switched on from outside.
    var console: (any RestorationLog)? {
        didSet { addConsole() }
    }

    let registered = ObjectRegistry()
    /// How often restoring was extended and not completed.
    var extensions = 0
    var completions: [@MainActor () -> Void] = []
    var isOverdue = false
    var isSaving = false
    var ignoresSnapshot = false

    /// Makes an environment.
    public init(
        delegate: (any ApplicationRestorationDelegate)? = nil, restorationClasses: [any RestorationClass.Type] = [],
        storyboards: [Storyboard] = [], log: (any RestorationLog)? = nil
    ) {
        self.delegate = delegate
        self.log = log
        for type in restorationClasses { add(type) }
        for storyboard in storyboards { add(storyboard) }
    }

    /// Lists a restoration class, so that an archive's name leads to it. Where several classes have one name, nothing is
    /// made of that name, and the log tells. Saving an object of such a class fails as a whole
    /// (`PreservationError.ambiguousClassName`).
    public func add(_ type: any RestorationClass.Type) {
        restorationClasses.add(type, for: type, named: type.restorationClassName)
    }

    private func addConsole() {
        guard let console, !(log is RelayedLog) else { return }
        log = RelayedLog(log, console)
    }

    /// Lists a storyboard.
    public func add(_ storyboard: Storyboard) { storyboards[storyboard.name] = storyboard }

    /// Lets an object take part that is neither a view controller nor a view (row 34). It is not kept alive by this.
    ///
    /// Its path is its restoration parent's, if that has one, and `identifier`. An object that was registered before at
    /// that path gives way.
    public func registerObject(_ object: any StateRestoring, restorationIdentifier identifier: String) {
        registered.add(object, identifier: identifier)
    }
}
