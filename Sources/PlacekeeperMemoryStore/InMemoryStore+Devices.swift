package import PlacekeeperCore
package import PlacekeeperService

extension InMemoryStore {
    package func credential(of token: Digest) -> Fresh<Credential>? {
        guard let record = tokens[token], let device = devices[record.device].map(current) else { return nil }
        return Fresh(
            Credential(device: device, access: record.access, expiresAt: record.expiresAt),
            userVersion(of: device.owner))
    }

    package func userID(ofSubject digest: Digest, in app: AppID) -> UserID? {
        users.first { $0.key.app == app && $0.value.subject?.digest == digest }?.key.user
    }

    package func sealedSubject(of owner: UserKey) -> [UInt8]? { users[owner]?.subject?.sealed }

    package func devices(of owner: UserKey) -> [Device] {
        devices.values.filter { $0.owner == owner }.map(current).sorted {
            ($0.createdAt, $0.id) < ($1.createdAt, $1.id)
        }
    }

    package func device(_ id: DeviceID, in app: AppID) -> Device? {
        devices[id].flatMap { $0.owner.app == app ? current($0) : nil }
    }

    package func users(
        of app: AppID, by order: UserOrder, after position: UserPosition?, limit: Int,
        matching conditions: UserConditions
    ) -> [ListedUser] {
        let ids = users.keys.filter { $0.app == app }.map(\.user)
        let listed = users(ids, of: app, by: order, matching: conditions).filter { user in
            position.map { order.precedes($0, user.position) } ?? true
        }
        return Array(listed.sorted { order.precedes($0.position, $1.position) }.prefix(limit))
    }

    package func users(
        _ ids: [UserID], of app: AppID, by order: UserOrder, matching conditions: UserConditions
    ) -> [ListedUser] {
        ids.compactMap { id in
            let owner = UserKey(app: app, user: id)
            guard let user = users[owner] else { return nil }
            let (devices, usage) = (self.devices(of: owner), self.usage(of: owner))
            let overview = UserOverview(
                user: id, isSignedIn: user.subject != nil,
                createdAt: user.createdAt.milliseconds == 0 ? nil : user.createdAt, archiveCount: usage.archives,
                bytes: usage.bytes, deviceCount: devices.count, lastSeenAt: devices.map(\.lastSeenAt).max())
            let key =
                switch order {
                case .seen: user.seenAt.milliseconds
                case .bytes: Int64(user.seenBytes)
                case .id: Int64(0)
                }
            let matches =
                (conditions.idiom.map { idiom in devices.contains { $0.idiom == idiom } } ?? true)
                && (conditions.version.map { version in
                    user.scenes.values.contains { $0.head?.context.bundleVersion == version }
                } ?? true)
            return ListedUser(overview: overview, position: UserPosition(key: key, user: id), matches: matches)
        }
    }

    /// Returns the device, updated with its user's current facts.
    func current(_ device: Device) -> Device {
        var device = device
        device.isSignedIn = users[device.owner]?.subject != nil
        return device
    }

    package func recordSeen(_ times: [UserKey: [DeviceID: Timestamp]]) {
        for (owner, seen) in times {
            for (id, time) in seen {
                guard let device = devices[id], device.owner == owner else { continue }
                devices[id]?.lastSeenAt = max(device.lastSeenAt, time)
                users[owner]?.note(time)
                if let seen = users[owner]?.seenAt { users[owner]?.seenAt = max(seen, time) }
                let bytes = usage(of: owner).bytes
                users[owner]?.seenBytes = bytes
            }
        }
    }
}
