package import PlacekeeperService

extension OldMemoryStore {
    package func usage(of owner: UserKey) -> Usage {
        let scenes = users[owner]?.usage ?? Usage()
        let items = lists.lazy.filter { $0.key.owner == owner }.flatMap(\.value).reduce(0) { $0 + $1.textBytes }
        return scenes + Usage(bytes: items, devices: devices.values.count { $0.owner == owner })
    }

    package func usage(of app: AppID) -> Usage {
        let owners = users.keys.filter { $0.app == app }
        let scenes = owners.reduce(usageElsewhere[app, default: Usage()] + Usage(users: owners.count)) { sum, owner in
            sum + (users[owner]?.usage ?? Usage())
        }
        let items = lists.lazy.filter { $0.key.owner.app == app }.flatMap(\.value).reduce(0) { $0 + $1.textBytes }
        return scenes + Usage(bytes: items, devices: devices.values.count { $0.owner.app == app })
    }

    /// Returns the facts for the check of quotas.
    func quotaFacts(of owner: UserKey, for quotas: App.Settings.Quotas? = nil) -> QuotaFacts {
        QuotaFacts(
            user: usage(of: owner), isSignedIn: users[owner]?.subject != nil,
            app: quotas.map { limitedUsage(of: owner.app, for: $0) } ?? usage(of: owner.app))
    }

    /// Returns the usage of an app if a quota limits it. The sum takes long for many users.
    func limitedUsage(of app: AppID, for quotas: App.Settings.Quotas) -> Usage {
        let isLimited = quotas.appBytes != nil || quotas.appUsers != nil || quotas.appDevices != nil
        return isLimited ? usage(of: app) : Usage()
    }
}

extension OldMemoryStore.SceneRecord {
    /// The bytes of the archives and their snapshots, and the number of archives.
    package var usage: Usage {
        archives.reduce(Usage()) { $0 + $1.usage }
    }
}
