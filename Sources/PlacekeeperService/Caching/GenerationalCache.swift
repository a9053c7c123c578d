/// A dictionary of limited size that evicts entries that weren't used recently.
///
/// The cache has two generations. An entry found in the older generation moves to the newer one. When the newer
/// generation is full, it replaces the older one, whose remaining entries are evicted.
///
/// The type is inlinable, so that other modules specialize it for their own types. Unspecialized code would look up
/// type metadata at run time. The type is public, because Swift 6.3 doesn't specialize `@inlinable package` in other
/// modules.
public struct GenerationalCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
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
    /// The total weight of the entries in the newer generation.
    @usableFromInline var weight = 0
    @usableFromInline let capacity: Int

    /// - Parameter capacity: the maximum total weight of one generation. Both generations together hold at most about
    ///   twice this weight.
    @inlinable public init(capacity: Int) {
        // All callers pass constants or a capacity of at least 1.
        precondition(capacity > 0)
        self.capacity = capacity
    }

    /// Returns the cached value of a key, and marks it as used recently.
    @inlinable public mutating func value(for key: Key) -> Value? {
        if let entry = newer[key] { return entry.value }
        guard let entry = older.removeValue(forKey: key) else { return nil }
        insert(entry, for: key)
        return entry.value
    }

    /// Caches a value. Inserting into a full generation evicts the values that weren't used recently.
    @inlinable public mutating func insert(_ value: Value, for key: Key, weight: Int = 1) {
        let entry = Entry(value: value, weight: weight)
        if let index = newer.index(forKey: key), newer.values[index].weight == weight {
            newer.values[index] = entry
        } else {
            older[key] = nil
            insert(entry, for: key)
        }
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

    /// Removes the value of a key.
    @inlinable public mutating func remove(_ key: Key) {
        older[key] = nil
        if let entry = newer.removeValue(forKey: key) { weight -= entry.weight }
    }

    /// Removes all values.
    @inlinable public mutating func removeAll() {
        newer = [:]
        older = [:]
        weight = 0
    }

    /// The number of cached values, in both generations.
    @inlinable public var count: Int { newer.count + older.count }
}
