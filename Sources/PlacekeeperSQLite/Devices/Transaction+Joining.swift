import PlacekeeperService

// The rules by which a device gets its user (`Store.register`, `move`, `signIn`, `signOut`).
extension Transaction {
    /// Adds a new device to the user that it joins.
    func add(_ new: NewDevice) throws(StoreError) -> JoiningWrite {
        var device = new.device
        let time = device.createdAt
        var known: UserRow?
        switch new.joins {
        case .newUser: known = try connection.user(device.owner)
        case .linkCode(let code):
            guard let code = try connection.linkCode(code, in: device.owner.app, at: time), code.usedBy == nil,
                let row = try connection.user(code.owner)
            else { return .refused(.codeInvalid) }
            device.owner = code.owner
            known = row
        case .account(let account):
            let user = try connection.userID(ofSubject: account.digest, in: device.owner.app)
            device.owner.user = user ?? account.newUser
            if user != nil { known = try connection.user(device.owner) }
        }
        if let known, try !connection.hasRoom(known, new.quotas) { return .refused(.tooManyDevices) }
        let growth = Usage(devices: 1, users: known == nil ? 1 : 0)
        if let excess = try excess(adding: growth, in: device.owner.app, new.quotas) {
            return .refused(.quotaExceeded(excess))
        }
        var user: UserRow
        if let known {
            user = known
        } else if case .account(let account) = new.joins {
            user = try createUser(of: account, device.owner, at: time)
        } else {
            user = try createUser(device.owner, at: time)
        }
        device.isSignedIn = try connection.hasSubject(user)
        try keepingScenes(except: device.owner) { () throws(StoreError) in
            if case .linkCode(let code) = new.joins { try use(code, by: device.id) }
            try insert(device, of: user, new)
            try log(.deviceRegistered, for: &user, device: device.id, at: time)
        }
        return .joined(device, .registration(to: device.owner))
    }

    /// Gives the device of a known installation a new token and a new description. The device then joins its user.
    func registerAgain(_ known: Device, by new: NewDevice) throws(StoreError) -> JoiningWrite {
        let time = new.device.createdAt
        var device = known
        device.describe(as: new.device)
        var write: JoiningWrite
        switch new.joins {
        case .newUser: write = .joined(device, .none)
        case .linkCode(let code): write = try link(device, with: code, at: time, retention: new.retention, new.quotas)
        case .account(let account):
            write = try signIn(device, to: account, at: time, retention: new.retention, new.quotas)
        }
        guard let joined = write.joining.device else { return write }
        try keepingScenes { () throws(StoreError) in
            try describe(joined)
            try replaceToken(of: joined.id, by: NewToken(digest: new.token), at: time)
        }
        write.effects = write.effects + .access(of: joined.owner)
        return write
    }

    /// Moves a device to the user of a link code.
    func link(
        _ device: Device, with code: Digest, at time: Timestamp, retention: Int, _ quotas: App.Settings.Quotas
    ) throws(StoreError) -> JoiningWrite {
        guard let found = try connection.linkCode(code, in: device.owner.app, at: time) else {
            return .refused(.codeInvalid)
        }
        let target = found.owner
        if let user = found.usedBy {
            // The device used the code before and may have missed the answer.
            return user == device.id && target == device.owner ? .joined(device, .none) : .refused(.codeInvalid)
        }
        guard target != device.owner else {
            try use(code, by: device.id)
            return .joined(device, .none)
        }
        guard !device.isSignedIn else { return .refused(.signedIn) }
        guard let destination = try connection.user(target) else { return .refused(.codeInvalid) }
        let write = try move(device, to: target, destination, at: time, retention: retention, quotas)
        if write.joining.device != nil { try use(code, by: device.id) }
        return write
    }

    /// Moves the device of an anonymous user to an account.
    func signIn(
        _ device: Device, to account: Account, at time: Timestamp, retention: Int, _ quotas: App.Settings.Quotas
    ) throws(StoreError) -> JoiningWrite {
        let app = device.owner.app
        let known = try connection.userID(ofSubject: account.digest, in: app)
        guard !device.isSignedIn else {
            return known == device.owner.user ? .joined(device, .none) : .refused(.signedIn)
        }
        if known == nil, try connection.deviceCount(of: try user(device.owner)) == 1 {
            try dropUnusedLinkCodes(of: try user(device.owner))
            try setSubject(of: device.owner, to: account, at: account.creation(at: time))
            var device = device
            device.isSignedIn = true
            return .joined(device, .access(of: device.owner))
        }
        let target = UserKey(app: app, user: known ?? account.newUser)
        if known == nil {
            if let excess = try excess(adding: Usage(users: 1), in: app, quotas) {
                return .refused(.quotaExceeded(excess))
            }
            let destination = try createUser(of: account, target, at: time)
            return try move(device, to: target, destination, at: time, retention: retention, quotas)
        }
        return try move(device, to: target, try user(target), at: time, retention: retention, quotas)
    }

    /// Removes a signed-in device from its user, and adds the replacement as the device of a new anonymous user. Returns
    /// the effects.
    func signOut(_ device: Device, replacement: NewDevice?, at time: Timestamp) throws(StoreError) -> Effects {
        let installation = try connection.installation(of: device.id)
        try revoke(device, at: time)
        var effects = Effects.access(of: device.owner, true)
        if var replacement {
            replacement.installation = installation
            effects = effects + (try add(replacement).effects)
        }
        return effects
    }

    /// Creates the user of an account.
    private func createUser(
        of account: Account, _ owner: UserKey, at time: Timestamp
    ) throws(StoreError) -> UserRow {
        var row = try createUser(owner, at: account.creation(at: time))
        try setSubject(of: owner, to: account)
        row.isSignedIn = true
        return row
    }

    /// Returns the quota of the app that more users or devices would exceed.
    private func excess(
        adding growth: Usage, in app: AppID, _ quotas: App.Settings.Quotas
    ) throws(StoreError) -> QuotaExcess? {
        quotas.excess(adding: growth, to: QuotaFacts(app: try usage(of: app)))
    }
}
