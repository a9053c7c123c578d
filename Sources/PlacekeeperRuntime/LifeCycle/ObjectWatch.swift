/// A storage that remembers which object a launch is restoring. If the object's code ends the process, the next launch
/// restores the rest without it.
@MainActor
package protocol ObjectWatching: ArchiveStorage {
    /// Returns the objects that a version of the app leaves out, with the object in whose code the last launch ended. A
    /// version leaves out two objects at most: if a third one ends a launch, the fault is probably elsewhere.
    func readLeftOut(of version: String?) -> LeftOutObjects
    /// Records the path of the object whose code runs now. `nil` if no object's code runs.
    func noteRestoring(_ path: String?)
}

/// The objects that a restore leaves out.
package struct LeftOutObjects {
    /// Their paths.
    package var paths: Set<String> = []
    /// Whether the last launch added one, so that this launch is worth a try.
    package var isNew = false

    package init(paths: Set<String> = [], isNew: Bool = false) { (self.paths, self.isNew) = (paths, isNew) }
}

/// Tells a storage which object a restore is working on.
@MainActor
final class ObjectWatch {
    /// The paths of the objects that the restore leaves out.
    let leftOut: Set<String>
    private let storage: any ObjectWatching
    private var current: String?

    init(_ storage: any ObjectWatching, leavingOut paths: Set<String>) {
        self.storage = storage
        leftOut = paths
    }

    /// Runs code of an object. That code may lead to code of another object, and continues afterward.
    func restoring<Result>(_ path: String, _ body: () throws -> Result) rethrows -> Result {
        let outer = current
        current = path
        storage.noteRestoring(path)
        defer {
            current = outer
            // Without an outer object, code of the next object follows, or `pause()`.
            if outer != nil { storage.noteRestoring(outer) }
        }
        return try body()
    }

    /// Records that no object's code runs.
    func pause() { storage.noteRestoring(nil) }
}

extension ObjectWatch? {
    func leavesOut(_ path: String) -> Bool { self?.leftOut.contains(path) ?? false }

    @MainActor
    func restoring<Result>(_ path: String, _ body: () throws -> Result) rethrows -> Result {
        guard let self else { return try body() }
        return try self.restoring(path, body)
    }
}
