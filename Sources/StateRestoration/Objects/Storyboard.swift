/// A named set of templates that view controllers are made from: what a storyboard file is to UIKit (row 17).
@MainActor
public final class Storyboard {
    /// The name that archives hold.
    public let name: String
    private var templates: [String: () -> any RestorableViewController] = [:]

    /// Makes an empty storyboard.
    public init(name: String) { self.name = name }

    /// Adds a template. What it makes should tell of it by `storyboardOrigin`.
    public func add(identifier: String, _ make: @escaping @MainActor (StoryboardOrigin) -> any RestorableViewController)
    {
        templates[identifier] = { [unowned self] in make(StoryboardOrigin(storyboard: self, identifier: identifier)) }
    }

    /// Makes a view controller; nil when there is no such template.
    public func instantiateViewController(withIdentifier identifier: String) -> (any RestorableViewController)? {
        templates[identifier]?()
    }
}

/// Where a view controller was made.
public struct StoryboardOrigin {
    /// The storyboard.
    public var storyboard: Storyboard
    /// The template's identifier in it, which need not be the restoration identifier.
    public var identifier: String

    /// Names a template of a storyboard.
    public init(storyboard: Storyboard, identifier: String) {
        self.storyboard = storyboard
        self.identifier = identifier
    }
}
