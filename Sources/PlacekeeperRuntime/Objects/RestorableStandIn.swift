/// An object that stands in for an object of a user interface framework, whose class doesn't conform to
/// `StateRestoring`. Archives contain the name of the represented object's class.
@MainActor
package protocol RestorableStandIn: StateRestoring {
    /// The represented object. `nil` once the app has released it.
    var represented: AnyObject? { get }
}

/// A user interface framework whose objects are restored through stand-ins.
@MainActor
package protocol RestorationFramework: SendableMetatype {
    /// Returns the stand-in of an object. `nil` if the object isn't restorable, so that it is saved by copy.
    static func standIn(for object: Any) -> (any StateRestoring)?
    /// Returns the framework's storyboard.
    static func storyboard(for storyboard: Storyboard) -> AnyObject
}
