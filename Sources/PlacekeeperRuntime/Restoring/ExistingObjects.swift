/// The objects that already exist: those that the app made at launch, restored objects and the objects inside them, and
/// registered objects (seed rows 16 and 34).
@MainActor
struct ExistingObjects {
    private struct Entry {
        let object: any StateRestoring
        let isHidden: Bool
    }

    private let registered: ObjectRegistry
    private var objects: [String: Entry] = [:]
    private var paths: ObjectPaths
    private var registeredObjects: [String: any StateRestoring] = [:]
    private var registeredVersion: Int?

    init(_ roots: [any RestorableViewController], registered: ObjectRegistry) {
        self.registered = registered
        paths = ObjectPaths(registered: registered)
        // An object inside a view controller without an identifier may have been saved through a reference (row 8), so
        // visit those too.
        var walk = InterfaceWalk(roots, entersUnnamed: true)
        objects = entries(&walk)
    }

    /// Returns the object at a path. Objects of the interface take precedence over registered objects.
    mutating func object(at path: String) -> (any StateRestoring)? {
        objects[path]?.object ?? registeredObject(at: path)
    }

    /// Whether the object was in the interface or was added before.
    func contains(_ object: any StateRestoring) -> Bool { paths.setPath(of: object) != nil }

    /// Returns the path of an object.
    func path(of object: any StateRestoring) -> String? { paths.path(of: object) }

    /// Returns an object's restoration identifier, or the identifier that it was registered under.
    func identifier(of object: any StateRestoring) -> String? {
        object.restorationIdentifier ?? registered.identifier(of: object)
    }

    /// Adds a restored object and the objects inside it. They replace earlier objects at the same paths, unless only
    /// the new one is inside a view controller without an identifier.
    mutating func add(_ object: any StateRestoring, at path: String) {
        // If the object already existed at this path, the objects inside it were added before.
        guard objects[path]?.object !== object else { return }
        if let former = paths.setPath(of: object), objects[former]?.object === object {
            objects[former] = nil
            // The paths of the registered objects below it change, too.
            registeredVersion = nil
        }
        objects[path] = Entry(object: object, isHidden: false)
        paths.set(path, of: object)
        var walk = InterfaceWalk(below: object, at: path, entersUnnamed: true)
        objects.merge(entries(&walk)) { known, brought in !known.isHidden && brought.isHidden ? known : brought }
    }

    /// Returns the objects that a walk visits, by path. If two have the same path, one that is not inside a view
    /// controller without an identifier takes precedence (row 7).
    private mutating func entries(_ walk: inout InterfaceWalk) -> [String: Entry] {
        var entries: [String: Entry] = [:]
        while let met = walk.next() {
            if let known = entries[met.path], !known.isHidden || met.isHidden { continue }
            entries[met.path] = Entry(object: met.object, isHidden: met.isHidden)
            paths.set(met.path, of: met.object)
        }
        return entries
    }

    private mutating func registeredObject(at path: String) -> (any StateRestoring)? {
        // Making an object may cause the app to register others, so rebuild the table after a registration.
        if registered.version != registeredVersion {
            registeredVersion = registered.version
            registeredObjects = [:]
            for object in registered.objects {
                if let path = paths.path(of: object) { registeredObjects[path] = object }
            }
        }
        return registeredObjects[path]
    }
}
