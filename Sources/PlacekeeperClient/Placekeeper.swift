import PlacekeeperConcurrency
public import Foundation

/// The client of a Placekeeper service: one for each app and process.
///
/// ```swift
/// let placekeeper = Placekeeper(URL(string: "https://place.example.com")!, key: "pk_…")
/// let scene = placekeeper.scene()
/// let launch = await scene.launch()         // at launch: the state to restore, and an offer
/// scene.save(archive)                       // whenever the state changes
/// try await placekeeper.flush()             // when the app goes to the background
/// ```
/// Creating a client reads and sends nothing. All work runs on a queue of the client's own.
public final class Placekeeper: Sendable {
    let engine: Engine
    let options: Options
    let windows = WindowNames()
    private let leaving: LeavingObserver?
    /// Two clients in one process belong to one launch, so none takes the other's restore for a crash.
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

    /// A scene: a window's role or a document, such as `main`. A scene is not an instance of `UIScene`.
    /// - Parameter name: 1 to 64 of the characters `A–Z a–z 0–9 . _ -`.
    public func scene(_ name: String = "main") -> KeptScene { KeptScene(name, self) }

    /// A list whose items the device registers, so that other devices restore the same items.
    /// - Parameters:
    ///   - name: The name of the data source: 1 to 64 of the characters `A–Z a–z 0–9 . _ -`.
    ///   - selectsNeighbors: Whether the service may select the nearest neighbor in place of a selected item that is
    ///     gone. The first declaration of any device counts.
    ///   - uniqueAliases: Whether different elements never have an alias in common, as with a server's ids. The first
    ///     declaration of any device counts.
    public func list(_ name: String, selectsNeighbors: Bool = false, uniqueAliases: Bool = false) -> KeptList {
        KeptList(name, .init(selectsNeighbors: selectsNeighbors, uniqueAliases: uniqueAliases), self)
    }

    /// Sends everything that waits now, and returns when it is sent. Call this method when the app goes to the
    /// background: a state that is saved after it without an interaction is a view-only capture of the saved work, and an end of the
    /// process is no crash. Saves that wait for later changes run on the main actor before, so do not block the main actor
    /// meanwhile.
    /// - Parameter deadline: The time within which this method returns. Nil for five seconds.
    /// - Throws: An error if something could not be sent before the deadline. It is sent later.
    public func flush(deadline: Duration? = nil) async throws(PlacekeeperError) {
        await saveDelayed()
        let seconds = deadline.map { Double($0.components.seconds) + Double($0.components.attoseconds) / 1e18 }
        let result = await engine.result(of: .flush, deadline: seconds.map { min(max($0, 0), 86_400) })
        if case .failed(let error) = result { throw error }
    }

    /// Returns when every state and outcome of earlier calls is on the disk. Uses no network. A process
    /// that ends by itself calls this method or `flush()` before: `save` and `report` return before the disk is written,
    /// and a process that ends soon after a launch otherwise looks like a crash.
    /// - Throws: An error if a state could not be written, or if the service refused a state since the last flush.
    public func waitUntilSaved() async throws(PlacekeeperError) {
        await saveDelayed()
        engine.perform { core, now in core.leaveInOrder(at: now) }
        if let error = await engine.value({ $0.savingFailure }) { throw error }
    }

    /// Signs the device in to an account of the app. The states of an anonymous user move to the account.
    /// - Parameter token: Returns a sign-in token of the app's backend. The client keeps the closure, and calls it again
    ///   if the service asks for a new sign-in.
    public func signIn(_ token: @escaping @Sendable () async throws -> String) async throws(PlacekeeperError) {
        // The earlier user's changes are saved for this user.
        await saveDelayed()
        do throws(PlacekeeperError) { try await engine.signIn(token) } catch {
            await noteAccount()
            throw error
        }
        await noteAccount()
    }

    /// Signs the device out. The account keeps its states. Nobody is registered until a sign-in, a link or a link code, or
    /// until somebody works in the app, if `Options.registersAnonymously` is true.
    ///
    /// What the app has in memory belongs to the account, and is never saved for the next one. A `KeptPlace` is cleared before
    /// this method returns, and launches again. If the app saves states itself, launch the scene again: until then, saving
    /// fails with `accountChanged`.
    /// - Throws: An error if the device is not signed out yet. After the code `offline`, the service possibly received the
    ///   sign-out. The client then finds this out before it sends anything else, also in the next process.
    public func signOut(pending: Pending) async throws(PlacekeeperError) {
        try await done(.signOut(pending))
    }

    /// Makes a code with which another device joins the user of this device.
    public func linkCode() async throws(PlacekeeperError) -> LinkCode {
        let result = await engine.result(of: .makeLinkCode)
        guard case .linkCode(let code) = result else { throw result.error }
        return code
    }

    /// Joins the user of another device, which made the code. The states of this device go along.
    public func link(_ code: String) async throws(PlacekeeperError) { try await done(.link(code: code)) }

    /// Returns the newest state of each device and scene.
    public func places() async throws(PlacekeeperError) -> [ResumePoint] {
        let result = await engine.result(of: .places)
        guard case .places(let places) = result else { throw result.error }
        return places
    }

    /// Erases the user with all devices and states from the service, and the user's states from this device. Afterwards the
    /// device is signed out, as after `signOut(pending:)`.
    public func eraseMe() async throws(PlacekeeperError) { try await done(.erase) }

    /// The present status.
    public var status: Status { engine.status }

    /// The present status, and each later status.
    public var statuses: AsyncStream<Status> { engine.statuses() }

    /// Waits until the client's queue has done the work that was added before, and returns the number of calls that wait
    /// for a result. For tests.
    package func drain() async -> Int { await engine.drain() }

    /// A state that waits belongs to the present account.
    private func saveDelayed() async { if !engine.delayedSaves.isEmpty { await runDelayedSaves() } }

    func done(_ call: ClientCore.Call) async throws(PlacekeeperError) {
        await saveDelayed()
        let result = await engine.result(of: call)
        if call.changesAccount { await noteAccount() }
        if case .failed(let error) = result { throw error }
    }

    /// Clears what the windows have in memory of an account that was left.
    private func noteAccount() async { if !engine.accountObservers.isEmpty { await engine.accountObservers.run() } }
}

extension ClientCore.CallResult {
    /// The error of a call that failed.
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
