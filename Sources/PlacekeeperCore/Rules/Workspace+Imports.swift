// The rules that begin and end an import. `RuleStore` documents what each promises.
extension Workspace {
    package mutating func begin(_ imported: ImportedUser) throws(Interruption) -> Bool {
        try require([.user(imported.owner), .usage(imported.owner.app)])
        let user = try known(imported.owner)
        guard !user.exists else { return false }
        create(user, at: imported.createdAt)
        touch(user, at: imported.createdAt)
        (user.revision, user.prunedThrough) = (imported.revision, imported.prunedThrough)
        invalidations = .write(to: imported.owner)
        return true
    }

    package mutating func end(
        importOf key: UserKey, devices: [Device], account: Account?
    ) throws(Interruption) -> ImportEnd {
        var needs: [Need] = [.user(key), .usage(key.app)]
        needs += devices.map { .owner(.device($0.id)) }
        if let account { needs.append(.owner(.subject(account.digest, key.app))) }
        try require(needs)
        let user = try known(key)
        guard user.exists else { throw .userGone }
        if let account, let known = try owner(.subject(account.digest, key.app)), known != key { return .accountTaken }
        for device in devices where try owner(.device(device.id)) != nil { return .deviceTaken(device.id) }
        for device in devices {
            user.devices[device.id] = UserState.DeviceState(countsSince: user.revision)
            note(.addDevice(device, of: user))
            count(Usage(devices: 1), of: user)
        }
        if let account { setSubject(of: user, to: account) }
        touch(user)
        note(.indexHeads(of: user))
        invalidations = .access(of: key)
        return .done
    }
}
