package import PlacekeeperService

extension PostgresStore {
    package func register(_ new: NewDevice) async throws(StoreError) -> Committed<Joining> {
        try await decide { _ throws(Failure) in
            var owners: Set<UserKey> = [new.device.owner]
            var mayMove = false
            if let installation = new.installation,
                let known = try await foundOwner(
                    "SELECT app, owner FROM installation WHERE app = $1 AND uuid = $2", .id(new.device.owner.app),
                    .id(installation.id))
            {
                owners.insert(known)
                mayMove = true
            }
            owners.formUnion(try await users(joinedBy: new.joins, in: new.device.owner.app))
            // A new device needs no archives.
            if case .newUser = new.joins { mayMove = false }
            return Decision(owners, mayMove ? .everything : Scope(access: true)) { memory throws(StoreError) in
                memory.register(new)
            }
        }
    }

    /// Returns the users that a device may join.
    private func users(joinedBy joins: NewDevice.Joins, in app: AppID) async throws(Failure) -> Set<UserKey> {
        switch joins {
        case .newUser: []
        case .linkCode(let code): Set([try await owner(ofCode: code)].compactMap(\.self))
        case .account(let account):
            [try await owner(of: account, in: app) ?? UserKey(app: app, user: account.newUser)]
        }
    }

    private func owner(ofCode code: Digest) async throws(Failure) -> UserKey? {
        try await foundOwner("SELECT app, owner FROM link_code WHERE digest = $1", .digest(code))
    }

    private func owner(of account: Account, in app: AppID) async throws(Failure) -> UserKey? {
        try await foundOwner(
            "SELECT app, owner FROM users WHERE app = $1 AND subject_digest = $2", .id(app), .digest(account.digest))
    }

    package func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Joining> {
        try await decide { _ throws(Failure) in
            let target = try await self.owner(ofCode: linkCode)
            return Decision(Set([owner, target].compactMap(\.self)), .everything) { memory throws(StoreError) in
                memory.move(
                    device, of: owner, linkCode: linkCode, at: time, retention: retention, quotas: quotas)
            }
        }
    }

    package func signIn(
        _ device: DeviceID, of owner: UserKey, to account: Account, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Joining> {
        try await decide { _ throws(Failure) in
            let target = try await self.owner(of: account, in: owner.app)
            let owners: Set = [owner, target ?? UserKey(app: owner.app, user: account.newUser)]
            return Decision(owners, .everything) { memory throws(StoreError) in
                memory.signIn(device, of: owner, to: account, at: time, retention: retention, quotas: quotas)
            }
        }
    }

    package func signOut(
        _ device: DeviceID, of owner: UserKey, replacement: NewDevice?, at time: Timestamp
    ) async throws(StoreError) -> Committed<SigningOut> {
        let owners = Set([owner, replacement?.device.owner].compactMap(\.self))
        return try await decide { _ throws(Failure) in
            Decision(owners, Scope(scenes: .all, access: true)) { memory throws(StoreError) in
                memory.signOut(device, of: owner, replacement: replacement, at: time)
            }
        }
    }

    package func revoke(
        _ device: DeviceID, of owner: UserKey, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await decide(for: owner, Scope(scenes: .all, access: true)) { memory throws(StoreError) in
            memory.revoke(device, of: owner, at: time)
        }
    }

    package func replaceToken(
        of device: DeviceID, of owner: UserKey, by token: NewToken, at time: Timestamp
    ) async throws(StoreError) -> Committed<Bool> {
        try await decide(for: owner, Scope(access: true)) { memory throws(StoreError) in
            memory.replaceToken(of: device, of: owner, by: token, at: time)
        }
    }

    package func describe(_ device: Device) async throws(StoreError) -> Committed<Bool> {
        try await decide(for: device.owner, Scope()) { memory throws(StoreError) in memory.describe(device) }
    }

    package func create(_ code: LinkCode) async throws(StoreError) {
        _ = try await decide(for: code.owner, Scope(access: true)) { memory throws(StoreError) in
            try memory.create(code)
            return Committed((), .none)
        }
    }
}
