import PlacekeeperModels

/// The decisions of the client, without threads, clocks or sockets.
///
/// The driver (`Engine`) passes calls and responses to the core, and carries out the result of `step(at:)`: it sends
/// requests, resumes callers, and calls `step(at:)` again at the given time. All lasting state is in files, so a new
/// core can continue wherever an earlier one was killed.
final class ClientCore {
    /// The part of `Options` that the core needs.
    struct Settings: Sendable {
        var key: String
        var launchDeadline = 1.0
        var ownStateDeadline = 0.05
        var flushDeadline = 5.0
        var sendDelay = 2.0
        var requestDeadline = 30.0
        var registersAnonymously = true
        var isExtension = false
        /// Whether the folder still has the name for an earlier address of the service.
        var isInFormerFolder = false
        /// Whether this device has an account at another address of the service.
        var hasOtherAddress = false
        var device: RestorationContext
        var model: String?
        var name: String?
        var placesBehind = Placekeeper.Configuration.PlacesBehind.offered

        init(key: String, device: RestorationContext) {
            self.key = key
            self.device = device
        }
    }

    /// An operation that a caller waits for.
    indirect enum Call: Sendable {
        case launch(scene: String, RestorationContext)
        case take(archive: String, scene: String, RestorationContext)
        case signIn(token: String)
        case signOut(Placekeeper.UnsentStates)
        case link(code: String)
        case makeLinkCode
        case erase
        case places
        case history(scene: String)
        case forget(scene: String)
        case snapshot(Placekeeper.Place)
        case flush
    }

    /// The result of a call. Indirect, like other enumerations here, because copying a large inline value generates a
    /// lot of code.
    indirect enum CallResult: Sendable {
        case launched(Launch)
        case served(Served)
        case places([Placekeeper.Place])
        case history([Placekeeper.Place])
        case snapshot([UInt8])
        case linkCode(Placekeeper.LinkCode)
        case done
        case failed(PlacekeeperError)
    }

    /// The number of a call, chosen by the driver.
    typealias CallID = Int

    /// The work for the driver.
    struct Step: Sendable {
        var requests: [(id: Int, request: TransportRequest)] = []
        var results: [(callID: CallID, result: CallResult)] = []
        /// The changed offers, by scene.
        var offers: [(scene: String, offer: Placekeeper.Offer?)] = []
        /// The uptime at which the driver calls `step(at:)` again if nothing happens earlier. `nil` if there is nothing
        /// to wait for.
        var wakeAt: Double?
        /// The request for the event stream. `nil` if the client follows no events.
        var events: EventsRequest?
        /// Whether the client needs a new sign-in token.
        var needsSignInToken = false
        var account = AccountNumbers()
        var status = Placekeeper.Status()
    }

    /// The request for the event stream, for one generation of the account.
    struct EventsRequest: Sendable, Equatable {
        var generation: Int
        var request: TransportRequest
    }

    let files: any FileSystem
    let credentialStore: any CredentialStore
    let settings: Settings
    /// The id of this launch of the process.
    let launch: String
    var random: any RandomNumberGenerator

    var account = Account.unread
    var scenes: [String: SceneState] = [:]
    var lists: [String: ListState] = [:]
    /// Counts of the account's changes in this process: see `AccountNumbers`.
    var (owner, joins) = (0, 0)
    /// By scene, the number of the owner for whom this process last launched the scene or took a state of it.
    var sceneOwners: [String: Int] = [:]
    var waiting: [Waiting] = []
    var inFlight: [Int: Operation] = [:]
    var nextRequest = 0
    var backoff = Backoff()
    var mode = Mode.auto
    var isFollowing = false
    var events = EventReader()
    /// The generation of the account whose event stream has delivered something. `nil` if no stream is open.
    var begunEvents: Int?
    /// Whether to read the places again, because an event said that they may have changed.
    var placesAreStale = false
    /// The service's refusal to register an anonymous user. The client does not register again until the next launch.
    var registrationRefusal: PlacekeeperError?
    var needsSignInToken = false
    var problem: PlacekeeperError?
    /// Why the newest states of scenes were not saved, by scene. The next flush throws one of these errors.
    var saveFailures: [String: PlacekeeperError] = [:]
    /// Whether a stored `Retry-After` exists. `nil` if the file was not read yet.
    var hasRetry: Bool?
    /// Whether a response was unusable in spite of its successful status.
    var hasFailed = false
    /// The launch that this device last counted and stored.
    var countedLaunch: CountedLaunch?
    /// Whether, during this process, this device or another one with the same identity got a new identity.
    var wasCopied = false
    /// Whether this process made a new installation, because another device uses the old one, and the service has not
    /// accepted a request from the new one yet.
    var hasRenewedInstallation = false
    /// Whether to read the settings again, because an event said that they have changed.
    var manifestIsStale = false
    /// The scenes with only view-only captures, because the app never reported an interaction.
    var scenesWithoutInteractions: Set<String> = []
    /// The parts that the caller left out of each scene's newest state before it passed the state to the client.
    var omissions: [String: Set<Placekeeper.Omission>] = [:]
    /// The parts that the client itself left out of the newest states.
    var ownOmissions: Set<Placekeeper.Omission> = []
    /// The number of kept states that this process removed.
    var expiredCount = 0
    /// The scenes whose offers the app follows.
    var followedScenes: Set<String> = []
    /// Whether reading or writing a file has failed since the last step.
    var hasFileFault = false
    /// The results for the next step.
    var results: [(callID: CallID, result: CallResult)] = []
    var offers: [(scene: String, offer: Placekeeper.Offer?)] = []

    indirect enum Account {
        case unread
        case locked
        case none
        case present(Credentials)
    }

    /// A call that waits for its turn or for a response.
    struct Waiting {
        var callID: CallID
        var call: Call
        /// The uptime at which the call fails, or is decided without the service.
        var deadline: Double?
        var isInFlight = false
        /// For a launch or a flush: whether its files were read.
        var hasBegun = false
        /// For a launch: whether pending states cannot be sent now.
        var skipsSending = false
        /// For a launch: another device's served archive, while the client reads that device's description.
        var served: LatestAnswer?
        /// For a launch: whether it soon restores this device's own state unless the service answers.
        var restoresOwnState = false
        /// For a launch: whether its caller already has a result, so the client only looks for a newer place.
        var isAnswered = false
        /// For a launch whose caller already has a result: the generation of the account.
        var generation: Int?
    }

    /// A request that was sent.
    struct Operation {
        indirect enum Kind {
            case register
            case confirm
            case check
            case change(Credentials.Change)
            case upload(scene: String, FileName, Capture, [UInt8])
            case outcome(scene: String, FileName)
            case latest(scene: String)
            case describeOffer(scene: String)
            case readOffer(scene: String, Placekeeper.Place, head: Int64?)
            case restorable(scene: String, RestorationContext)
            case makeLinkCode
            case places
            case refreshPlaces
            case manifest
            case history(scene: String)
            /// Deletes the captures with lower sequence numbers. Later ones are kept.
            case forget(scene: String, before: Int64)
            case list(String, ListStep)
            case describe(Credentials.Description)
            case snapshot(scene: String, FileName)
            case readSnapshot
        }

        /// A step in registering a list's items.
        enum ListStep {
            /// Compares digests with the service.
            case check
            case declare
            /// Reads a page of the service's items.
            case read
            case change(Wire.ItemDelta)
        }

        var kind: Kind
        var callID: CallID?
        var generation: Int
        var device: String?
        /// The counted launch that was sent with the request.
        var launch: CountedLaunch?

        /// The operation without its caller, who gets another result.
        var withoutTicket: Operation {
            var operation = self
            operation.callID = nil
            return operation
        }
    }

    /// How clients should use a served archive.
    enum Mode: String {
        case auto, offer, off
    }

    /// - Parameter launch: the id of this launch of the process.
    init(
        files: any FileSystem, credentials: any CredentialStore, settings: Settings, launch: String,
        random: any RandomNumberGenerator
    ) {
        self.files = files
        credentialStore = credentials
        self.settings = settings
        self.launch = launch
        self.random = random
    }

    /// Adds a call. Its result is part of a later step.
    /// - Parameter deadline: The seconds after which a flush ends. Defaults to the client's setting.
    func add(_ call: Call, _ callID: CallID, deadline: Double? = nil, at now: ClockReading) {
        var waiting = Waiting(callID: callID, call: call)
        switch call {
        case .launch: waiting.deadline = now.uptime + settings.launchDeadline
        case .signOut(let pending):
            if case .send(let deadline) = pending.treatment { waiting.deadline = now.uptime + deadline }
        case .flush:
            leaveScenes(at: now)
            waiting.deadline = now.uptime + (deadline ?? settings.flushDeadline)
        default: break
        }
        self.waiting.append(waiting)
        // The user is waiting, so try again immediately, unless the service asked the client to wait.
        backoff.clearFailures()
    }

    /// Removes a call whose caller stopped waiting.
    func cancel(_ callID: CallID) { waiting.removeAll { $0.callID == callID } }

    /// Starts or stops following the changes of other devices.
    func follow(_ follows: Bool) {
        isFollowing = follows
        begunEvents = nil
        if follows { placesAreStale = true }
    }

    /// Returns the next work for the driver.
    func step(at now: ClockReading) -> Step {
        readAccount()
        purgeKept(at: now)
        endAfterFileFault(at: now)
        endWatches(at: now)
        startWork(at: now)
        var step = Step()
        step.requests = takeRequests()
        step.results = results
        step.offers = offers
        (results, offers) = ([], [])
        step.wakeAt = nextWake(at: now)
        step.events = eventsRequest()
        step.needsSignInToken = needsSignInToken
        step.account = AccountNumbers(owner: owner, joins: joins)
        step.status = status
        return step
    }

    private func endAfterFileFault(at now: ClockReading) {
        guard hasFileFault else { return }
        hasFileFault = false
        backoff.fail(at: now, random: &random)
        if waiting.contains(where: \.call.isFlush) { saveFailures = [:] }
        for call in waiting where !call.isInFlight && !call.call.isLaunch {
            finish(call.callID, .failed(problem ?? PlacekeeperError(.storageFailed, "The client cannot write a file.")))
        }
        for call in waiting where !call.isInFlight && call.call.isLaunch {
            decide(call.callID, without: PlacekeeperError(.offline, "The client cannot read or write a file."), at: now)
        }
    }

    private(set) var newRequests: [(id: Int, request: TransportRequest)] = []

    private func takeRequests() -> [(id: Int, request: TransportRequest)] {
        defer { newRequests = [] }
        return newRequests
    }

    /// Sends a request.
    func send(_ request: TransportRequest, _ kind: Operation.Kind, callID: CallID? = nil) {
        nextRequest += 1
        inFlight[nextRequest] = Operation(
            kind: kind, callID: callID, generation: credentials?.generation ?? 0,
            device: credentials?.registration?.device, launch: countedLaunch)
        if let callID { update(callID) { $0.isInFlight = true } }
        newRequests.append((nextRequest, request))
    }

    func update(_ callID: CallID, _ change: (inout Waiting) -> Void) {
        guard let index = waiting.firstIndex(where: { $0.callID == callID }) else { return }
        change(&waiting[index])
    }

    /// Ends a call.
    func finish(_ callID: CallID?, _ result: CallResult) {
        guard let callID, let index = waiting.firstIndex(where: { $0.callID == callID }) else { return }
        let call = waiting.remove(at: index)
        if !call.isAnswered { answer(call, result) }
    }

    /// Passes the result to the caller of a call.
    func answer(_ call: Waiting, _ result: CallResult) {
        if let scene = call.call.begins(with: result) { sceneOwners[scene] = owner }
        results.append((call.callID, result.belonging(to: owner)))
        if case .launch(let scene, _) = call.call { saveHeld(in: scene) }
    }

    /// Records a failure of the file system. The pending calls fail, and the client pauses before it works again.
    func note(_ error: FileError) {
        hasFileFault = true
        problem =
            error == .locked
            ? PlacekeeperError(.locked, "The device is locked.")
            : PlacekeeperError(.storageFailed, "The client cannot read or write a file: \(error).")
    }

    /// Whether the account was lost in this process, because its file was damaged.
    var hasLostAccount = false
    /// The owner's id in the account file, as last read by this extension's process.
    var knownOwner: String??
    /// Whether the service at a new address has yet to confirm that it knows this device.
    var isMoved = false
    /// The account for which the service refused this extension.
    var refused: Credentials?
    /// Whether this process has removed expired states of other users since the last change of the account.
    var hasPurged = false
    /// Whether this process has sent the description of this device to the service.
    var hasDescribed = false
    /// Whether the operator's settings forbid screenshots.
    var snapshotsAreOff = false

    /// The number of captures kept for other users of this device.
    var keptCount = 0

    private func nextWake(at now: ClockReading) -> Double? {
        var times = waiting.compactMap(\.deadline) + scenes.values.compactMap { $0.watch?.wakeAt }
        if case .locked = account { times.append(now.uptime + 5) }
        if let time = backoff.wake(at: now), hasWork { times.append(time) }
        if mayWork(at: now) {
            times += scenes.values.compactMap { $0.isSending ? nil : $0.dueAt }
            times += lists.values.compactMap { $0.isSending ? nil : $0.dueAt }
        }
        // Work that is already due waits for a response, and needs no timer.
        return times.filter { $0 > now.uptime }.min()
    }
}
