/// An object whose state is saved and restored: a view controller, a view, or any other that takes part in the interface.
///
/// Only what has a restoration identifier is saved (seed row 6). Everything here has a default, so that an object that is
/// only referred to needs no code at all (row 34).
@MainActor
public protocol StateRestoring: AnyObject {
    /// What names the object among its siblings; nil, the default, keeps it and all below it from being saved (rows 6
    /// and 7). It has no `/`, which joins the identifiers of a path.
    var restorationIdentifier: String? { get }

    /// The object whose path comes before this one's identifier: what it is shown in, or what scopes its name (row 35).
    /// Nil, the default, for a root.
    var restorationParent: (any StateRestoring)? { get }

    /// What makes the object anew when it was saved. Without one, an object has to be there already, or is made by the
    /// delegate or from a storyboard (rows 14 to 18).
    var restorationClass: (any RestorationClass.Type)? { get }

    /// Saves what is needed to show the object as it is now: identifiers and choices, never the model's data (row 66).
    func encodeRestorableState(with coder: StateEncoder)

    /// Brings back what `encodeRestorableState(with:)` saved. All objects were created, not all of them decoded: what
    /// depends on others' state waits for `applicationFinishedRestoringState()`.
    ///
    /// What is thrown concerns this object alone: the others are restored, and the log names it.
    func decodeRestorableState(with coder: StateDecoder) throws

    /// Every object was created and decoded (row 37).
    func applicationFinishedRestoringState()
}

extension StateRestoring {
    /// The identifier under which the object is saved; nil when it is not.
    var savedIdentifier: String? {
        guard let identifier = restorationIdentifier else { return nil }
        return (self as? any RestorableViewController)?.isTransient == true ? nil : identifier
    }

    /// None: it is not saved.
    public var restorationIdentifier: String? { nil }
    /// What its path comes after.
    public var restorationParent: (any StateRestoring)? { nil }
    /// None.
    public var restorationClass: (any RestorationClass.Type)? { nil }
    /// Saves nothing.
    public func encodeRestorableState(with coder: StateEncoder) {}
    /// Takes nothing back.
    public func decodeRestorableState(with coder: StateDecoder) throws {}
    /// Does nothing.
    public func applicationFinishedRestoringState() {}
}
