/// Weak references to the objects that an app registered, by identifier (seed row 34).
@MainActor
final class ObjectRegistry {
    private struct Entry {
        weak var object: (any StateRestoring)?
        let identifier: String
        let number: Int
    }

    private var entries: [ObjectIdentifier: Entry] = [:]
    /// The number of registrations so far.
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

    /// The registered objects that still exist, in the order in which they were last registered.
    var objects: [any StateRestoring] {
        entries.values.sorted { $0.number < $1.number }.compactMap(\.object)
    }
}
