/// An object as it stands in the interface.
struct InterfaceObject {
    let object: any StateRestoring
    let path: String
    let kind: Kind
    /// Whether a view controller that it stands in has no identifier.
    let isHidden: Bool

    enum Kind {
        case viewController, view
    }
}

/// Goes through an interface from the top: each window before its root, each view controller before its views, the views
/// before its children, and the presented view controller last. Nothing here calls itself: interfaces may be deep.
///
/// A view controller's view is loaded before anything else is asked of the view controller.
@MainActor
struct InterfaceWalk {
    private struct Visit {
        let object: any StateRestoring
        let kind: InterfaceObject.Kind
        /// The path of what it stands in; empty for a root.
        let prefix: String
        /// Its place among siblings of the same identifier, where the parent tells them apart by it.
        let index: Int?
        let isHidden: Bool
    }

    private var stack: [Visit] = []
    /// Whether all that has an identifier is met: what stands below an object without one as well, as if that were not
    /// there, and what would not be saved now.
    private let entersUnnamed: Bool
    private var visited: Set<ObjectIdentifier> = []

    init(_ roots: [any RestorableViewController], entersUnnamed: Bool) {
        self.entersUnnamed = entersUnnamed
        for root in roots.reversed() {
            let window = root.restorableWindow
            let prefix = window?.restorationIdentifier ?? ""
            stack.append(Visit(object: root, kind: .viewController, prefix: prefix, index: nil, isHidden: false))
            guard let window else { continue }
            stack.append(Visit(object: window, kind: .view, prefix: "", index: nil, isHidden: false))
        }
    }

    /// Walks what stands below an object at a path, but not the object itself.
    init(below object: any StateRestoring, at path: String, entersUnnamed: Bool) {
        self.entersUnnamed = entersUnnamed
        visited.insert(ObjectIdentifier(object))
        (object as? any RestorableViewController)?.loadViewIfNeeded()
        enter(object, path: path, isHidden: false)
    }

    /// The next object that has an identifier. One that stands in two places is met once.
    mutating func next() -> InterfaceObject? {
        while let visit = stack.popLast() {
            guard visited.insert(ObjectIdentifier(visit.object)).inserted else { continue }
            let object = visit.object
            (object as? any RestorableViewController)?.loadViewIfNeeded()
            guard let identifier = entersUnnamed ? object.restorationIdentifier : object.savedIdentifier else {
                // A view without one is mere layout; a view controller hides all that it has (row 7).
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
            if let presented = viewController.restorablePresented { push(presented, .viewController) }
            let children = viewController.restorableChildren
            // Siblings are told apart by identifiers that their views may set.
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
