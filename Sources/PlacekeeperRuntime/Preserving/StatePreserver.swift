public import PlacekeeperArchive

/// Saves the state of an app's interface: asks the delegate whether to save, visits the interface from its roots, and
/// follows references to other objects (seed rows 2 to 10).
@MainActor
public struct StatePreserver {
    private let environment: RestorationEnvironment
    private let roots: @MainActor () -> [any RestorableViewController]
    private let context: EncodingContext
    private let omissions = Omissions()

    /// The values left out of the archive. Read them after `preserve()`.
    package var omittedValues: [OmittedValue] { omissions.list }

    @MainActor
    private final class Omissions {
        var list: [OmittedValue] = []
    }

    /// Creates a preserver.
    /// - Parameters:
    ///   - environment: The app's environment.
    ///   - roots: Returns the windows' root view controllers, in order. Called once, after
    ///     `willEncodeRestorableState(with:)`, which may change them.
    ///   - device: The device's idiom, layout and versions.
    ///   - timestamp: The time of saving, in seconds since the start of 2001, UTC.
    public init(
        _ environment: RestorationEnvironment,
        roots: @escaping @MainActor () -> [any RestorableViewController], device: RestorationContext,
        timestamp: Double
    ) {
        self.environment = environment
        self.roots = roots
        context = EncodingContext(device: device, timestamp: timestamp)
        context.budget = environment.budget
        let omissions = self.omissions
        context.lint = { [log = environment.log] path, key, lint in
            log?.record(.lint(path: path, key: key, lint))
            if lint.isOmission { omissions.list.append(.init(path: path, key: key, lint: lint)) }
        }
    }

    /// Saves the state. Call this once.
    /// - Returns: The archive. `nil` if the delegate declines to save, or if there is no delegate (row 1).
    /// - Throws: An error that names the invalid identifier, the duplicate path or the ambiguous class name.
    public func preserve() throws(PreservationError) -> StateArchive? {
        let session = PreservationSession(environment, context)
        let application = StateEncoder(context, path: "")
        guard let delegate = environment.delegate, delegate.shouldSaveSecureApplicationState(application) else {
            environment.log?.record(.savingDeclined)
            return nil
        }
        environment.isSaving = true
        environment.ignoresSnapshot = false
        defer { environment.isSaving = false }
        delegate.willEncodeRestorableState(with: application)
        let roots = roots()
        try session.add(roots)
        let objects = try session.encodeAll()
        let place = PlaceEncoder(context)
        if !delegate.encodePlace(with: place) { place.walk(roots) }
        // A snapshot with a screen that won't be restored must not be shown (row 57).
        if let shown = session.shown(of: roots), !environment.ignoresSnapshot {
            application.encodeStructure(.array(shown.map { .object(path: $0) }), forKey: ReservedKey.shown)
        } else {
            application.encodeStructure(.boolean(true), forKey: ReservedKey.ignoresSnapshot)
        }
        return StateArchive(
            bundleVersion: context.device.bundleVersion, idiom: context.device.idiom.rawValue,
            timestamp: context.timestamp,
            systemVersion: context.device.systemVersion, stateVersion: context.device.stateVersion,
            layout: context.device.layout, application: session.settled(application.state), objects: objects,
            instances: context.instances, references: context.references, place: place.place)
    }
}
