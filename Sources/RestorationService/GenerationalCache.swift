/// A dictionary of bounded size that forgets what was not asked for lately. It holds two generations: what is found in
/// the older one moves to the newer, and when that is full it becomes the older.
package struct GenerationalCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Entry: Sendable {
        var value: Value
        var weight: Int
    }

    private var newer: [Key: Entry] = [:]
    private var older: [Key: Entry] = [:]
    /// Of the newer generation.
    private var weight = 0
    private let capacity: Int

    /// - Parameter capacity: what the entries of one generation weigh together; at most twice as much is held, give or
    ///   take an entry.
    package init(capacity: Int) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    package mutating func value(for key: Key) -> Value? {
        if let entry = newer[key] { return entry.value }
        guard let entry = older.removeValue(forKey: key) else { return nil }
        insert(entry, for: key)
        return entry.value
    }

    package mutating func insert(_ value: Value, for key: Key, weight: Int = 1) {
        older[key] = nil
        insert(Entry(value: value, weight: weight), for: key)
    }

    private mutating func insert(_ entry: Entry, for key: Key) {
        if let before = newer.removeValue(forKey: key) { weight -= before.weight }
        if weight + entry.weight > capacity, !newer.isEmpty {
            older = newer
            newer = [:]
            weight = 0
        }
        newer[key] = entry
        weight += entry.weight
    }

    package mutating func remove(_ key: Key) {
        older[key] = nil
        if let entry = newer.removeValue(forKey: key) { weight -= entry.weight }
    }

    package mutating func removeAll() {
        newer = [:]
        older = [:]
        weight = 0
    }

    package mutating func removeAll(where condition: (Value) -> Bool) {
        newer = newer.filter { !condition($0.value.value) }
        older = older.filter { !condition($0.value.value) }
        weight = newer.values.reduce(0) { $0 + $1.weight }
    }

    package var count: Int { newer.count + older.count }
}
