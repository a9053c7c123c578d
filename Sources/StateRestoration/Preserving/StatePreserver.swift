public import KeyedArchive

/// Saves the state of an app's interface: asks the delegate, walks the interface from its roots, and follows references
/// to what the walk did not meet (rows 2 to 10).
@MainActor
public struct StatePreserver {
    private let environment: RestorationEnvironment
    private let roots: @MainActor () -> [any RestorableViewController]
    private let context: EncodingContext

    /// Prepares to save.
    /// - Parameters:
    ///   - environment: what is known of the app.
    ///   - roots: gives the root view controllers of the windows, in order. It is asked once, after `willEncode`, which
    ///     may change them.
    ///   - device: what the device is and runs.
    ///   - timestamp: the time, in seconds since the start of 2001, UTC.
    public init(
        _ environment: RestorationEnvironment,
        roots: @escaping @MainActor () -> [any RestorableViewController], device: RestorationContext,
        timestamp: Double
    ) {
        self.environment = environment
        self.roots = roots
        context = EncodingContext(device: device, timestamp: timestamp)
        context.budget = environment.budget
        context.lint = { [log = environment.log] path, key, lint in
            log?.record(.lint(path: path, key: key, lint))
        }
    }

    /// Saves the state once. Nil when the app does not want that (row 1).
    /// - Throws: what is wrong with the app's identifiers.
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
        // A picture of a screen that does not come back is not shown either (row 57).
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
