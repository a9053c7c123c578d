package import PlacekeeperCore
import PlacekeeperService

extension InMemoryStore {
    package func usage(of owner: UserKey) -> Usage {
        (users[owner]?.usage ?? Usage()) + Usage(devices: devices.values.count { $0.owner == owner })
    }

    package func usage(of app: AppID) -> Usage { appUsages[app] ?? Usage() }

    /// Adds to the usage of a user and of the user's app.
    func count(_ change: Usage, of owner: UserKey) {
        users[owner]?.usage += Usage(bytes: change.bytes, archives: change.archives)
        appUsages[owner.app, default: Usage()] += change
    }

    /// Returns the facts needed to check quotas.
    func quotaFacts(of owner: UserKey) -> QuotaFacts {
        QuotaFacts(
            user: usage(of: owner), isSignedIn: users[owner]?.subject != nil, app: usage(of: owner.app))
    }
}
