import PlacekeeperArchive

/// Why nothing was saved. The old archive is kept.
public enum PreservationError: Error, Sendable, Equatable {
    /// Two objects have the same path. Give siblings different restoration identifiers (seed row 12).
    case duplicatePath(String)
    /// A restoration identifier is empty, contains `/` (the separator in paths), or looks like an index that
    /// distinguishes siblings (`:[0]:`).
    case invalidIdentifier(String, className: String)
    /// Several listed classes have the same name in archives (row 74).
    case ambiguousClassName(String, classes: [String])
    /// A launch could not read the archive, for example because a value is too large (row 84). `path` and `key` name
    /// the largest value. The path is empty for the application, and the class name for a copy. If no value is saved,
    /// `bytes` is 0.
    case unrestorable(reason: String, path: String, key: String, bytes: Int)
}

extension PreservationError: CustomStringConvertible {
    /// What went wrong, and how to fix it.
    public var description: String {
        switch self {
        case .duplicatePath(let path):
            "Two objects have the restoration path \(path): give siblings different restoration identifiers."
        case .invalidIdentifier(let identifier, let className):
            "\(className): the restoration identifier \"\(identifier)\" must not be empty, contain a slash, or look like :[0]:."
        case .ambiguousClassName(let name, let classes):
            "\(classes.count) listed classes have the name \(name) in archives (\(classes.joined(separator: ", "))): give each class its own restorationClassName or copyClassName."
        case .unrestorable(let reason, let path, let key, let bytes):
            "A launch could not read the archive: \(reason)"
                + (bytes == 0
                    ? ""
                    : " Save less: the largest value is \(bytes) bytes under the key \(key) of \(path.isEmpty ? "the application" : path).")
        }
    }
}

extension StateArchive {
    /// The error of an archive that no launch could read.
    func unrestorable(_ reason: String) -> PreservationError {
        var largest = (path: "", key: "", bytes: 0)
        func measure(_ state: [String: StateValue], _ path: String) {
            for (key, value) in state.sorted(by: { $0.key < $1.key }) where !ReservedKey.isReserved(key) {
                var measure = StateMeasure(referenceCount: references.count, copyCount: instances.count)
                measure.add(value, depth: 2)
                if measure.bytes > largest.bytes { largest = (path, key, measure.bytes) }
            }
        }
        measure(application, "")
        for object in objects { measure(object.state, object.path) }
        for instance in instances { measure(instance.state, instance.className) }
        return .unrestorable(reason: reason, path: largest.path, key: largest.key, bytes: largest.bytes)
    }
}
