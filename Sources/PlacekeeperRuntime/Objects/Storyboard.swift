/// A named set of templates for view controllers, like a UIKit storyboard file (seed row 17).
@MainActor
public final class Storyboard {
    /// The storyboard's name in archives.
    public let name: String
    private var templates: [String: () -> any RestorableViewController] = [:]

    /// Creates an empty storyboard.
    public init(name: String) { self.name = name }

    /// Adds a template. `make` creates a view controller, whose `storyboardOrigin` should be the origin passed to
    /// `make`.
    public func add(identifier: String, _ make: @escaping @MainActor (StoryboardOrigin) -> any RestorableViewController)
    {
        // A strong reference would be a cycle, because the storyboard owns the closure. Only
        // `instantiateViewController(withIdentifier:)` calls it, so the storyboard is alive then.
        templates[identifier] = { [unowned self] in make(StoryboardOrigin(storyboard: self, identifier: identifier)) }
    }

    /// Makes a view controller. `nil` if the storyboard has no template with this identifier.
    public func instantiateViewController(withIdentifier identifier: String) -> (any RestorableViewController)? {
        templates[identifier]?()
    }
}

/// The storyboard template that made a view controller.
public struct StoryboardOrigin {
    /// The storyboard that contains the template.
    public var storyboard: Storyboard
    /// The template's identifier in the storyboard, which can differ from the view controller's restoration identifier.
    public var identifier: String

    /// Creates an origin.
    public init(storyboard: Storyboard, identifier: String) {
        self.storyboard = storyboard
        self.identifier = identifier
    }
}
