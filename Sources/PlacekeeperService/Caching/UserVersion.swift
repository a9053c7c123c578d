/// Two versions that show whether a cached answer to one of a user's devices is still current. A cache keeps an answer
/// with the userVersion that was read before the answer's data. The cache uses the answer only while the user's userVersion
/// is still the same.
package struct UserVersion: Sendable, Hashable {
    /// Rises with every write that changes an archive, an outcome, a screenshot, an item, a decision about items, or a
    /// device of the user. Does not rise with other writes, because no cached value depends on them: records of
    /// servings, times of last use, link codes, and the pruning of old changes and of expired tombstones of archives.
    package var version: Int64
    /// Rises when one of the user's devices is revoked, moved or described, or gets a new token, and when the settings
    /// or the data sources of the user's app change.
    package var access: Int64

    package init(version: Int64, access: Int64) {
        self.version = version
        self.access = access
    }
}

/// A value that was read from a store, with the userVersion of the value's user. The access version is not newer than
/// the value.
package struct Fresh<Value: Sendable>: Sendable {
    package var value: Value
    package var userVersion: UserVersion

    package init(_ value: Value, _ userVersion: UserVersion) {
        self.value = value
        self.userVersion = userVersion
    }
}
