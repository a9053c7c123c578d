/// An object whose state is saved and restored: a view controller, a view, or another object of the interface.
///
/// Only objects with a restoration identifier are saved (seed row 6). All members have defaults: an object that is
/// only referred to needs no code (row 34).
@MainActor
public protocol StateRestoring: AnyObject {
    /// The name of the object among its siblings. If it is nil, the default, the object and all objects below it are
    /// not saved (rows 6 and 7). An identifier must not contain `/`, which separates the identifiers of a path.
    var restorationIdentifier: String? { get }

    /// The object whose path precedes this object's identifier: the object that contains it, or that scopes its
    /// identifier (row 35). Nil, the default, for a root.
    var restorationParent: (any StateRestoring)? { get }

    /// The class that recreates the object at launch. Without a restoration class, the object must already exist, or
    /// the delegate or a storyboard makes it (rows 14 to 18).
    var restorationClass: (any RestorationClass.Type)? { get }

    /// Saves the state that is needed to show the object as it is now: identifiers and choices, never the model's
    /// data (row 66).
    func encodeRestorableState(with coder: StateEncoder)

    /// Restores the state that `encodeRestorableState(with:)` saved. All objects exist at this point, but not all
    /// have decoded their state. Do work that depends on other objects' state in
    /// `applicationFinishedRestoringState()`.
    ///
    /// If this method throws, only this object's state is not restored, and the log records its path.
    func decodeRestorableState(with coder: StateDecoder) throws

    /// Called after all objects were created and decoded (row 37).
    func applicationFinishedRestoringState()
}

extension StateRestoring {
    /// The identifier under which the object is saved. Nil if it is not saved.
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
