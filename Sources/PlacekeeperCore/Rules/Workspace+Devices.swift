// The rules for devices, their tokens and link codes. `RuleStore` documents what each promises.
extension Workspace {
    package mutating func replaceToken(
        of device: DeviceID, of key: UserKey, by token: NewToken, at time: Timestamp
    ) throws(Interruption) -> Bool {
        try require([.user(key), .access(key)])
        let user = try known(key)
        guard user.devices[device] != nil else { return false }
        replaceToken(of: device, of: user, by: token, at: time)
        invalidations = .access(of: key)
        return true
    }

    /// Replaces a device's token. For each kind of access, at most one replaced token remains valid: the one in the
    /// request, or else the newest one.
    mutating func replaceToken(of device: DeviceID, of user: UserState, by token: NewToken, at time: Timestamp) {
        touch(user)
        // Whoever stole a token with full access may have made a read-only token, so read-only tokens end too.
        let replaced = (user.access?.tokens ?? [:]).filter { _, record in
            record.device == device
                && (record.access == token.access || token.revokesPrevious && token.access == .full)
        }
        let presented = token.presented.flatMap { replaced[$0] == nil ? nil : $0 }
        for (digest, record) in replaced {
            let isKept = presented.map { $0 == digest } ?? (record.expiresAt == nil)
            guard isKept, !token.revokesPrevious else {
                user.access?.tokens[digest] = nil
                note(.dropToken(digest, of: user))
                continue
            }
            let end = min(record.expiresAt ?? time + Credential.grace, time + Credential.grace)
            user.access?.tokens[digest]?.expiresAt = end
            note(.endToken(digest, at: end, of: user))
        }
        add(token, of: device, user)
    }

    mutating func add(_ token: NewToken, of device: DeviceID, _ user: UserState) {
        let record = Access.TokenRecord(device: device, access: token.access)
        user.access?.tokens[token.digest] = record
        note(.addToken(token.digest, record, of: user))
    }

    package mutating func describe(_ device: Device) throws(Interruption) -> Bool {
        try require([.user(device.owner)])
        let user = try known(device.owner)
        guard user.devices[device.id] != nil else { return false }
        touch(user)
        note(.describeDevice(device, of: user))
        invalidations = .access(of: device.owner)
        return true
    }

    package mutating func begin(
        _ launch: CountedLaunch, of id: DeviceID, _ key: UserKey
    ) throws(Interruption) -> JoinResult {
        guard var device = try device(id, of: key) else { return .deviceGone }
        guard launch != device.launch else { return .joined(device) }
        guard !launch.isOfCopy(of: device.launch) else { return .installationCopied }
        let user = try known(key)
        touch(user)
        device.launch = launch
        note(.setLaunch(launch, of: id, user))
        invalidations.access = [key]
        return .joined(device)
    }

    package mutating func revoke(_ device: DeviceID, of key: UserKey, at time: Timestamp) throws(Interruption) -> Bool {
        try require([.user(key), .usage(key.app)])
        let user = try known(key)
        guard user.devices[device] != nil else { return false }
        revoke(device, of: user, at: time)
        invalidations = .access(of: key)
        return true
    }

    /// Drops a device and all link codes of its user.
    mutating func revoke(_ device: DeviceID, of user: UserState, at time: Timestamp) {
        user.access?.codes = [:]
        note(.dropCodes(of: user, unusedOnly: false))
        drop(device, of: user, at: time)
    }

    mutating func drop(_ device: DeviceID, of user: UserState, at time: Timestamp) {
        user.devices[device] = nil
        note(.dropDevice(device, of: user))
        count(Usage(devices: -1), of: user)
        dropAllServedLast(by: device, of: user)
        log(.deviceRevoked, of: user, device: device, at: time)
    }

    /// Drops the records of what a device was served last, so those archives aren't kept for it anymore.
    mutating func dropAllServedLast(by device: DeviceID, of user: UserState) {
        for scene in user.scenes.values { scene.history.dropServedLast(by: device) }
        note(.dropAllServedLast(by: device, of: user))
    }

    package mutating func create(_ code: LinkCode) throws(Interruption) {
        try require([.user(code.owner)])
        let user = try known(code.owner)
        guard user.exists else { throw .userGone }
        if let maker = code.maker, user.devices[maker] == nil { throw .userGone }
        touch(user)
        note(.addCode(code, of: user))
    }

    /// Returns the user and the record of a link code. Nil if the code is unknown or expired, or belongs to another
    /// app.
    func code(_ digest: Digest, in app: AppID, at time: Timestamp) throws(Interruption) -> (
        user: UserState, record: Access.CodeRecord
    )? {
        guard let key = try owner(.linkCode(digest)), key.app == app else { return nil }
        let codes = try access(key).codes
        guard let record = codes[digest], time < record.expiresAt,
            record.expiresAt <= LinkCode.latestExpiry(at: time)
        else { return nil }
        return (try known(key), record)
    }

    mutating func use(_ code: Digest, of user: UserState, by device: DeviceID) {
        touch(user)
        user.access?.codes[code]?.usedBy = device
        note(.useCode(code, by: device, of: user))
    }

    /// Drops a user's unused link codes.
    mutating func dropUnusedCodes(of user: UserState) {
        touch(user)
        let used = user.access?.codes.filter { $0.value.usedBy != nil }
        user.access?.codes = used ?? [:]
        note(.dropCodes(of: user, unusedOnly: true))
    }
}
