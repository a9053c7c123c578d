import PlacekeeperCore
import PlacekeeperService

// Every write that adds or removes archives, screenshots, items, devices or users counts its change here.
extension Transaction {
    /// Adds a change to the usage of a user and the user's app. The caller must then store the user's usage.
    func count(_ change: Usage, of user: inout UserRow) throws(StoreError) {
        let usage = (Usage(bytes: user.bytes, archives: user.archives) + change).clamped
        (user.bytes, user.archives) = (usage.bytes, usage.archives)
        try count(change, in: user.key.app)
    }

    /// Adds a change to the usage of an app.
    func count(_ change: Usage, in app: AppID) throws(StoreError) {
        _ = try usage(of: app)
        apps.add(change, to: app)
    }

    /// Returns an app's usage, including the changes of this group.
    func usage(of app: AppID) throws(StoreError) -> Usage {
        if let known = apps.usage(of: app) { return known }
        let usage = try connection.usage(of: app)
        apps.insert(usage, of: app)
        return usage
    }

    /// Returns the facts needed to check a user's quotas. A user without a row has no data.
    func quotaFacts(of user: UserRow?, in app: AppID) throws(StoreError) -> QuotaFacts {
        QuotaFacts(
            user: Usage(bytes: user?.bytes ?? 0, archives: user?.archives ?? 0), isSignedIn: user?.isSignedIn ?? false,
            app: try usage(of: app))
    }

    /// Stores a user's bytes and number of archives, for a write without a rule.
    func storeUsage(of user: UserRow) throws(StoreError) {
        try connection.run(.storeUsage, user.id, user.bytes, user.archives)
        guard let state = users.user(user.key) else { return }
        state.usage = Usage(bytes: user.bytes, archives: user.archives)
        state.version += 1
    }

    /// Subtracts bytes from the usage of a registration's user and app. Does nothing for a detached registration, whose
    /// bytes don't count.
    func giveBack(_ bytes: Int, ofRegistry registry: Int64) throws(StoreError) {
        var owner: UserKey?
        do {
            let update = try connection.statement(.giveBack, registry, bytes)
            if try update.step(), let app: AppID = try? update.id(0), let user: UserID = try? update.id(1) {
                owner = UserKey(app: app, user: user)
            }
        }
        guard let owner else { return }
        users.forget(owner)
        try count(Usage(bytes: -bytes), in: owner.app)
    }

    /// Stores the usage of the apps that this group changed.
    func storeAppUsage() throws(StoreError) {
        for (app, usage) in apps.takeChanges() {
            try connection.run(.storeAppUsage, app, usage.bytes, usage.archives, usage.devices, usage.users)
        }
    }
}

extension Query {
    fileprivate static let storeUsage = Query(
        "UPDATE user SET bytes = ?2, archives = ?3, version = version + 1 WHERE id = ?1")
    fileprivate static let giveBack = Query(
        """
        UPDATE user SET bytes = max(bytes - ?2, 0), version = version + 1
        WHERE id = (SELECT user FROM registry WHERE id = ?1) RETURNING app, uuid
        """)
    fileprivate static let storeAppUsage = Query("INSERT OR REPLACE INTO app_usage VALUES (?1, ?2, ?3, ?4, ?5)")
}
