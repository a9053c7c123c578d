/// An object whose state is saved and restored: a view controller, a view, or another object of the interface.
///
/// Only objects with a restoration identifier are saved (seed row 6). All members have defaults. An object that the app
/// registers only as the target of references need not implement any of them (row 34).
@MainActor
public protocol StateRestoring: AnyObject {
    /// The object's name among its siblings. `nil` by default: the object is not saved. If a view controller has no
    /// identifier, the objects inside it are not saved either (rows 6 and 7), unless saved state refers to them. Must
    /// not contain `/`, which separates the identifiers of a path.
    var restorationIdentifier: String? { get }

    /// The container, or another object within which the identifier is unique (row 35). Its path precedes the
    /// identifier in this object's path. `nil` by default: the object is a root.
    var restorationParent: (any StateRestoring)? { get }

    /// The class that recreates the object at launch. Without one, the object must already exist, or the delegate or a
    /// storyboard must make it (rows 14 to 18).
    var restorationClass: (any RestorationClass.Type)? { get }

    /// Saves what is needed to show the object as it is now: identifiers and the person's choices, never the model's
    /// data (row 66).
    func encodeRestorableState(with coder: StateEncoder)

    /// Restores what `encodeRestorableState(with:)` saved. All objects exist by now, but some may not have decoded
    /// their state yet; work that depends on them belongs in `applicationFinishedRestoringState()`.
    ///
    /// If this method throws, the object's state is not restored, and the environment's log records its path. Other
    /// objects are not affected.
    func decodeRestorableState(with coder: StateDecoder) throws

    /// Called after all objects were created and their state was decoded (row 37).
    func applicationFinishedRestoringState()
}

extension StateRestoring {
    /// The restoration identifier under which the object is saved. `nil` if it has none, or if it is a transient view
    /// controller.
    var savedIdentifier: String? {
        guard let identifier = restorationIdentifier else { return nil }
        return (self as? any RestorableViewController)?.isTransient == true ? nil : identifier
    }

    /// Nil: the object is not saved.
    public var restorationIdentifier: String? { nil }
    /// Nil: the object is a root.
    public var restorationParent: (any StateRestoring)? { nil }
    /// Nil.
    public var restorationClass: (any RestorationClass.Type)? { nil }
    /// Saves nothing.
    public func encodeRestorableState(with coder: StateEncoder) {}
    /// Restores nothing.
    public func decodeRestorableState(with coder: StateDecoder) throws {}
    /// Does nothing.
    public func applicationFinishedRestoringState() {}
}
