/// Why nothing was saved. What was saved before is still there.
public enum PreservationError: Error, Sendable, Hashable {
    /// Two objects have the same path: give one of the siblings another restoration identifier (row 12).
    case duplicatePath(String)
    /// A restoration identifier that is empty, has a `/` in it, which joins the identifiers of a path, or is written like
    /// the index that tells siblings apart.
    case invalidIdentifier(String, className: String)
    /// Several classes that the app has listed have the name that the archive would hold (row 74).
    case ambiguousClassName(String, classes: [String])
}

extension PreservationError: CustomStringConvertible {
    /// What is wrong, and what to do about it.
    public var description: String {
        switch self {
        case .duplicatePath(let path):
            "Two objects have the restoration path \(path): give siblings different restoration identifiers."
        case .invalidIdentifier(let identifier, let className):
            "\(className) has the restoration identifier \"\(identifier)\", which is empty, contains a slash or is like an index."
        case .ambiguousClassName(let name, let classes):
            "\(classes.count) listed classes have the name \(name) in archives (\(classes.joined(separator: ", "))): give each a restorationClassName or copyClassName of its own."
        }
    }
}
