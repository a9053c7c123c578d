package import PlacekeeperService

extension OldMemoryStore {
    package func register(_ new: NewDevice) -> Committed<Joining> {
        guard let installation = new.installation, let known = known(installation, in: new.device.owner.app) else {
            return committed(new.mayBeNew ? add(new) : (.installationUnknown, .none))
        }
        guard known.secret == installation.secret else { return commit(.installationCloned, .none) }
        return committed(registerAgain(known.device, by: new))
    }

    package func credential(of token: Digest) -> Fresh<Credential>? {
        guard let record = tokens[token], let device = devices[record.device].map(current) else { return nil }
        return Fresh(
            Credential(device: device, access: record.access, expiresAt: record.expiresAt),
            freshness(of: device.owner))
    }

    package func replaceToken(
        of device: DeviceID, of owner: UserKey, by token: NewToken, at time: Timestamp
    ) -> Committed<Bool> {
        guard devices[device]?.owner == owner else { return commit(false, .none) }
        replaceToken(of: device, by: token, at: time)
        return commit(true, .access(of: owner))
    }

    package func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) -> Committed<Joining> {
        guard let moved = devices[device], moved.owner == owner else { return commit(.codeInvalid, .none) }
        return committed(link(current(moved), with: linkCode, at: time, retention: retention, quotas))
    }

    package func signIn(
        _ device: DeviceID, of owner: UserKey, to account: Account, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) -> Committed<Joining> {
        guard let moved = devices[device], moved.owner == owner else { return commit(.deviceGone, .none) }
        return committed(signIn(current(moved), to: account, at: time, retention: retention, quotas))
    }

    package func signOut(
        _ device: DeviceID, of owner: UserKey, replacement: NewDevice?, at time: Timestamp
    ) -> Committed<SigningOut> {
        guard let leaving = devices[device], leaving.owner == owner else { return commit(.deviceGone, .none) }
        guard users[owner]?.subject != nil else { return commit(.notSignedIn, .none) }
        return commit(.signedOut, signOut(leaving, replacement: replacement, at: time))
    }

    package func userID(ofSubject digest: Digest, in app: AppID) -> UserID? {
        users.first { $0.key.app == app && $0.value.subject?.digest == digest }?.key.user
    }

    package func sealedSubject(of owner: UserKey) -> [UInt8]? { users[owner]?.subject?.sealed }

    private typealias Write = (joining: Joining, effects: Effects)

    private func committed(_ write: Write) -> Committed<Joining> { commit(write.joining, write.effects) }

    private func add(_ new: NewDevice) -> Write {
        var device = new.device
        switch new.joins {
        case .newUser: break
        case .linkCode(let code):
            guard let owner = owner(of: code, in: device.owner.app, at: device.createdAt), usedLinkCodes[code] == nil
            else { return (.codeInvalid, .none) }
            device.owner = owner
        case .account(let account):
            device.owner.user = userID(ofSubject: account.digest, in: device.owner.app) ?? account.newUser
        }
        guard hasRoom(device.owner, new.quotas) else { return (.tooManyDevices, .none) }
        let growth = Usage(devices: 1, users: users[device.owner] == nil ? 1 : 0)
        if let excess = new.quotas.excess(
            adding: growth, to: QuotaFacts(app: limitedUsage(of: device.owner.app, for: new.quotas)))
        {
            return (.quotaExceeded(excess), .none)
        }
        if case .account(let account) = new.joins, users[device.owner] == nil {
            createUser(of: account, device.owner, at: device.createdAt)
        }
        if case .linkCode(let code) = new.joins { usedLinkCodes[code] = device.id }
        devices[device.id] = device
        tokens[new.token] = TokenRecord(device: device.id, access: .full)
        if let installation = new.installation {
            installations[InstallationKey(app: device.owner.app, id: installation.id)] =
                (installation.secret, device.id)
        }
        users[device.owner, default: UserRecord(createdAt: device.createdAt)]
            .log(.deviceRegistered, device: device.id, at: device.createdAt)
        return (.joined(current(device)), .registration(to: device.owner))
    }

    private func registerAgain(_ known: Device, by new: NewDevice) -> Write {
        let time = new.device.createdAt
        var device = known
        device.describe(as: new.device)
        let write: Write =
            switch new.joins {
            case .newUser: (.joined(device), .none)
            case .linkCode(let code): link(device, with: code, at: time, retention: new.retention, new.quotas)
            case .account(let account):
                signIn(device, to: account, at: time, retention: new.retention, new.quotas)
            }
        guard let joined = write.joining.device else { return write }
        devices[joined.id] = joined
        replaceToken(of: joined.id, by: NewToken(digest: new.token), at: time)
        return (write.joining, write.effects + .access(of: joined.owner))
    }

    private func link(
        _ device: Device, with code: Digest, at time: Timestamp, retention: Int, _ quotas: App.Settings.Quotas
    ) -> Write {
        guard let target = owner(of: code, in: device.owner.app, at: time) else { return (.codeInvalid, .none) }
        if let user = usedLinkCodes[code] {
            return user == device.id && target == device.owner ? (.joined(device), .none) : (.codeInvalid, .none)
        }
        guard target != device.owner else {
            usedLinkCodes[code] = device.id
            return (.joined(device), .none)
        }
        guard !device.isSignedIn else { return (.signedIn, .none) }
        let joining = move(device, to: target, at: time, retention: retention, quotas)
        guard joining.device != nil else { return (joining, .none) }
        usedLinkCodes[code] = device.id
        return (joining, .move(from: device.owner, to: target))
    }

    private func signIn(
        _ device: Device, to account: Account, at time: Timestamp, retention: Int, _ quotas: App.Settings.Quotas
    ) -> Write {
        let owner = device.owner
        let known = userID(ofSubject: account.digest, in: owner.app)
        guard !device.isSignedIn else { return known == owner.user ? (.joined(device), .none) : (.signedIn, .none) }
        if known == nil, devices.values.count(where: { $0.owner == owner }) == 1 {
            dropUnusedLinkCodes(of: owner)
            let creation = account.creation(at: time)
            var user = users[owner] ?? UserRecord()
            user.createdAt = max(user.createdAt, creation)
            user.subject = (account.digest, account.sealedSubject(owner))
            users[owner] = user
            return (.joined(current(device)), .access(of: owner))
        }
        let target = UserKey(app: owner.app, user: known ?? account.newUser)
        if known == nil {
            if let excess = quotas.excess(adding: Usage(users: 1), to: QuotaFacts(app: usage(of: owner.app))) {
                return (.quotaExceeded(excess), .none)
            }
            createUser(of: account, target, at: time)
        }
        let joining = move(device, to: target, at: time, retention: retention, quotas)
        return (joining, joining.device == nil ? .none : .move(from: owner, to: target))
    }

    private func signOut(_ device: Device, replacement: NewDevice?, at time: Timestamp) -> Effects {
        let installation = installations.first { $0.value.device == device.id }
        _ = remove(device.id, of: device.owner, at: time)
        let effects = Effects.access(of: device.owner, true)
        guard var replacement else { return effects }
        replacement.installation = installation.map { Installation(id: $0.key.id, secret: $0.value.secret) }
        return effects + add(replacement).effects
    }

    /// Creates the user of an account.
    private func createUser(of account: Account, _ owner: UserKey, at time: Timestamp) {
        users[owner, default: UserRecord(createdAt: account.creation(at: time))].subject = (
            account.digest, account.sealedSubject(owner)
        )
    }

    private func known(_ installation: Installation, in app: AppID) -> (secret: Digest, device: Device)? {
        guard let record = installations[InstallationKey(app: app, id: installation.id)],
            let device = devices[record.device]
        else { return nil }
        return (record.secret, current(device))
    }

    private func replaceToken(of device: DeviceID, by token: NewToken, at time: Timestamp) {
        let replaced = tokens.filter { _, record in
            record.device == device
                && (record.access == token.access || (token.revokesPrevious && token.access == .full))
        }
        let presented = token.presented.flatMap { replaced[$0] == nil ? nil : $0 }
        for (digest, record) in replaced {
            let isKept = presented.map { $0 == digest } ?? (record.expiresAt == nil)
            guard isKept, !token.revokesPrevious else {
                tokens[digest] = nil
                continue
            }
            let end = time + Credential.grace
            tokens[digest]?.expiresAt = min(record.expiresAt ?? end, end)
        }
        tokens[token.digest] = TokenRecord(device: device, access: token.access)
    }
}
