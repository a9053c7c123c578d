import PlacekeeperConcurrency
public import Foundation

/// The client of a Placekeeper service. Create one per app and process.
///
/// ```swift
/// let placekeeper = Placekeeper(URL(string: "https://place.example.com")!, key: "pk_…")
/// let scene = placekeeper.scene()
/// let launch = await scene.launch()         // at launch: the state to restore, and an offer
/// scene.save(archive)                       // whenever the state changes
/// try await placekeeper.flush()             // when the app goes to the background
/// ```
/// Creating a client does no I/O. All work runs on the client's own queue.
public final class Placekeeper: Sendable {
    let engine: Engine
    let options: Options
    let windows = WindowNames()
    private let leaving: LeavingObserver?
    /// Shared by all clients of a process, so none mistakes another client's restore for a crash.
    private static let launchOfProcess = UUID().uuidString.lowercased()

    /// Creates a client.
    /// - Parameters:
    ///   - server: The address of the service, such as `https://place.example.com`.
    ///   - key: The app's publishable key, `pk_…`.
    ///   - options: The settings.
    public convenience init(_ server: URL, key: String, options: Options = Options()) {
        let folder = ClientFolder(of: server, key, options)
        self.init(
            key: key, options: options, clock: SystemClock(), transport: URLSessionTransport(server),
            folder: { folder.open() }, credentials: { FileCredentialStore($0) }, random: SystemRandomNumberGenerator(),
            launch: Self.launchOfProcess, notifications: .default)
    }

    package convenience init(
        key: String, options: Options, clock: any ClientClock, transport: any Transport,
        files: @escaping @Sendable () -> any FileSystem,
        credentials: @escaping @Sendable (any FileSystem) -> any CredentialStore,
        random: any RandomNumberGenerator & Sendable, launch: String = UUID().uuidString.lowercased(),
        watch: any EngineWatch = NoWatch(), notifications: NotificationCenter? = nil
    ) {
        self.init(
            key: key, options: options, clock: clock, transport: transport,
            folder: { ClientFolder.Opened(files: files()) }, credentials: credentials, random: random, launch: launch,
            watch: watch, notifications: notifications)
    }

    package init(
        key: String, options: Options, clock: any ClientClock, transport: any Transport,
        folder: @escaping @Sendable () -> ClientFolder.Opened,
        credentials: @escaping @Sendable (any FileSystem) -> any CredentialStore,
        random: any RandomNumberGenerator & Sendable, launch: String = UUID().uuidString.lowercased(),
        watch: any EngineWatch = NoWatch(), notifications: NotificationCenter? = nil
    ) {
        self.options = options
        let engine = Engine(clock: clock, transport: transport, watch: watch) {
            let folder = folder()
            var settings = ClientCore.Settings(options, key: key)
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
    }

    /// Returns a scene: a window's role or a document, such as `main`. Not an instance of `UIScene`.
    /// - Parameter name: 1 to 64 characters from `A–Z a–z 0–9 . _ -`.
    public func scene(_ name: String = "main") -> KeptScene { KeptScene(name, self) }

    /// Returns a list whose items the device registers, so other devices can restore the same items.
    /// - Parameters:
    ///   - name: The name of the data source: 1 to 64 characters from `A–Z a–z 0–9 . _ -`.
    ///   - selectsNeighbors: Whether the service may select the nearest neighbor if a selected item is gone. The first
    ///     declaration by any device counts.
    ///   - uniqueAliases: The kinds of aliases that different elements never share (see
    ///     `ModelAssociation.uniqueAliases`). The first declaration by any device counts.
    public func list(_ name: String, selectsNeighbors: Bool = false, uniqueAliases: [String] = []) -> KeptList {
        KeptList(name, .init(selectsNeighbors: selectsNeighbors, uniqueAliases: uniqueAliases), self)
    }

    /// Sends everything that is pending, and returns when it has been sent.
    ///
    /// Call this method when the app goes to the background. Until the next interaction, a saved state is then a
    /// view-only capture of the user's work, and the end of the process does not count as a crash. Delayed saves run on
    /// the main actor first, so do not block the main actor in the meantime.
    /// - Parameter deadline: The time within which this method returns. Defaults to five seconds.
    /// - Throws: An error if something could not be sent before the deadline. It is sent later.
    public func flush(deadline: Duration? = nil) async throws(PlacekeeperError) {
        await saveDelayed()
        let seconds = deadline.map { Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18 }
        let result = await engine.result(of: .flush, deadline: seconds.map { min(max($0, 0), 86_400) })
        if case .failed(let error) = result { throw error }
    }

    /// Waits until every state and outcome of earlier calls is on disk. Uses no network.
    ///
    /// Call this method or `flush()` before the process ends on its own: `save` and `report` return before the data is
    /// on disk, and a process that ends soon after a launch otherwise looks like a crash.
    /// - Throws: An error if a state could not be written, or if the service refused a state since the last flush.
    public func waitUntilSaved() async throws(PlacekeeperError) {
        await saveDelayed()
        engine.perform { core, now in core.leaveInOrder(at: now) }
        if let error = await engine.value({ $0.savingFailure }) { throw error }
    }

    /// Signs the device in to an account of the app. The states of an anonymous user move to the account.
    /// - Parameter token: Returns a sign-in token from the app's backend. The client keeps the closure, and calls it
    ///   again when the service asks for a new sign-in.
    public func signIn(_ token: @escaping @Sendable () async throws -> String) async throws(PlacekeeperError) {
        // Delayed changes belong to the user before the sign-in.
        await saveDelayed()
        do throws(PlacekeeperError) { try await engine.signIn(token) } catch {
            await noteAccount()
            throw error
        }
        await noteAccount()
    }

    /// Signs the device out. The account keeps its states.
    ///
    /// No user is registered until the next sign-in, link or link code. If `Options.registersAnonymously` is true, work
    /// in the app also registers a user. What the app has in memory belongs to the old account, and is never saved for
    /// the next one. A `KeptPlace` is cleared before this method returns, and launches again. If the app saves states
    /// itself, launch the scene again: until then, saving fails with `accountChanged`.
    /// - Throws: An error if the device is not signed out yet. After the code `offline`, the service may have received
    ///   the sign-out. The client finds out before it sends anything else, even in the next process.
    public func signOut(pending: Pending) async throws(PlacekeeperError) {
        try await done(.signOut(pending))
    }

    /// Returns a new code with which another device can join the user of this device.
    public func linkCode() async throws(PlacekeeperError) -> LinkCode {
        let result = await engine.result(of: .makeLinkCode)
        guard case .linkCode(let code) = result else { throw result.error }
        return code
    }

    /// Joins the user of another device, with a code from that device. The states of this device move to that user.
    public func link(_ code: String) async throws(PlacekeeperError) { try await done(.link(code: code)) }

    /// Returns the newest state of each device and scene.
    public func places() async throws(PlacekeeperError) -> [ResumePoint] {
        let result = await engine.result(of: .places)
        guard case .places(let places) = result else { throw result.error }
        return places
    }

    /// Erases the user, with all devices and states, from the service, and the user's states from this device. The
    /// device is then signed out, as after `signOut(pending:)`.
    public func eraseMe() async throws(PlacekeeperError) { try await done(.erase) }

    /// The current status.
    public var status: Status { engine.status }

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

extension ClientCore.CallResult {
    /// The error of a failed call.
    var error: PlacekeeperError {
        if case .failed(let error) = self { error } else { ClientCore.unreadable }
    }
}

extension ClientCore.Settings {
    fileprivate init(_ options: Placekeeper.Options, key: String) {
        self.init(key: key, device: options.device)
        launchDeadline = options.launchDeadline
        ownStateDeadline = min(options.ownStateDeadline, options.launchDeadline)
        flushDeadline = options.flushDeadline
        sendDelay = options.sendDelay
        requestDeadline = options.requestDeadline
        registersAnonymously = options.registersAnonymously
        isExtension = options.process == .extension
        model = options.model
        name = options.name
        placesBehind = options.placesBehind
    }
}
