import PlacekeeperArchive

/// Restores the objects of an archive.
@MainActor
final class RestorationSession {
    private enum Progress {
        case waiting, beingMade
        case made(any StateRestoring, by: RestorationEvent.LookUp)
        case missing
    }

    /// The view controllers in a saved stack, or in the columns of a split view controller.
    private struct SavedStack {
        /// The path of each, from the bottom or the primary column. `nil` for one that was not saved.
        var paths: [String?]
        /// Their indices in the stack, by path.
        var indices: [String: Int] = [:]
        /// The paths of those without a restoration class, by identifier.
        var classless: [String: [String]] = [:]
    }

    private let environment: RestorationEnvironment
    /// The context keeps the session alive, because the app may decode state after restoration has ended (seed row 69).
    /// Unowned, because two strong references would be a cycle. During a restore, `StateRestorer` keeps the context
    /// alive. Later only the context's decoders call the session, and they keep the context alive.
    private unowned let context: DecodingContext
    private let saved: [RestorableObject]
    private let indices: [String: Int]
    private var progress: [Progress]
    private var existing: ExistingObjects
    /// The saved stacks of navigation containers, by the container's index.
    private var stacks: [Int: SavedStack] = [:]
    /// The objects that were found or made.
    private var used: Set<ObjectIdentifier> = []
    /// Those of them that were already in the interface.
    private var prebuilt: Set<ObjectIdentifier> = []
    /// How many objects are being made right now. Code that makes an object may request another, so these calls nest.
    private var depth = 0
    /// The paths of objects that are missing or whose state was not restored.
    private var stateless: Set<String> = []
    private(set) var result = Restoration()
    private let watch: ObjectWatch?

    /// The maximum for `depth`.
    private static let greatestDepth = 128

    init(
        _ environment: RestorationEnvironment, _ context: DecodingContext, roots: [any RestorableViewController],
        _ watch: ObjectWatch?
    ) {
        self.watch = watch
        self.environment = environment
        self.context = context
        saved = context.archive.objects
        indices = Dictionary(saved.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
        progress = Array(repeating: .waiting, count: saved.count)
        existing = ExistingObjects(roots, registered: environment.registered)
        context.objectAtPath = { [self] in object(at: $0) }
    }

    /// Finds or makes all saved objects, before any of them decodes its state (row 23).
    func createAll() {
        for index in saved.indices {
            // An object saved through a reference may come before its parent in the archive, so make its ancestors
            // first.
            makeAncestors(of: saved[index].path)
            make(index)
        }
        leaveOutEmptyContainers()
    }

    /// Leaves out the containers that were made for this launch, but whose saved view controllers are all gone (row
    /// 85). The containers inside others come later in the archive, so they are left out first.
    private func leaveOutEmptyContainers() {
        var leftOut: Set<String> = []
        for (index, record) in saved.enumerated().reversed() where isEmptyContainer(index) {
            progress[index] = .missing
            stateless.insert(record.path)
            leftOut.insert(record.path)
            context.report(.missing(path: record.path, .empty))
        }
        guard !leftOut.isEmpty else { return }
        result.restored.removeAll(where: leftOut.contains)
        result.missing += saved.map(\.path).filter(leftOut.contains)
    }

    private func isEmptyContainer(_ index: Int) -> Bool {
        guard case .made(let object, _) = progress[index], !prebuilt.contains(ObjectIdentifier(object)),
            let container = object as? any RestorableViewController, container.restorableChildren.isEmpty
        else { return false }
        let record = saved[index]
        // A stack ends at its first missing view controller.
        let isStack = container is any NavigationContaining
        let children = isStack ? Array(record.savedStack.prefix(1)) : record.savedColumns
        return !children.isEmpty
            && !children.contains { path in
                guard let path else { return false }
                guard let index = indices[path] else { return existing.object(at: path) != nil }
                if case .made = progress[index] { return true } else { return false }
            }
    }

    /// Decodes the state of all objects that were found or made.
    func decodeAll(order: [Int]? = nil) {
        for index in order ?? Array(saved.indices) {
            guard case .made(let object, let lookUp) = progress[index] else { continue }
            decode(saved[index], into: object, foundBy: lookUp)
        }
    }

    /// Tells each restored object once that restoration has finished.
    func finishAll() {
        var seen: Set<ObjectIdentifier> = []
        for (index, record) in saved.enumerated() {
            guard case .made(let object, _) = progress[index], seen.insert(ObjectIdentifier(object)).inserted,
                !watch.leavesOut(record.path)
            else { continue }
            watch.restoring(record.path) { object.applicationFinishedRestoringState() }
        }
    }

    /// Sets `result.showsWhatWasSaved` to whether the visible screens and their state are the same as when they were
    /// saved (rows 55 and 57).
    func compareShown(_ roots: [any RestorableViewController]) {
        guard let saved = context.archive.shown else { return }
        let shown = Front.of(roots)
        func isShown(_ path: String) -> Bool { saved.contains { path == $0 || path.hasPrefix($0 + "/") } }
        result.showsWhatWasSaved =
            shown.map { existing.path(of: $0) } == saved
            && !shown.contains { $0.awaitsElements }
            && !stateless.contains(where: isShown) && stateless.isDisjoint(with: referred(from: isShown))
            && context.restoredLists.allSatisfy { !isShown($0.path) || $0.showsSavedRows() }
    }

    /// Returns the paths of the saved objects to which the shown objects refer, directly or through others (row 88).
    private func referred(from isShown: (String) -> Bool) -> Set<String> {
        var found: Set<String> = []
        var copies: Set<Int> = []
        var waiting = saved.filter { isShown($0.path) }.map(\.state)
        while let state = waiting.popLast() {
            for value in state.values {
                value.forEachReference { reference in
                    switch reference {
                    case .object(let path):
                        if found.insert(path).inserted, let index = indices[path] { waiting.append(saved[index].state) }
                    case .instance(let index):
                        let instances = context.archive.instances
                        if instances.indices.contains(index), copies.insert(index).inserted {
                            waiting.append(instances[index].state)
                        }
                    default: break
                    }
                }
            }
        }
        return found
    }

    private func decode(
        _ record: RestorableObject, into object: any StateRestoring, foundBy lookUp: RestorationEvent.LookUp
    ) {
        if lookUp == .restorationClass || lookUp == .delegate, !ClassName.isKind(object, of: record.className) {
            stateless.insert(record.path)
            context.report(
                .otherClass(path: record.path, saved: record.className, found: ClassName.inArchives(of: object)))
            return
        }
        let coder = decoder(of: record)
        do {
            if watch.leavesOut(record.path) { throw EndedLaunch() }
            try watch.restoring(record.path) {
                // Changing a container's children runs code of the app, too.
                (object as? any RestorableViewController)?.decodeContainment(with: coder)
                try object.decodeRestorableState(with: coder)
            }
            context.report(.decoded(path: record.path))
        } catch {
            stateless.insert(record.path)
            result.failed.append(record.path)
            context.report(.failed(path: record.path, reason: "\(error)"))
        }
    }

    private func decoder(of record: RestorableObject) -> StateDecoder {
        StateDecoder(context, path: record.path, state: record.state, storyboard: record.storyboard)
    }
}

// MARK: - Finding and making

extension RestorationSession {
    /// Returns the object at a path, and makes it if necessary. If none was saved there, returns the existing object,
    /// if any.
    private func object(at path: String) -> (any StateRestoring)? {
        guard let index = indices[path] else { return existing.object(at: path) }
        makeAncestors(of: path)
        make(index)
        if case .made(let object, _) = progress[index] { return object }
        return nil
    }

    /// Makes an object's ancestors first, because one of them may create the object as a view or child.
    private func makeAncestors(of path: String) {
        var waiting: [Int] = []
        var next = RestorationPath.parent(of: path)
        while let path = next, let index = indices[path], case .waiting = progress[index] {
            waiting.append(index)
            next = RestorationPath.parent(of: path)
        }
        for index in waiting.reversed() { make(index) }
    }

    private func make(_ index: Int) {
        guard case .waiting = progress[index], depth < Self.greatestDepth else { return }
        progress[index] = .beingMade
        depth += 1
        defer { depth -= 1 }
        let record = saved[index]
        switch watch.restoring(record.path, { lookUp(record) }) {
        case .success(let found):
            progress[index] = .made(found.object, by: found.lookUp)
            used.insert(ObjectIdentifier(found.object))
            if existing.contains(found.object) { prebuilt.insert(ObjectIdentifier(found.object)) }
            existing.add(found.object, at: record.path)
            result.restored.append(record.path)
            context.report(.found(path: record.path, by: found.lookUp))
            let identifier = existing.identifier(of: found.object)
            if identifier != RestorationPath.identifier(of: record.path) {
                context.report(.misnamed(path: record.path, identifier: identifier))
            }
        case .failure(let absence):
            progress[index] = .missing
            stateless.insert(record.path)
            result.missing.append(record.path)
            context.report(.missing(path: record.path, absence))
        }
    }

    fileprivate typealias Found = (object: any StateRestoring, lookUp: RestorationEvent.LookUp)

    fileprivate enum Finding {
        case success(Found)
        case failure(RestorationEvent.Absence)
    }

    /// Looks up an object: by its restoration class, the delegate, the existing objects and its storyboard, in this
    /// order (rows 14 to 18, 36). The delegate and the storyboard are asked only for view controllers.
    private func lookUp(_ record: RestorableObject) -> Finding {
        if watch.leavesOut(record.path) {
            return existing.object(at: record.path).map { .success(($0, .implicit)) } ?? .failure(.leftOut)
        }
        // With a restoration class, nothing else is tried.
        if let name = record.restorationClass {
            let type: any RestorationClass.Type
            switch environment.restorationClass(named: name) {
            case .found(let listed): type = listed
            case .unlisted: return .failure(.unknownClass(name))
            case .ambiguous(let classes): return .failure(.ambiguousClass(name, classes: classes))
            }
            let path = RestorationPath.identifiers(of: record.path)
            guard let object = type.restoredObject(withRestorationIdentifierPath: path, coder: decoder(of: record))
            else { return .failure(.declined) }
            return .success((object, .restorationClass))
        }
        if record.kind == .viewController, let object = fromDelegate(record) { return .success((object, .delegate)) }
        let isInInterface = record.kind == .viewController || record.kind == .view
        if let object = existing.object(at: record.path), !isInInterface || !used.contains(ObjectIdentifier(object)) {
            return .success((object, isInInterface ? .implicit : .registered))
        }
        if let child = existingChild(for: record) { return .success((child, .implicit)) }
        if record.kind == .viewController, let object = fromStoryboard(record) {
            return .success((object, .storyboard))
        }
        return .failure(.notFound)
    }

    /// Returns the existing child of a container that a view controller was saved from, if its path is different now: a
    /// path has an index only while siblings share its identifier (row 81). The child must have the saved identifier
    /// and the saved index. If the index leads elsewhere, the child must be the only one with the identifier, the record
    /// must be the only one that it could be, and no other must have been saved at the child's index.
    private func existingChild(for record: RestorableObject) -> (any StateRestoring)? {
        guard record.kind == .viewController, let parentPath = RestorationPath.parent(of: record.path),
            let parentIndex = indices[parentPath], case .made(let holder, _) = progress[parentIndex],
            let parent = holder as? any RestorableViewController, parent.disambiguatesChildren
        else { return nil }
        let identifier = RestorationPath.identifier(of: record.path)
        let children = parent.restorableChildren
        for child in children { child.loadViewIfNeeded() }
        func isCandidate(_ child: any RestorableViewController) -> Bool {
            child.restorationIdentifier == identifier && !used.contains(ObjectIdentifier(child))
        }
        let candidates = children.indices.filter { isCandidate(children[$0]) }
        guard let first = candidates.first, let identifier else { return nil }
        let stack = stacks[parentIndex] ?? savedStack(of: parentIndex)
        stacks[parentIndex] = stack
        let index = RestorationPath.index(of: record.path) ?? stack.indices[record.path]
        if let index, candidates.contains(index) { return children[index] }
        let isFree =
            !stack.paths.indices.contains(first) || stack.paths[first].flatMap(RestorationPath.identifier) != identifier
        return candidates.count == 1 && isFree && stack.classless[identifier] == [record.path] ? children[first] : nil
    }

    private func savedStack(of index: Int) -> SavedStack {
        let columns = saved[index].savedColumns
        var stack = SavedStack(paths: columns.isEmpty ? saved[index].savedStack : columns)
        for (position, path) in stack.paths.enumerated() {
            guard let path, let page = indices[path], let identifier = RestorationPath.identifier(of: path) else {
                continue
            }
            stack.indices[path] = position
            if saved[page].restorationClass == nil { stack.classless[identifier, default: []].append(path) }
        }
        return stack
    }

    private func fromDelegate(_ record: RestorableObject) -> (any StateRestoring)? {
        environment.delegate?.viewController(
            withRestorationIdentifierPath: RestorationPath.identifiers(of: record.path), coder: decoder(of: record))
    }

    private func fromStoryboard(_ record: RestorableObject) -> (any StateRestoring)? {
        guard let storyboard = record.storyboard.flatMap({ environment.storyboards[$0] }),
            let identifier = record.storyboardIdentifier ?? RestorationPath.identifier(of: record.path)
        else { return nil }
        return storyboard.instantiateViewController(withIdentifier: identifier)
    }
}

/// Why the state of an object that crashed an earlier launch is not restored.
private struct EndedLaunch: Error, CustomStringConvertible {
    var description: String { "an earlier launch ended while it restored this object" }
}

extension StateValue {
    /// Calls an action with each restorable object and each copy in this value.
    fileprivate func forEachReference(_ action: (StateValue) -> Void) {
        switch self {
        case .object, .instance: action(self)
        case .array(let elements): for element in elements { element.forEachReference(action) }
        case .dictionary(let entries): for element in entries.values { element.forEachReference(action) }
        default: break
        }
    }
}
