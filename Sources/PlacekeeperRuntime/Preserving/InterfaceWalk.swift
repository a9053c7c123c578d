/// An object of the interface, with its path.
struct InterfaceObject {
    let object: any StateRestoring
    let path: String
    let kind: Kind
    /// Whether the object is inside a view controller without an identifier.
    let isHidden: Bool

    enum Kind {
        case viewController, view
    }
}

/// Visits the objects of an interface from the top: a window, its root view controller, the root's views, its children,
/// and last its presented view controller. Not recursive, so a deeply nested interface does not overflow the stack.
///
/// Loads the view of a view controller before reading its identifier, views and children.
@MainActor
struct InterfaceWalk {
    private struct Visit {
        let object: any StateRestoring
        let kind: InterfaceObject.Kind
        /// The parent's path. Empty for a root.
        let prefix: String
        /// The object's index among its siblings, if the parent tells apart siblings with equal identifiers.
        let index: Int?
        let isHidden: Bool
    }

    private var stack: [Visit] = []
    /// Whether to visit all objects with an identifier, including transient ones and those inside a view controller
    /// without an identifier. That view controller is not part of their paths.
    private let entersUnnamed: Bool
    private var visited: Set<ObjectIdentifier> = []
    /// Returns the view controller that waits until its presenter presents nothing else.
    private let waiting: Waiting

    typealias Waiting = @MainActor (any RestorableViewController) -> (any RestorableViewController)?

    init(
        _ roots: [any RestorableViewController], entersUnnamed: Bool, waiting: @escaping Waiting = { _ in nil }
    ) {
        self.entersUnnamed = entersUnnamed
        self.waiting = waiting
        for root in roots.reversed() {
            let window = root.restorableWindow
            let prefix = window?.restorationIdentifier ?? ""
            stack.append(Visit(object: root, kind: .viewController, prefix: prefix, index: nil, isHidden: false))
            guard let window else { continue }
            stack.append(Visit(object: window, kind: .view, prefix: "", index: nil, isHidden: false))
        }
    }

    /// Creates a walk that visits the objects inside an object whose path is known, but not the object itself.
    init(
        below object: any StateRestoring, at path: String, entersUnnamed: Bool,
        waiting: @escaping Waiting = { _ in nil }
    ) {
        self.entersUnnamed = entersUnnamed
        self.waiting = waiting
        visited.insert(ObjectIdentifier(object))
        (object as? any RestorableViewController)?.loadViewIfNeeded()
        enter(object, path: path, isHidden: false)
    }

    /// Returns the next object with an identifier, each once. `nil` at the end.
    mutating func next() -> InterfaceObject? {
        while let visit = stack.popLast() {
            guard visited.insert(ObjectIdentifier(visit.object)).inserted else { continue }
            let object = visit.object
            (object as? any RestorableViewController)?.loadViewIfNeeded()
            guard let identifier = entersUnnamed ? object.restorationIdentifier : object.savedIdentifier else {
                // A view without an identifier is only layout, so enter it. A view controller without an identifier
                // hides all objects inside it (seed row 7).
                let hides = visit.kind == .viewController
                if entersUnnamed || !hides { enter(object, path: visit.prefix, isHidden: visit.isHidden || hides) }
                continue
            }
            let path = RestorationPath.join(visit.prefix, identifier, index: visit.index)
            enter(object, path: path, isHidden: visit.isHidden)
            return InterfaceObject(object: object, path: path, kind: visit.kind, isHidden: visit.isHidden)
        }
        return nil
    }

    private mutating func enter(_ object: any StateRestoring, path: String, isHidden: Bool) {
        func push(_ object: any StateRestoring, _ kind: InterfaceObject.Kind, index: Int? = nil) {
            stack.append(Visit(object: object, kind: kind, prefix: path, index: index, isHidden: isHidden))
        }
        if let viewController = object as? any RestorableViewController {
            if let waiting = waiting(viewController) { push(waiting, .viewController) }
            if let presented = viewController.restorablePresented { push(presented, .viewController) }
            let children = viewController.restorableChildren
            // Load all children's views first: a view controller may set its identifier in `viewDidLoad`.
            for child in children { child.loadViewIfNeeded() }
            let indices = RestorationPath.disambiguation(of: children, in: viewController)
            for (index, child) in children.enumerated().reversed() {
                push(child, .viewController, index: indices.contains(index) ? index : nil)
            }
            for view in viewController.restorableViews.reversed() { push(view, .view) }
        } else if let view = object as? any RestorableView {
            for view in view.restorableSubviews.reversed() { push(view, .view) }
        }
    }
}
