import PlacekeeperArchive

/// Collects and encodes the objects to save: those of the interface, registered objects, and objects that others refer
/// to.
@MainActor
final class PreservationSession {
    private struct Item {
        let object: any StateRestoring
        let path: String
        let kind: RestorableObject.Kind
        let isRegistered: Bool
    }

    private let environment: RestorationEnvironment
    private let context: EncodingContext
    private var paths: ObjectPaths
    private var items: [Item] = []
    private var added: Set<ObjectIdentifier> = []
    private var taken: Set<String> = []
    private var classNames: [ObjectIdentifier: String] = [:]
    private var restorationClassNames: [ObjectIdentifier: String] = [:]
    private var error: PreservationError?
    /// The path of the object that is being encoded. Empty for the application.
    private var encoding = ""
    /// Whether the walk of the interface has begun. The delegate saves the application's state before that (seed row
    /// 2), so references in it get provisional paths.
    private var isWalked = false
    /// The objects that the application's state refers to, with their provisional paths, in the order of first
    /// reference.
    private var promised: [(path: String, object: any StateRestoring)] = []
    private var promisedPaths: [String: any StateRestoring] = [:]

    init(_ environment: RestorationEnvironment, _ context: EncodingContext) {
        self.environment = environment
        self.context = context
        paths = ObjectPaths(registered: environment.registered)
        // Weak, so a coder that outlives the session encodes no references.
        context.pathForReference = { [weak self] in self?.path(toSave: $0) }
        context.waitingPresented = { [weak environment] in environment?.waitingPresented(of: $0) }
    }

    /// Adds the objects to save: first those of the interface, then registered objects, then those that the
    /// application's state refers to.
    func add(_ roots: [any RestorableViewController]) throws(PreservationError) {
        isWalked = true
        var walk = InterfaceWalk(roots, entersUnnamed: false, waiting: environment.waitingPresented)
        add(&walk)
        for (object, path) in registeredObjects() {
            add(object, path, kind: Self.kind(of: object), isRegistered: true)
        }
        for (_, object) in promised { _ = path(toSave: object) }
        if let error { throw error }
    }

    /// Returns the application's state, with provisional paths replaced by the paths under which the objects are saved.
    func settled(_ state: [String: StateValue]) -> [String: StateValue] {
        let moved = promisedPaths.compactMapValues(paths.path).filter { $0 != $1 }
        return moved.isEmpty ? state : state.mapValues { $0.following(moved) }
    }

    /// Returns the paths of the visible screens. `nil` if one of them is not saved, or if none is visible.
    func shown(of roots: [any RestorableViewController]) -> [String]? {
        let shown = Front.of(roots)
        let saved = shown.filter { added.contains(ObjectIdentifier($0)) }.compactMap(paths.path)
        return saved.isEmpty || saved.count < shown.count ? nil : saved
    }

    /// Returns the registered objects, in the order in which they were last registered. If several have the same path,
    /// only the last one is included.
    private func registeredObjects() -> [(object: any StateRestoring, path: String)] {
        var taken: Set<String> = []
        return environment.registered.objects.reversed().compactMap { object in
            guard let path = paths.path(of: object), taken.insert(path).inserted else { return nil }
            return (object, path)
        }.reversed()
    }

    private func add(_ walk: inout InterfaceWalk) {
        while error == nil, let met = walk.next() {
            add(met.object, met.path, kind: met.kind == .view ? .view : .viewController, isRegistered: false)
        }
    }

    private func add(_ object: any StateRestoring, _ path: String, kind: RestorableObject.Kind, isRegistered: Bool) {
        guard added.insert(ObjectIdentifier(object)).inserted else { return }
        if let identifier = object.restorationIdentifier ?? environment.registered.identifier(of: object),
            !RestorationPath.isValid(identifier)
        {
            error = error ?? .invalidIdentifier(identifier, className: className(of: object))
        }
        if !taken.insert(path).inserted { error = error ?? .duplicatePath(path) }
        paths.set(path, of: object)
        items.append(Item(object: object, path: path, kind: kind, isRegistered: isRegistered))
    }

    /// Returns the path of a referenced object. `nil` if the object has no identifier. Before the walk, the path is
    /// provisional. After the walk, an object that the walk did not visit is added to the saved objects, together with
    /// all objects inside it (row 8).
    private func path(toSave object: any StateRestoring) -> String? {
        guard let path = paths.path(of: object) else {
            environment.log?.record(.unsavedReference(from: encoding, className: className(of: object)))
            return nil
        }
        guard isWalked else { return promise(path, to: object) }
        guard !added.contains(ObjectIdentifier(object)) else { return path }
        add(object, path, kind: Self.kind(of: object), isRegistered: false)
        var walk = InterfaceWalk(
            below: object, at: path, entersUnnamed: false, waiting: environment.waitingPresented)
        add(&walk)
        return path
    }

    /// Returns a provisional path for an object that has not been visited yet. The walk may give it another path.
    private func promise(_ path: String, to object: any StateRestoring) -> String {
        var path = path
        while let other = promisedPaths[path], other !== object { path += "'" }
        if promisedPaths.updateValue(object, forKey: path) == nil { promised.append((path, object)) }
        return path
    }

    /// Encodes all objects in the order in which they were added, including those that are added along the way.
    func encodeAll() throws(PreservationError) -> [RestorableObject] {
        var objects: [RestorableObject] = []
        objects.reserveCapacity(items.count)
        repeat {
            while error == nil, objects.count < items.count { objects.append(encode(items[objects.count])) }
            encoding = ""
            context.encodeCopies()
        } while error == nil && objects.count < items.count
        for name in Set(context.instances.map(\.className)).sorted() {
            switch environment.copyableClasses[name] {
            case .found: break
            case .unlisted: environment.log?.record(.unlistedClass(name))
            case .ambiguous(let classes): error = error ?? .ambiguousClassName(name, classes: classes)
            }
        }
        if let error { throw error }
        return objects
    }

    private func encode(_ item: Item) -> RestorableObject {
        let coder = StateEncoder(context, path: item.path)
        encoding = item.path
        let viewController = item.object as? any RestorableViewController
        viewController?.encodeContainment(with: coder)
        item.object.encodeRestorableState(with: coder)
        let className = className(of: item.object)
        let origin = viewController?.storyboardOrigin
        environment.log?.record(.saved(path: item.path, className: className))
        return RestorableObject(
            path: item.path, kind: item.kind, className: className,
            restorationClass: item.object.restorationClass.map { name(of: $0) },
            storyboard: origin?.storyboard.name,
            storyboardIdentifier: origin?.identifier == item.object.restorationIdentifier ? nil : origin?.identifier,
            isRegistered: item.isRegistered, state: coder.state)
    }

    private func className(of object: any StateRestoring) -> String {
        let type: any AnyObject.Type = ClassName.type(of: object)
        if let name = classNames[ObjectIdentifier(type)] { return name }
        let name = ClassName.inArchives(type)
        classNames[ObjectIdentifier(type)] = name
        return name
    }

    /// Returns the name of a restoration class. Sets `error` if several listed classes share it.
    private func name(of type: any RestorationClass.Type) -> String {
        if let name = restorationClassNames[ObjectIdentifier(type)] { return name }
        let name = type.restorationClassName
        restorationClassNames[ObjectIdentifier(type)] = name
        switch environment.restorationClass(named: name) {
        case .found: break
        case .unlisted: environment.log?.record(.unlistedClass(name))
        case .ambiguous(let classes): error = error ?? .ambiguousClassName(name, classes: classes)
        }
        return name
    }

    private static func kind(of object: any StateRestoring) -> RestorableObject.Kind {
        switch object {
        case is any RestorableViewController: .viewController
        case is any RestorableView: .view
        default: .object
        }
    }
}

extension StateValue {
    /// Returns the value with each path that is a key of `moved` replaced by its new path.
    fileprivate func following(_ moved: [String: String]) -> StateValue {
        switch self {
        case .object(let path): .object(path: moved[path] ?? path)
        case .array(let elements): .array(elements.map { $0.following(moved) })
        case .dictionary(let entries): .dictionary(entries.mapValues { $0.following(moved) })
        default: self
        }
    }
}
