public import KeyedArchive

/// Saves the state of an app's interface: asks the delegate, walks the interface from its roots, and follows references
/// to what the walk did not meet (rows 2 to 10).
@MainActor
public struct StatePreserver {
    private let environment: RestorationEnvironment
    private let roots: [any RestorableViewController]
    private let context: EncodingContext

    /// Prepares to save.
    /// - Parameters:
    ///   - environment: what is known of the app.
    ///   - roots: the root view controllers of the windows, in order.
    ///   - device: what the device is and runs.
    ///   - timestamp: the time, in seconds since the start of 2001, UTC.
    public init(
        _ environment: RestorationEnvironment, roots: [any RestorableViewController], device: RestorationContext,
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
        let application = StateEncoder(context, path: "")
        guard let delegate = environment.delegate, delegate.shouldSaveApplicationState(application) else {
            environment.log?.record(.savingDeclined)
            return nil
        }
        environment.isSaving = true
        environment.ignoresSnapshot = false
        defer { environment.isSaving = false }
        let session = PreservationSession(environment, context)
        try session.add(roots)
        delegate.willEncodeRestorableState(with: application)
        let objects = try session.encodeAll()
        let place = PlaceEncoder(context)
        if !delegate.encodePlace(with: place) { place.walk(roots) }
        // What is in front and does not come back must not be promised either (row 57).
        if environment.ignoresSnapshot || Front.of(roots)?.savedIdentifier == nil {
            application.encodeStructure(.boolean(true), forKey: ReservedKey.ignoresSnapshot)
        }
        return StateArchive(
            bundleVersion: context.device.bundleVersion, idiom: context.device.idiom.rawValue,
            timestamp: context.timestamp,
            systemVersion: context.device.systemVersion, stateVersion: context.device.stateVersion,
            layout: context.device.layout, application: application.state, objects: objects,
            instances: context.instances, references: context.references, place: place.place)
    }
}
