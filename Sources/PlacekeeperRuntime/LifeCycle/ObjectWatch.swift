/// A storage that remembers which object a launch is restoring. If the object's code ends the process, the next launch
/// restores the rest without it.
@MainActor
package protocol ObjectWatching: ArchiveStorage {
    /// Returns the paths of the objects to leave out, because earlier launches ended while they restored them.
    func readLeftOut() -> Set<String>
    /// Records the path of the object whose code runs now. `nil` if no object's code runs.
    func noteRestoring(_ path: String?)
}

/// Tells a storage which object a restore is working on.
@MainActor
final class ObjectWatch {
    /// The paths of the objects that the restore leaves out.
    let leftOut: Set<String>
    private let storage: any ObjectWatching
    private var current: String?

    init(_ storage: any ObjectWatching) {
        self.storage = storage
        leftOut = storage.readLeftOut()
    }

    /// Runs code of an object. That code may lead to code of another object, and continues afterward.
    func restoring<Result>(_ path: String, _ body: () throws -> Result) rethrows -> Result {
        let outer = current
        current = path
        storage.noteRestoring(path)
        defer {
            current = outer
            // Without an outer object, only code of the runtime follows, until the next object or `pause()`.
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
