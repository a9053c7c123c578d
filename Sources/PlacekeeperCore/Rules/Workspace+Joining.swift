// The rules by which a device joins a user. `RuleStore` documents what each promises.
extension Workspace {
    package mutating func register(_ new: NewDevice) throws(Interruption) -> JoinResult {
        let app = new.device.owner.app
        guard let installation = new.installation, let key = try owner(.installation(installation.id, app)),
            let known = try access(key).installations[installation.id],
            var device = try device(known.device, of: key)
        else { return new.mayBeNew ? try add(new) : .installationUnknown }
        guard known.secret == installation.secret else { return .installationCloned }
        if try hasExpired(device, since: new.unusedSince) {
            switch new.joins {
            case .newUser, .copy: return .signInRequired
            case .linkCode, .account: return try add(new, replacing: device)
            }
        }
        let launch = new.device.launch
        if let launch {
            guard !launch.isOfCopy(of: device.launch) else { return .installationCopied }
            device.launch = launch
        }
        device.describe(as: new.device)
        let time = new.device.createdAt
        let joining: JoinResult =
            switch new.joins {
            case .newUser, .copy: .joined(device)
            case .linkCode(let code):
                try link(device, with: code, at: time, retention: new.retention, new.quotas, new.unusedSince)
            case .account(let account):
                try signIn(device, to: account, at: time, retention: new.retention, new.quotas, new.unusedSince)
            }
        guard let joined = joining.device, let user = user(joined.owner) else { return joining }
        user.devices[joined.id]?.countsSince = user.revision
        note(.describeDevice(joined, of: user))
        note(.setCountsSince(joined.id, of: user))
        if let launch { note(.setLaunch(launch, of: joined.id, user)) }
        replaceToken(of: joined.id, of: user, by: NewToken(digest: new.token), at: time)
        invalidations = invalidations + .access(of: joined.owner)
        return joining
    }

    package mutating func move(
        _ device: DeviceID, of key: UserKey, linkCode: Digest, at time: Timestamp, retention: Int,
        _ quotas: App.Settings.Quotas, unusedSince: Timestamp?
    ) throws(Interruption) -> JoinResult {
        guard let moved = try self.device(device, of: key) else { return .codeInvalid }
        return try link(moved, with: linkCode, at: time, retention: retention, quotas, unusedSince)
    }

    package mutating func signIn(
        _ device: DeviceID, of key: UserKey, to account: Account, at time: Timestamp, retention: Int,
        _ quotas: App.Settings.Quotas, unusedSince: Timestamp?
    ) throws(Interruption) -> JoinResult {
        guard let moved = try self.device(device, of: key) else { return .deviceGone }
        return try signIn(moved, to: account, at: time, retention: retention, quotas, unusedSince)
    }

    package mutating func signOut(
        _ device: DeviceID, of key: UserKey, replacement: NewDevice?, at time: Timestamp
    ) throws(Interruption) -> SigningOut {
        guard try self.device(device, of: key) != nil else { return .deviceGone }
        let user = try known(key)
        guard user.subject != nil else { return .notSignedIn }
        try require([.usage(key.app)])
        if let replacement { try require([.user(replacement.device.owner), .access(replacement.device.owner)]) }
        let installation = user.access?.installations.first { $0.value.device == device }
        revoke(device, of: user, at: time)
        var invalidations = Invalidations.access(of: key)
        if var replacement {
            replacement.joins = .newUser
            replacement.installation = installation.map { Installation(id: $0.key, secret: $0.value.secret) }
            _ = try add(replacement)
            invalidations = invalidations + self.invalidations
        }
        self.invalidations = invalidations
        return .signedOut
    }

    /// Returns a device of a user, with its description.
    func device(_ id: DeviceID, of key: UserKey) throws(Interruption) -> Device? {
        try require([.user(key), .access(key)])
        return try access(key).devices[id]
    }

    /// Adds a new device to the user that it joins.
    ///
    /// - Parameter expired: the installation's device so far, which is dropped.
    private mutating func add(
        _ new: NewDevice, replacing expired: Device? = nil
    ) throws(Interruption) -> JoinResult {
        var device = new.device
        let (app, time) = (device.owner.app, device.createdAt)
        var original: DeviceID?
        switch new.joins {
        case .newUser: break
        case .linkCode(let digest):
            guard let code = try code(digest, in: app, at: time), code.record.usedBy == nil else {
                return .codeInvalid
            }
            device.owner = code.user.key
        case .account(let account):
            device.owner.user = try owner(.subject(account.digest, app))?.user ?? account.newUser
        case .copy(let installation):
            guard let key = try owner(.installation(installation.id, app)),
                let known = try access(key).installations[installation.id], known.secret == installation.secret
            else { return .installationUnknown }
            if let device = try self.device(known.device, of: key), try hasExpired(device, since: new.unusedSince) {
                return .signInRequired
            }
            (device.owner, original) = (key, known.device)
        }
        try require([.user(device.owner), .usage(app)])
        let user = try known(device.owner)
        guard let dropped = try devicesToDrop(for: user, replacing: expired, new.quotas, since: new.unusedSince) else {
            return .tooManyDevices
        }
        let growth = Usage(devices: 1 - dropped.count, users: user.exists ? 0 : 1)
        if let excess = new.quotas.excess(adding: growth, to: QuotaFacts(app: try usage(of: app))) {
            return .quotaExceeded(excess)
        }
        try dropExpired(dropped, at: time)
        if case .account(let account) = new.joins {
            create(user, of: account, at: time)
        } else {
            create(user, at: time)
        }
        if case .linkCode(let code) = new.joins { use(code, of: user, by: device.id) }
        device.isSignedIn = user.subject != nil
        user.devices[device.id] = UserState.DeviceState()
        note(.addDevice(device, of: user))
        count(Usage(devices: 1), of: user)
        add(NewToken(digest: new.token), of: device.id, user)
        if let installation = new.installation { note(.addInstallation(installation, of: device.id, user)) }
        log(.deviceRegistered, of: user, device: device.id, at: time)
        if let original {
            // The copy may have sent captures as the original, with sequences of its own.
            user.devices[original]?.countsSince = user.revision
            note(.setCountsSince(original, of: user))
            log(.deviceCopied, of: user, device: original, at: time)
        }
        invalidations = dropped.reduce(.registration(to: device.owner)) { $0 + .access(of: $1.owner) }
        return .joined(device)
    }

    /// Creates the user of an account if needed.
    mutating func create(_ user: UserState, of account: Account, at time: Timestamp) {
        guard !user.exists else { return }
        create(user, at: account.creation(at: time))
        setSubject(of: user, to: account)
    }

    mutating func setSubject(of user: UserState, to account: Account) {
        touch(user)
        user.subject = account.digest
        note(.setSubject(user, sealed: account.sealedSubject(user.key)))
    }

    /// Moves a device to the user of a link code.
    private mutating func link(
        _ device: Device, with digest: Digest, at time: Timestamp, retention: Int, _ quotas: App.Settings.Quotas,
        _ unusedSince: Timestamp?
    ) throws(Interruption) -> JoinResult {
        guard let code = try code(digest, in: device.owner.app, at: time) else { return .codeInvalid }
        if let user = code.record.usedBy {
            // The device used the code before, and may have missed the response.
            return user == device.id && code.user.key == device.owner ? .joined(device) : .codeInvalid
        }
        guard code.user.key != device.owner else {
            use(digest, of: code.user, by: device.id)
            return .joined(device)
        }
        guard !device.isSignedIn else { return .signedIn }
        let joining = try move(
            device, from: try known(device.owner), to: code.user, at: time, retention: retention, quotas, unusedSince)
        if joining.device != nil { use(digest, of: code.user, by: device.id) }
        return joining
    }

    /// Moves the device of an anonymous user to an account.
    private mutating func signIn(
        _ device: Device, to account: Account, at time: Timestamp, retention: Int, _ quotas: App.Settings.Quotas,
        _ unusedSince: Timestamp?
    ) throws(Interruption) -> JoinResult {
        let key = device.owner
        let known = try owner(.subject(account.digest, key.app))
        guard !device.isSignedIn else { return known == key ? .joined(device) : .signedIn }
        let source = try self.known(key)
        if known == nil, source.devices.count == 1 {
            dropUnusedCodes(of: source)
            // An earlier erasure of the account must not apply to this user, so the user's creation time may rise. It
            // never goes back, because an erasure must also find the user in a backup with the earlier time.
            source.createdAt = max(source.createdAt, account.creation(at: time))
            setSubject(of: source, to: account)
            invalidations = .access(of: key)
            var device = device
            device.isSignedIn = true
            return .joined(device)
        }
        let target = known ?? UserKey(app: key.app, user: account.newUser)
        try require([.user(target), .access(target), .usage(key.app)])
        if known == nil,
            let excess = quotas.excess(adding: Usage(users: 1), to: QuotaFacts(app: try usage(of: key.app)))
        {
            return .quotaExceeded(excess)
        }
        return try move(
            device, from: source, to: try self.known(target), creating: account, at: time, retention: retention, quotas,
            unusedSince)
    }
}
