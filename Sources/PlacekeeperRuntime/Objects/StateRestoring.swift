/// An object whose state is saved and restored: a view controller, a view, or another object of the interface.
///
/// Only objects with a restoration identifier are saved (seed row 6). All members have defaults: an object that the app
/// registers only as a target of references does not need to implement any member (row 34).
@MainActor
public protocol StateRestoring: AnyObject {
    /// The name of the object among its siblings. The default is nil: the object is not saved. If a view controller has
    /// no identifier, the objects inside it are not saved either (rows 6 and 7), unless saved state refers to these
    /// objects. An identifier must not contain `/`, which separates the identifiers of a path.
    var restorationIdentifier: String? { get }

    /// The object whose path precedes this object's identifier in this object's path: the container, or another object
    /// within which the identifier is unique (row 35). The default is nil: the object is a root.
    var restorationParent: (any StateRestoring)? { get }

    /// The class that recreates the object at launch. Without a restoration class, the object must already exist, or
    /// the delegate or a storyboard must make it (rows 14 to 18).
    var restorationClass: (any RestorationClass.Type)? { get }

    /// Saves the state that is needed to show the object as it is now: identifiers and the person's choices, never the
    /// model's data (row 66).
    func encodeRestorableState(with coder: StateEncoder)

    /// Restores the state that `encodeRestorableState(with:)` saved. All objects exist already, but the state of
    /// some other objects is possibly not decoded yet. Work that depends on the state of other objects belongs in
    /// `applicationFinishedRestoringState()`.
    ///
    /// If this method throws an error, the state of this object is not restored, and the environment's log records the
    /// path of this object. The other objects are restored.
    func decodeRestorableState(with coder: StateDecoder) throws

    /// The runtime calls this method after all objects were created and their state was decoded (row 37).
    func applicationFinishedRestoringState()
}

extension StateRestoring {
    /// The restoration identifier under which the object is saved. Nil if the object has no restoration identifier, or
    /// is a transient view controller.
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
