/// Two version numbers that show whether a response cached for one of a user's devices is still current.
///
/// Read the versions before the data of the response, and store them with the response. The response stays valid while
/// the user's versions are unchanged.
package struct UserVersion: Sendable, Hashable {
    /// Increases with every write that changes one of the user's archives, outcomes, screenshots, items, item decisions
    /// or devices. No cached response depends on records of servings, times of last use, link codes, or the pruning of
    /// old changes and expired archive tombstones, so these writes don't increase the version.
    package var version: Int64
    /// Increases when one of the user's devices is revoked, moved, described or gets a new token, and when the settings
    /// or data sources of the user's app change.
    package var access: Int64

    package init(version: Int64, access: Int64) {
        self.version = version
        self.access = access
    }
}

/// A value read from a store, with its user's version. The access version is never newer than the value.
package struct Fresh<Value: Sendable>: Sendable {
    package var value: Value
    package var userVersion: UserVersion

    package init(_ value: Value, _ userVersion: UserVersion) {
        self.value = value
        self.userVersion = userVersion
    }
}
