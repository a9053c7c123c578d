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

    package func users(of app: AppID, after last: UserID?, limit: Int) -> [UserOverview] {
        users.keys.filter { owner in owner.app == app && last.map { $0 < owner.user } ?? true }
            .sorted { $0.user < $1.user }.prefix(limit).map { owner in
                let devices = devices(of: owner)
                let user = users[owner, default: UserRecord()]
                let usage = usage(of: owner)
                return UserOverview(
                    user: owner.user, isSignedIn: user.subject != nil,
                    createdAt: user.createdAt.milliseconds == 0 ? nil : user.createdAt, archiveCount: usage.archives,
                    bytes: usage.bytes, deviceCount: devices.count, lastSeenAt: devices.map(\.lastSeenAt).max())
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
            }
        }
    }
}
