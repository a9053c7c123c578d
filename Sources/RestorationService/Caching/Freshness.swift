/// Two versions that show whether a cached answer to one of a user's devices is still current. A cache keeps an answer
/// with the freshness that was read before the answer's data. The cache uses the answer only while the user's freshness
/// is still the same.
package struct Freshness: Sendable, Hashable {
    /// Rises with every write for the user, except `Store.noteSeen`, because no cache holds the times that this method
    /// writes.
    package var version: Int64
    /// Rises when one of the user's devices is revoked or moved, and when the settings or the data sources of the
    /// user's app change.
    package var access: Int64

    package init(version: Int64, access: Int64) {
        self.version = version
        self.access = access
    }
}

/// A value that was read from a store, with the freshness of the value's user. The value is not older than the
/// freshness.
package struct Fresh<Value: Sendable>: Sendable {
    package var value: Value
    package var freshness: Freshness

    package init(_ value: Value, _ freshness: Freshness) {
        self.value = value
        self.freshness = freshness
    }
}
