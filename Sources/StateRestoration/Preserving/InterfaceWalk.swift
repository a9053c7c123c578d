/// An object as it stands in the interface.
struct InterfaceObject {
    let object: any StateRestoring
    let path: String
    let kind: Kind

    enum Kind {
        case viewController, view
    }
}

/// Goes through an interface from the top, each view controller before its views, those before its children, and last
/// what it presents. Nothing here calls itself: interfaces may be deep.
@MainActor
struct InterfaceWalk {
    private struct Visit {
        let object: any StateRestoring
        let kind: InterfaceObject.Kind
        /// The path of what it stands in; empty for a root.
        let prefix: String
        /// Its place among siblings of the same identifier, where the parent tells them apart by it.
        let index: Int?
    }

    private var stack: [Visit] = []
    /// Whether what stands below an object without an identifier is looked at as well, as if that were not there.
    private let entersUnnamed: Bool
    private var visited: Set<ObjectIdentifier> = []

    init(_ roots: [any RestorableViewController], entersUnnamed: Bool) {
        self.entersUnnamed = entersUnnamed
        for root in roots.reversed() {
            stack.append(Visit(object: root, kind: .viewController, prefix: "", index: nil))
        }
    }

    /// Walks what stands below an object at a path, but not the object itself.
    init(below object: any StateRestoring, at path: String, entersUnnamed: Bool) {
        self.entersUnnamed = entersUnnamed
        visited.insert(ObjectIdentifier(object))
        enter(object, path: path)
    }

    /// The next object that has an identifier. One that stands in two places is met once.
    mutating func next() -> InterfaceObject? {
        while let visit = stack.popLast() {
            guard visited.insert(ObjectIdentifier(visit.object)).inserted else { continue }
            guard let identifier = visit.object.savedIdentifier else {
                // A view without one is mere layout; a view controller hides all that it has (row 7).
                if entersUnnamed || visit.kind == .view { enter(visit.object, path: visit.prefix) }
                continue
            }
            let path = RestorationPath.join(visit.prefix, identifier, index: visit.index)
            enter(visit.object, path: path)
            return InterfaceObject(object: visit.object, path: path, kind: visit.kind)
        }
        return nil
    }

    private mutating func enter(_ object: any StateRestoring, path: String) {
        if let viewController = object as? any RestorableViewController {
            if let presented = viewController.restorablePresented {
                stack.append(Visit(object: presented, kind: .viewController, prefix: path, index: nil))
            }
            let children = viewController.restorableChildren
            let indices = RestorationPath.disambiguation(of: children, in: viewController)
            for (index, child) in children.enumerated().reversed() {
                let index = indices.contains(index) ? index : nil
                stack.append(Visit(object: child, kind: .viewController, prefix: path, index: index))
            }
            push(viewController.restorableViews, prefix: path)
        } else if let view = object as? any RestorableView {
            push(view.restorableSubviews, prefix: path)
        }
    }

    private mutating func push(_ views: [any RestorableView], prefix: String) {
        for view in views.reversed() { stack.append(Visit(object: view, kind: .view, prefix: prefix, index: nil)) }
    }
}
