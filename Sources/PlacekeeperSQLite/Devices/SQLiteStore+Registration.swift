package import PlacekeeperService

extension SQLiteStore {
    package func register(_ new: NewDevice) async throws(StoreError) -> Committed<Joining> {
        try await joining(of: new) { transaction throws(StoreError) in
            let app = new.device.owner.app
            guard let installation = new.installation,
                let known = try transaction.connection.device(of: installation, in: app)
            else { return new.mayBeNew ? try transaction.add(new) : .refused(.installationUnknown) }
            guard known.secret == installation.secret else { return .refused(.installationCloned) }
            return try transaction.registerAgain(known.device, by: new)
        }
    }

    /// Performs a write that adds a device or may move it. A move may read all archives of two users, so each
    /// transaction performs at most one such write. A new device without a link code and without an account moves
    /// nothing.
    private func joining(
        of new: NewDevice, _ body: @escaping @Sendable (Transaction) throws(StoreError) -> JoiningWrite
    ) async throws(StoreError) -> Committed<Joining> {
        let mayMove = if case .newUser = new.joins { false } else { new.installation != nil }
        return try await write(rows: mayMove ? Self.rowsOfMove : 0, body)
    }

    func write(
        rows: Int, _ body: @escaping @Sendable (Transaction) throws(StoreError) -> JoiningWrite
    ) async throws(StoreError) -> Committed<Joining> {
        let committed = try await writer.write(rows: rows, effects: \.effects, body)
        return Committed(committed.value.joining, committed.effects)
    }

    /// The number of rows that a move reports to the writer: the default limit of one transaction
    /// (`Configuration.rowsAtOnce`).
    static let rowsOfMove = 16_384

    package func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Joining> {
        try await write(rows: Self.rowsOfMove) { transaction throws(StoreError) in
            guard let moved = try transaction.connection.device(device, of: owner) else {
                return .refused(.codeInvalid)
            }
            return try transaction.link(moved, with: linkCode, at: time, retention: retention, quotas)
        }
    }

    package func signIn(
        _ device: DeviceID, of owner: UserKey, to account: Account, at time: Timestamp, retention: Int,
        quotas: App.Settings.Quotas
    ) async throws(StoreError) -> Committed<Joining> {
        try await write(rows: Self.rowsOfMove) { transaction throws(StoreError) in
            guard let moved = try transaction.connection.device(device, of: owner) else { return .refused(.deviceGone) }
            return try transaction.signIn(moved, to: account, at: time, retention: retention, quotas)
        }
    }

    package func signOut(
        _ device: DeviceID, of owner: UserKey, replacement: NewDevice?, at time: Timestamp
    ) async throws(StoreError) -> Committed<SigningOut> {
        let committed = try await writer.write(effects: { (write: (SigningOut, Effects)) in write.1 }) {
            transaction throws(StoreError) -> (SigningOut, Effects) in
            guard let leaving = try transaction.connection.device(device, of: owner) else {
                return (.deviceGone, .none)
            }
            guard leaving.isSignedIn else { return (.notSignedIn, .none) }
            return (.signedOut, try transaction.signOut(leaving, replacement: replacement, at: time))
        }
        return Committed(committed.value.0, committed.effects)
    }

    package func userID(ofSubject digest: Digest, in app: AppID) async throws(StoreError) -> UserID? {
        try readers.read { connection throws(StoreError) in try connection.userID(ofSubject: digest, in: app) }
    }

    package func sealedSubject(of owner: UserKey) async throws(StoreError) -> [UInt8]? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.subjectOfUser)
            select.bind(owner.app, at: 1)
            select.bind(owner.user, at: 2)
            guard try select.step(), !select.isNull(0) else { return nil }
            return select.bytes(0)
        }
    }
}

/// The result of a write that adds or moves a device, and the write's effects.
struct JoiningWrite: Sendable {
    var joining: Joining
    var effects: Effects

    static func refused(_ joining: Joining) -> JoiningWrite { JoiningWrite(joining: joining, effects: .none) }
    static func joined(_ device: Device, _ effects: Effects) -> JoiningWrite {
        JoiningWrite(joining: .joined(device), effects: effects)
    }
}

extension Query {
    fileprivate static let subjectOfUser = Query("SELECT subject FROM user WHERE app = ?1 AND uuid = ?2")
}
