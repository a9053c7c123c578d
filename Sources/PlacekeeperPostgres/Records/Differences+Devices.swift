import PlacekeeperService

extension Differences {
    mutating func addDevices() {
        for (id, device) in after.devices {
            let joined = after.joinedRevisions[id] ?? Revision(rawValue: 0)
            let values: [Value] =
                device.owner.values + [
                    .id(id), .int(device.idiom.rawValue), .anyText(device.model), .anyText(device.name),
                    .anyText(device.systemVersion), .time(device.createdAt), .time(device.lastSeenAt),
                    .revision(joined),
                ]
            guard let known = before.contents.devices[id] else {
                add(Self.insertDevice, values)
                continue
            }
            let earlier = before.contents.joinedRevisions[id] ?? Revision(rawValue: 0)
            if !device.isStored(as: known) || joined != earlier {
                add(Self.updateDevice, values + [.id(known.owner.user)])
            }
        }
        for (id, device) in before.contents.devices where after.devices[id] == nil && after.users[device.owner] != nil {
            add("DELETE FROM device WHERE app = $1 AND owner = $2 AND uuid = $3", device.owner.values + [.id(id)])
        }
        for device in leaving { addLeaving(device) }
    }

    /// Drops the items of a device that moves to another user, and the decisions about these items. Moves the entries of
    /// the restore log.
    private mutating func addLeaving(_ device: Device) {
        let values = device.owner.values + [.id(device.id)]
        let ofDevice = """
            WHERE app = $1 AND owner = $2 AND registry IN (
                SELECT number FROM registry WHERE app = $1 AND owner = $2 AND device = $3)
            """
        add("DELETE FROM ambiguous_alias \(ofDevice)", values)
        add("DELETE FROM alias \(ofDevice)", values)
        add("DELETE FROM item \(ofDevice)", values)
        add("DELETE FROM registry WHERE app = $1 AND owner = $2 AND device = $3", values)
        add(
            "DELETE FROM link WHERE app = $1 AND owner = $2 AND (first_device = $3 OR second_device = $3)", values)
        guard let target = after.devices[device.id]?.owner else { return }
        let isLast = before.contents.devices.values.count { $0.owner == device.owner } == 1
        add(
            "UPDATE restore_log SET owner = $4 WHERE app = $1 AND owner = $2 AND (device = $3 OR $5)",
            values + [.id(target.user), .bool(isLast)])
    }

    mutating func addTokens() {
        for (digest, token) in after.tokens {
            guard let owner = after.devices[token.device]?.owner else { continue }
            let values =
                owner.values + [
                    .digest(digest), .id(token.device), .int(token.access.rawValue), .time(token.expiresAt),
                ]
            guard let known = before.contents.tokens[digest] else {
                add(Self.insertToken, values)
                continue
            }
            let earlier = before.contents.devices[known.device]?.owner
            guard known != token || earlier != owner else { continue }
            add(Self.updateToken, values + [.id(earlier?.user)])
        }
        for (digest, token) in before.contents.tokens where after.tokens[digest] == nil {
            guard let owner = before.contents.devices[token.device]?.owner, after.users[owner] != nil else { continue }
            add("DELETE FROM token WHERE app = $1 AND owner = $2 AND digest = $3", owner.values + [.digest(digest)])
        }
    }

    mutating func addInstallations() {
        // A new device may take over the installation of a device that is deleted, so deletions come first.
        for (key, known) in before.contents.installations {
            guard let owner = before.contents.devices[known.device]?.owner, after.users[owner] != nil else { continue }
            let now = after.installations[key]
            if now?.device != known.device || after.devices[known.device]?.owner != owner {
                add(
                    "DELETE FROM installation WHERE app = $1 AND owner = $2 AND uuid = $3",
                    owner.values + [.id(key.id)])
            }
        }
        for (key, installation) in after.installations {
            guard let owner = after.devices[installation.device]?.owner else { continue }
            let known = before.contents.installations[key]
            let earlier = known.flatMap { before.contents.devices[$0.device]?.owner }
            if known?.device == installation.device, earlier == owner { continue }
            add(
                "INSERT INTO installation (app, owner, device, uuid, secret) VALUES ($1, $2, $3, $4, $5)",
                owner.values + [.id(installation.device), .id(key.id), .digest(installation.secret)])
        }
    }

    mutating func addLinkCodes() {
        for (digest, code) in after.linkCodes {
            let user = after.usedLinkCodes[digest]
            if let known = before.contents.linkCodes[digest], known.owner == code.owner,
                known.expiresAt == code.expiresAt,
                before.contents.usedLinkCodes[digest] == user
            {
                continue
            }
            add(
                """
                INSERT INTO link_code (app, owner, digest, expires_at, used_by) VALUES ($1, $2, $3, $4, $5)
                ON CONFLICT (app, owner, digest) DO UPDATE SET expires_at = $4, used_by = $5
                """, code.owner.values + [.digest(digest), .time(code.expiresAt), .id(user)])
        }
        for (digest, code) in before.contents.linkCodes
        where after.linkCodes[digest] == nil && after.users[code.owner] != nil {
            add(
                "DELETE FROM link_code WHERE app = $1 AND owner = $2 AND digest = $3",
                code.owner.values + [.digest(digest)])
        }
    }
}

extension Device {
    /// Returns whether the stored columns of two values are equal.
    fileprivate func isStored(as other: Device) -> Bool {
        var other = other
        other.isSignedIn = isSignedIn
        return self == other
    }
}

extension Differences {
    fileprivate static let insertDevice = """
        INSERT INTO device (app, owner, uuid, idiom, model, name, system_version, created_at, last_seen_at, joined_revision)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
        """
    fileprivate static let updateDevice = """
        UPDATE device SET owner = $2, idiom = $4, model = $5, name = $6, system_version = $7, created_at = $8,
            last_seen_at = $9, joined_revision = $10
        WHERE app = $1 AND owner = $11 AND uuid = $3
        """
    fileprivate static let insertToken = """
        INSERT INTO token (app, owner, digest, device, access, expires_at) VALUES ($1, $2, $3, $4, $5, $6)
        """
    fileprivate static let updateToken = """
        UPDATE token SET owner = $2, device = $4, access = $5, expires_at = $6
        WHERE app = $1 AND owner = $7 AND digest = $3
        """
}
