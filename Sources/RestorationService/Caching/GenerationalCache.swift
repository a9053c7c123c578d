/// A dictionary of bounded size that forgets what was not asked for lately. It holds two generations: what is found in
/// the older one moves to the newer, and when that is full it becomes the older.
///
/// Inlinable, so that the store's is made for its own types: as it stands it would look each of its types up first.
package struct GenerationalCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    @usableFromInline struct Entry: Sendable {
        @usableFromInline var value: Value
        @usableFromInline var weight: Int
        @inlinable init(value: Value, weight: Int) {
            self.value = value
            self.weight = weight
        }
    }

    @usableFromInline var newer: [Key: Entry] = [:]
    @usableFromInline var older: [Key: Entry] = [:]
    /// Of the newer generation.
    @usableFromInline var weight = 0
    @usableFromInline let capacity: Int

    /// - Parameter capacity: what the entries of one generation weigh together; at most twice as much is held, give or
    ///   take an entry.
    @inlinable package init(capacity: Int) {
        precondition(capacity > 0)
        self.capacity = capacity
    }

    @inlinable package mutating func value(for key: Key) -> Value? {
        if let entry = newer[key] { return entry.value }
        guard let entry = older.removeValue(forKey: key) else { return nil }
        insert(entry, for: key)
        return entry.value
    }

    @inlinable package mutating func insert(_ value: Value, for key: Key, weight: Int = 1) {
        older[key] = nil
        insert(Entry(value: value, weight: weight), for: key)
    }

    @inlinable mutating func insert(_ entry: Entry, for key: Key) {
        if let before = newer.removeValue(forKey: key) { weight -= before.weight }
        if weight + entry.weight > capacity, !newer.isEmpty {
            older = newer
            newer = [:]
            weight = 0
        }
        newer[key] = entry
        weight += entry.weight
    }

    @inlinable package mutating func remove(_ key: Key) {
        older[key] = nil
        if let entry = newer.removeValue(forKey: key) { weight -= entry.weight }
    }

    @inlinable package mutating func removeAll() {
        newer = [:]
        older = [:]
        weight = 0
    }

    @inlinable package mutating func removeAll(where condition: (Value) -> Bool) {
        newer = newer.filter { !condition($0.value.value) }
        older = older.filter { !condition($0.value.value) }
        weight = newer.values.reduce(0) { $0 + $1.weight }
    }

    @inlinable package var count: Int { newer.count + older.count }
}
