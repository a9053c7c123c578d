/// What is there without having been restored: what the app made at launch, what came with what was restored, and what
/// was registered (rows 16 and 34).
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
    private var registeredVersion = 0

    init(_ roots: [any RestorableViewController], registered: ObjectRegistry) {
        self.registered = registered
        paths = ObjectPaths(registered: registered)
        // What hides below an object without an identifier may have been saved by a reference (row 8).
        var walk = InterfaceWalk(roots, entersUnnamed: true)
        objects = entries(&walk)
    }

    /// The object at a path. Registered objects count only when nothing of the interface is there.
    mutating func object(at path: String) -> (any StateRestoring)? {
        objects[path]?.object ?? registeredObject(at: path)
    }

    /// The path of an object.
    func path(of object: any StateRestoring) -> String? { paths.path(of: object) }

    /// The identifier that an object has, or was registered under.
    func identifier(of object: any StateRestoring) -> String? {
        object.restorationIdentifier ?? registered.identifier(of: object)
    }

    /// Takes in a restored object, and what it brought along, instead of what the app made at launch for the same paths.
    mutating func add(_ object: any StateRestoring, at path: String) {
        // What stands below one that was there is known.
        guard objects[path]?.object !== object else { return }
        objects[path] = Entry(object: object, isHidden: false)
        paths.set(path, of: object)
        var walk = InterfaceWalk(below: object, at: path, entersUnnamed: true)
        objects.merge(entries(&walk)) { known, brought in !known.isHidden && brought.isHidden ? known : brought }
    }

    /// What a walk meets. Where two objects would have one path, it is that of the one that no other hides (row 7).
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
