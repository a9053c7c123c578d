package import PlacekeeperCore
package import PlacekeeperService

extension Store {
    /// Registers a device without an installation.
    package func register(
        _ device: Device, token: Digest, linkCode: Digest?
    ) async throws(StoreError) -> Committed<JoinResult> {
        try await register(NewDevice(device, token: token, joins: linkCode.map { .linkCode($0) } ?? .newUser))
    }

    /// Replaces an app's settings, whatever they are.
    package func replaceSettings(
        of app: AppID, with settings: App.Settings
    ) async throws(StoreError) -> Committed<Bool> {
        try await replaceSettings(of: app, with: settings, replacing: nil)
    }

    /// Adds a session of an administrator, whose password it reads. Returns false if there is no such administrator.
    package func start(_ session: AdminSession) async throws(StoreError) -> Bool {
        guard let found = try await administrator(.id(session.administrator)) else { return false }
        return try await start(session, ifPasswordIs: found.password)
    }

    /// Returns the device of a token.
    package func device(token: Digest) async throws(StoreError) -> Fresh<Device>? {
        try await credential(of: token).map { Fresh($0.value.device, $0.userVersion) }
    }

    /// Stores a screenshot without quotas. Returns false if the archive does not exist.
    package func putScreenshot(
        _ screenshot: Screenshot, for id: ArchiveID, in scene: SceneKey
    ) async throws(StoreError) -> Committed<Bool> {
        let committed = try await putScreenshot(screenshot, for: id, in: scene, quotas: .none)
        return Committed(committed.value == .stored, committed.invalidations)
    }

    /// Forgets a scene with the default quotas.
    package func forget(_ scene: SceneKey, at time: Timestamp) async throws(StoreError) -> Committed<Timestamp> {
        try await forget(scene, at: time, quotas: App.Settings.Quotas())
    }

    /// Moves a device without quotas.
    package func move(
        _ device: DeviceID, of owner: UserKey, linkCode: Digest, at time: Timestamp, retention: Int
    ) async throws(StoreError) -> Committed<JoinResult> {
        try await move(device, of: owner, linkCode: linkCode, at: time, retention: retention, quotas: .none)
    }

    /// Signs a device in without quotas.
    package func signIn(
        _ device: DeviceID, of owner: UserKey, to account: Account, at time: Timestamp, retention: Int
    ) async throws(StoreError) -> Committed<JoinResult> {
        try await signIn(device, of: owner, to: account, at: time, retention: retention, quotas: .none)
    }
}
