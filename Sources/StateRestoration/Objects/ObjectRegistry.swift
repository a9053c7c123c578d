/// The objects that an app registered under identifiers (row 34), none of which it keeps alive.
@MainActor
final class ObjectRegistry {
    private struct Entry {
        weak var object: (any StateRestoring)?
        let identifier: String
        let number: Int
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    /// Rises with each registration.
    private(set) var version = 0

    func add(_ object: any StateRestoring, identifier: String) {
        version += 1
        entries[ObjectIdentifier(object)] = Entry(object: object, identifier: identifier, number: version)
        if entries.count > 64, version % 64 == 0 { entries = entries.filter { $0.value.object != nil } }
    }

    func identifier(of object: any StateRestoring) -> String? {
        guard let entry = entries[ObjectIdentifier(object)], entry.object === object else { return nil }
        return entry.identifier
    }

    /// Those that live, in the order in which they were registered.
    var objects: [any StateRestoring] {
        entries.values.sorted { $0.number < $1.number }.compactMap(\.object)
    }
}
