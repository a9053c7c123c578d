import PlacekeeperConcurrency
public import Foundation
public import Observation

/// The client of a Placekeeper service. Create one per app and process.
///
/// ```swift
/// let placekeeper = Placekeeper(URL(string: "https://place.example.com")!, key: "pk_…")
/// ```
/// Creating a client does no I/O. All work runs on the client's own queue.
public final class Placekeeper: Sendable {
    let engine: Engine
    package let configuration: Configuration
    let windows = WindowNames()
    /// The first values of the scenes in this process.
    @MainActor package var freshValues: [String: Any] = [:]
    private let leaving: LeavingObserver?
    private let observation = ObservationBox()
    /// Shared by all clients of a process, so none mistakes another client's restore for a crash.
    private static let launchOfProcess = UUID().uuidString.lowercased()

    /// Creates a client.
    /// - Parameters:
    ///   - server: The address of the service, such as `https://place.example.com`.
    ///   - key: The app's publishable key, `pk_…`.
    ///   - configuration: The settings.
    public convenience init(_ server: URL, key: String, configuration: Configuration = Configuration()) {
        let folder = ClientFolder(of: server, key, configuration)
        self.init(
            key: key, configuration: configuration, clock: SystemClock(), transport: URLSessionTransport(server),
            folder: { folder.open() }, credentials: { FileCredentialStore($0) }, random: SystemRandomNumberGenerator(),
            launch: Self.launchOfProcess, notifications: .default)
    }

    package convenience init(
        key: String, configuration: Configuration, clock: any ClientClock, transport: any Transport,
        files: @escaping @Sendable () -> any FileSystem,
        credentials: @escaping @Sendable (any FileSystem) -> any CredentialStore,
        random: any RandomNumberGenerator & Sendable, launch: String = UUID().uuidString.lowercased(),
        watch: any EngineWatch = NoWatch(), notifications: NotificationCenter? = nil
    ) {
        self.init(
            key: key, configuration: configuration, clock: clock, transport: transport,
            folder: { ClientFolder.Opened(files: files()) }, credentials: credentials, random: random, launch: launch,
            watch: watch, notifications: notifications)
    }

    package init(
        key: String, configuration: Configuration, clock: any ClientClock, transport: any Transport,
        folder: @escaping @Sendable () -> ClientFolder.Opened,
        credentials: @escaping @Sendable (any FileSystem) -> any CredentialStore,
        random: any RandomNumberGenerator & Sendable, launch: String = UUID().uuidString.lowercased(),
        watch: any EngineWatch = NoWatch(), notifications: NotificationCenter? = nil
    ) {
        self.configuration = configuration
        let engine = Engine(clock: clock, transport: transport, watch: watch) {
            let folder = folder()
            var settings = ClientCore.Settings(configuration, key: key)
            settings.isInFormerFolder = folder.isFormer
            settings.hasOtherAddress = folder.hasOtherAddress
            return ClientCore(
                files: folder.files, credentials: credentials(folder.files), settings: settings, launch: launch,
                random: random)
        }
        self.engine = engine
        leaving = notifications.map { center in
            LeavingObserver(center) { [weak engine] in engine?.performNow { core, now in core.leaveScenes(at: now) } }
        }
        engine.statusObserver.withLock { $0 = { [weak self] in self?.noteStatus() } }
    }

    /// Returns a scene: a window's role or a document, such as `main`. Not an instance of `UIScene`.
    /// - Parameter name: 1 to 64 characters from `A–Z a–z 0–9 . _ -`.
    package func scene(_ name: String = "main") -> KeptScene { KeptScene(name, self) }

    /// Returns a list whose items the device registers, so other devices can restore the same items.
    /// - Parameters:
    ///   - name: The name of the data source: 1 to 64 characters from `A–Z a–z 0–9 . _ -`.
    ///   - selectsNeighbors: Whether the service may select the nearest neighbor if a selected item is gone. The first
    ///     declaration by any device counts.
    ///   - uniqueAliases: The kinds of aliases that different elements never share (see
    ///     `ModelAssociation.uniqueAliases`). The first declaration by any device counts.
    package func list(_ name: String, selectsNeighbors: Bool = false, uniqueAliases: [String] = []) -> KeptList {
        KeptList(name, .init(selectsNeighbors: selectsNeighbors, uniqueAliases: uniqueAliases), self)
    }

    /// Sends everything that is unsent, and returns when it has been sent. Call this method before a process ends on its
    /// own, such as a command. In an app, `keepsPlace` and `RestorableWindow` do it in the background.
    ///
    /// Until the next interaction, a saved state is then a view-only capture of the user's work, and the end of the
    /// process does not count as a crash. Delayed saves run on the main actor first, so do not block the main actor in
    /// the meantime.
    /// - Parameter deadline: The time within which this method returns. Defaults to five seconds.
    /// - Throws: An error if something could not be sent before the deadline. It is on the disk, and is sent later.
    public func flush(deadline: Duration? = nil) async throws {
        await saveDelayed()
        let result = await engine.result(of: .flush, deadline: deadline.map { min(max($0.seconds, 0), 86_400) })
        if case .failed(let error) = result { try await throwing { () throws(PlacekeeperError) in throw error } }
    }

    /// Waits until every state and outcome of earlier calls is on disk. Uses no network.
    /// - Throws: An error if a state could not be written, or if the service refused a state since the last flush.
    package func waitUntilSaved() async throws(PlacekeeperError) {
        await saveDelayed()
        engine.perform { core, now in core.leaveInOrder(at: now) }
        if let error = await engine.value({ $0.savingFailure }) { throw error }
    }

    /// Signs the device in to an account of the app. The states of an anonymous user move to the account.
    /// - Parameter token: Returns a sign-in token from the app's backend. The client keeps the closure, and calls it
    ///   again when the service asks for a new sign-in.
    public func signIn(_ token: @escaping @Sendable () async throws -> String) async throws {
        // Delayed changes belong to the user before the sign-in.
        await saveDelayed()
        do {
            try await throwing { () async throws(PlacekeeperError) in try await engine.signIn(token) }
        } catch {
            await noteAccount()
            throw error
        }
        await noteAccount()
    }

    /// Signs the device out. The account keeps its states.
    ///
    /// No user is registered until the next sign-in, link or link code. If `Configuration.registersAnonymously` is true,
    /// work in the app also registers a user. A view with `keepsPlace` is cleared before this method returns, and starts
    /// again. If the app saves states itself, restore the scene again: until then, saving fails with `accountChanged`.
    /// - Parameter unsent: What happens to states that are not sent yet.
    /// - Throws: An error if the device is not signed out yet. After the code `offline`, the service may have received
    ///   the sign-out. The client finds out before it sends anything else, even in the next process.
    public func signOut(unsent: UnsentStates = .send(within: .seconds(5))) async throws {
        try await throwing { () async throws(PlacekeeperError) in try await done(.signOut(unsent)) }
    }

    /// Returns a new code with which another device can join the user of this device.
    public func linkCode() async throws -> LinkCode {
        try await throwing { () async throws(PlacekeeperError) in
            let result = await engine.result(of: .makeLinkCode)
            guard case .linkCode(let code) = result else { throw result.error }
            return code
        }
    }

    /// Joins the user of another device, with a code from that device. The states of this device move to that user.
    public func link(_ code: String) async throws {
        try await throwing { () async throws(PlacekeeperError) in try await done(.link(code: code)) }
    }

    /// Returns the newest state of each device and scene.
    public func places() async throws -> [Place] {
        try await throwing { () async throws(PlacekeeperError) in
            let result = await engine.result(of: .places)
            guard case .places(let places) = result else { throw result.error }
            return places
        }
    }

    /// Deletes the user, with all devices and states, from the service, and the user's states from this device. The
    /// device is then signed out, as after `signOut(unsent:)`.
    public func deleteAccount() async throws {
        try await throwing { () async throws(PlacekeeperError) in try await done(.erase) }
    }

    /// The current status. SwiftUI observes it.
    public var status: Status {
        if #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) {
            observation.registrar?.access(self, keyPath: \.status)
        }
        return engine.status
    }

    private func noteStatus() {
        guard #available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *) else { return }
        observation.registrar?.withMutation(of: self, keyPath: \.status) {}
    }

    /// The current status, then each new one.
    public var statuses: AsyncStream<Status> { engine.statuses() }

    /// Waits until the client's queue has finished the work added so far, and returns the number of calls that still
    /// wait for a result. For tests.
    package func drain() async -> Int { await engine.drain() }

    /// Runs the delayed saves now, because their states belong to the current account.
    private func saveDelayed() async { if !engine.delayedSaves.isEmpty { await runDelayedSaves() } }

    func done(_ call: ClientCore.Call) async throws(PlacekeeperError) {
        await saveDelayed()
        let result = await engine.result(of: call)
        if call.changesAccount { await noteAccount() }
        if case .failed(let error) = result { throw error }
    }

    /// Clears windows that still show the content of the previous account.
    private func noteAccount() async { if !engine.accountObservers.isEmpty { await engine.accountObservers.run() } }
}

@available(iOS 17, macOS 14, tvOS 17, watchOS 10, visionOS 1, *)
extension Placekeeper: Observable {}

extension ClientCore.CallResult {
    /// The error of a failed call.
    var error: PlacekeeperError {
        if case .failed(let error) = self { error } else { ClientCore.unreadable }
    }
}

extension ClientCore.Settings {
    fileprivate init(_ configuration: Placekeeper.Configuration, key: String) {
        self.init(key: key, device: configuration.device)
        launchDeadline = configuration.launchDeadline.seconds
        ownStateDeadline = min(configuration.ownStateDeadline, configuration.launchDeadline).seconds
        flushDeadline = configuration.flushDeadline.seconds
        sendDelay = configuration.sendDelay.seconds
        requestDeadline = configuration.requestDeadline.seconds
        registersAnonymously = configuration.registersAnonymously
        isExtension = configuration.isExtension
        model = configuration.model
        name = configuration.deviceName
        placesBehind = configuration.placesBehind
    }
}
