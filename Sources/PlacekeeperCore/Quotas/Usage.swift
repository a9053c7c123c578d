/// How much data is stored for a user or an app, or by how much a write changes it.
package struct Usage: Sendable, Hashable {
    /// The bytes of archives as uploaded, of screenshots, and of the stored texts of items.
    package var bytes: Int
    package var archives: Int
    package var devices: Int
    package var users: Int

    package init(bytes: Int = 0, archives: Int = 0, devices: Int = 0, users: Int = 0) {
        self.bytes = bytes
        self.archives = archives
        self.devices = devices
        self.users = users
    }

    package static func + (one: Usage, other: Usage) -> Usage {
        Usage(
            bytes: one.bytes + other.bytes, archives: one.archives + other.archives,
            devices: one.devices + other.devices, users: one.users + other.users)
    }

    /// The nearest valid usage. Sums from a damaged database may be out of range.
    package var clamped: Usage {
        func clamped(_ count: Int) -> Int { min(max(count, 0), Limits.storedCount) }
        return Usage(
            bytes: clamped(bytes), archives: clamped(archives), devices: clamped(devices), users: clamped(users))
    }

    package static prefix func - (usage: Usage) -> Usage {
        Usage(bytes: -usage.bytes, archives: -usage.archives, devices: -usage.devices, users: -usage.users)
    }

    package static func += (usage: inout Usage, change: Usage) { usage = usage + change }
}

/// The facts for a check of quotas.
package struct QuotaFacts: Sendable, Hashable {
    /// The usage of the user that the write is for.
    package var user: Usage
    /// Whether the user has an account of the app.
    package var isSignedIn: Bool
    /// The usage of the user's app.
    package var app: Usage

    package init(user: Usage = Usage(), isSignedIn: Bool = false, app: Usage = Usage()) {
        self.user = user
        self.isSignedIn = isSignedIn
        self.app = app
    }
}

/// A quota that a write would exceed.
package struct QuotaExcess: Sendable, Hashable {
    /// The quotas, named like the settings.
    package enum Name: String, Sendable, Hashable, CaseIterable {
        case userBytes, anonymousBytes, userArchives, appBytes, appUsers, appDevices
    }

    package var quota: Name
    package var limit: Int
    /// The amount in use before the write.
    package var used: Int

    package init(_ quota: Name, limit: Int, used: Int) {
        self.quota = quota
        self.limit = limit
        self.used = used
    }
}
