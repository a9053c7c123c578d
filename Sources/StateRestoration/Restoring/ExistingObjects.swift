/// What is there without having been restored: what the app made at launch, what came with what was restored, and what
/// was registered (rows 16 and 34).
@MainActor
struct ExistingObjects {
    private let registered: ObjectRegistry
    private var objects: [String: any StateRestoring] = [:]
    private var paths: ObjectPaths
    private var registeredObjects: [String: any StateRestoring] = [:]
    private var registeredVersion = 0

    init(_ roots: [any RestorableViewController], registered: ObjectRegistry) {
        self.registered = registered
        paths = ObjectPaths(registered: registered)
        // What hides below an object without an identifier may have been saved by a reference (row 8).
        var walk = InterfaceWalk(roots, entersUnnamed: true)
        add(&walk)
    }

    /// The object at a path. Registered objects count only when nothing of the interface is there.
    mutating func object(at path: String) -> (any StateRestoring)? { objects[path] ?? registeredObject(at: path) }

    /// Takes in a restored object, and what it brought along.
    mutating func add(_ object: any StateRestoring, at path: String) {
        objects[path] = objects[path] ?? object
        paths.set(path, of: object)
        var walk = InterfaceWalk(below: object, at: path, entersUnnamed: true)
        add(&walk)
    }

    private mutating func add(_ walk: inout InterfaceWalk) {
        while let met = walk.next() {
            guard objects[met.path] == nil else { continue }
            objects[met.path] = met.object
            paths.set(met.path, of: met.object)
        }
    }

    private mutating func registeredObject(at path: String) -> (any StateRestoring)? {
        // Objects may be registered while others are made.
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
