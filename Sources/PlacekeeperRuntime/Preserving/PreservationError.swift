/// Why nothing was saved. The old archive is kept.
public enum PreservationError: Error, Sendable, Hashable {
    /// Two objects have the same path. Give siblings different restoration identifiers (seed row 12).
    case duplicatePath(String)
    /// A restoration identifier is empty, contains `/` (the separator in paths), or looks like an index that
    /// distinguishes siblings (`:[0]:`).
    case invalidIdentifier(String, className: String)
    /// Several listed classes have the same name in archives (row 74).
    case ambiguousClassName(String, classes: [String])
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
        }
    }
}
