/// A dictionary of bounded size that forgets what was not asked for lately. It holds two generations: what is found in
/// the older one moves to the newer, and when that is full it becomes the older.
struct GenerationalCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var newer: [Key: Value] = [:]
    private var older: [Key: Value] = [:]
    private let capacity: Int

    /// - Parameter capacity: of one generation; at most twice as many are held.
    init(capacity: Int) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    mutating func value(for key: Key) -> Value? {
        if let value = newer[key] { return value }
        guard let value = older.removeValue(forKey: key) else { return nil }
        insert(value, for: key)
        return value
    }

    mutating func insert(_ value: Value, for key: Key) {
        if newer.count >= capacity, newer[key] == nil {
            older = newer
            newer = [:]
        }
        newer[key] = value
    }

    mutating func removeAll() {
        newer = [:]
        older = [:]
    }

    mutating func removeAll(where condition: (Value) -> Bool) {
        newer = newer.filter { !condition($0.value) }
        older = older.filter { !condition($0.value) }
    }

    var count: Int { newer.count + older.count }
}
