/// The restoration paths of objects. For an object that no `InterfaceWalk` has visited, the path is built from its
/// restoration parents.
@MainActor
struct ObjectPaths {
    private let registered: ObjectRegistry
    private var known: [ObjectIdentifier: String] = [:]

    init(registered: ObjectRegistry) { self.registered = registered }

    mutating func set(_ path: String, of object: any StateRestoring) { known[ObjectIdentifier(object)] = path }

    /// Returns the path that was set for an object, if any.
    func setPath(of object: any StateRestoring) -> String? { known[ObjectIdentifier(object)] }

    /// Returns the path of an object. `nil` if the object has no identifier. Parents without an identifier are skipped,
    /// and a cycle of parents is followed only once (seed row 35).
    func path(of object: any StateRestoring) -> String? {
        if let path = known[ObjectIdentifier(object)] { return path }
        guard let identifier = identifier(of: object) else { return nil }
        var components = [(identifier, index(of: object, identifier))]
        var prefix = ""
        var visited: Set = [ObjectIdentifier(object)]
        var next = object.restorationParent
        while let ancestor = next, visited.insert(ObjectIdentifier(ancestor)).inserted {
            if let path = known[ObjectIdentifier(ancestor)] {
                prefix = path
                break
            }
            if let identifier = self.identifier(of: ancestor) {
                components.append((identifier, index(of: ancestor, identifier)))
            }
            next = ancestor.restorationParent
        }
        return components.reversed().reduce(prefix) { RestorationPath.join($0, $1.0, index: $1.1) }
    }

    private func identifier(of object: any StateRestoring) -> String? {
        (object as? any RestorableViewController)?.loadViewIfNeeded()
        return object.savedIdentifier ?? registered.identifier(of: object)
    }

    private func index(of object: any StateRestoring, _ identifier: String) -> Int? {
        guard let parent = object.restorationParent as? any RestorableViewController else { return nil }
        parent.loadViewIfNeeded()
        let children = parent.restorableChildren
        // Load all children's views first, as `InterfaceWalk` does: a view controller may set its identifier in
        // `viewDidLoad`.
        for child in children { child.loadViewIfNeeded() }
        guard let index = children.firstIndex(where: { $0 === object }),
            RestorationPath.disambiguation(of: children, in: parent).contains(index)
        else { return nil }
        return index
    }
}
