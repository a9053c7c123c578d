public import PlacekeeperArchive

/// The public state of a view controller or a view that an app asked to read. The UIKit adapter creates the nodes.
public struct InterfaceNode: Sendable, Hashable {
    /// The kind of an object.
    public enum Kind: Sendable, Hashable {
        /// A view controller.
        case viewController
        /// A view.
        case view
    }

    /// The text of a field, with the facts that decide whether it may be captured.
    public struct Text: Sendable, Hashable {
        /// The text.
        public var text: String
        /// Whether the field hides its text, or its content type is a password, a code or a part of a payment card.
        public var isSecure: Bool
        /// Whether the user is editing the text. Otherwise the text is the app's data, and isn't captured.
        public var isEditing: Bool

        /// Creates a text.
        public init(_ text: String, isSecure: Bool, isEditing: Bool) {
            self.text = text
            self.isSecure = isSecure
            self.isEditing = isEditing
        }
    }

    /// The kind.
    public var kind: Kind
    /// The restoration identifier. Nil if the object itself isn't captured.
    public var identifier: String?
    /// The name of the class.
    public var className: String
    /// Values, such as a scroll position.
    public var values: [String: StateValue]
    /// The text, if the object is a text field or a text view.
    public var text: Text?
    /// The object's children, in order.
    public var children: [InterfaceNode]

    /// Creates a node.
    public init(
        _ kind: Kind, _ identifier: String?, className: String, values: [String: StateValue] = [:], text: Text? = nil,
        children: [InterfaceNode] = []
    ) {
        self.kind = kind
        self.identifier = identifier
        self.className = className
        self.values = values
        self.text = text
        self.children = children
    }
}

extension InterfaceNode {
    /// The captured objects of the hierarchy, for `StateArchive.objects`. As in UIKit, objects inside a view controller
    /// without an identifier are left out. Text is never captured from a secure field, from a field whose identifier is
    /// on the deny-list, or from a field that nobody is editing.
    public func objects(_ denyList: DenyList = .standard) -> [RestorableObject] {
        var objects: [RestorableObject] = []
        var paths: Set<String> = []
        // Use a stack, because a hierarchy may be deeper than recursion allows.
        var stack: [(node: InterfaceNode, path: String)] = [(self, "")]
        while let (node, parent) = stack.popLast() {
            guard let identifier = node.identifier, !identifier.contains("/"), !identifier.isEmpty else {
                if node.kind == .view { stack += node.children.reversed().map { ($0, parent) } }
                continue
            }
            let path = parent.isEmpty ? identifier : parent + "/" + identifier
            // If two objects have the same path, the second can't be distinguished from the first.
            guard paths.insert(path).inserted else { continue }
            objects.append(
                RestorableObject(
                    path: path, kind: node.kind == .view ? .view : .viewController, className: node.className,
                    state: node.state(denyList)))
            stack += node.children.reversed().map { ($0, path) }
        }
        return objects
    }

    private func state(_ denyList: DenyList) -> [String: StateValue] {
        var state = values.filter { !denyList.denies($0.key) }
        if let text, text.isEditing, !text.isSecure, identifier.map({ denyList.denies($0) }) == false {
            state["text"] = .string(text.text)
        }
        return state
    }
}
