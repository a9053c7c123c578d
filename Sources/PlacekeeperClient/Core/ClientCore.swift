import PlacekeeperRuntime

/// The decisions of the client, without threads, clocks and sockets.
///
/// The driver (`Engine`) passes calls and responses to the core, and carries out the result of `step(at:)`: it sends
/// requests, answers callers, and calls `step(at:)` again at a time. All of the core's lasting state is in files, so a
/// core that is made anew continues where another one was killed at any point.
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
        /// Whether the folder is still the folder of another address of the service.
        var isInFormerFolder = false
        /// Whether another address of the service has an account on this device.
        var hasOtherAddress = false
        var device: RestorationContext
        var model: String?
        var name: String?
        var placesBehind = Placekeeper.Options.PlacesBehind.offered

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
        case signOut(Placekeeper.Pending)
        case link(code: String)
        case makeLinkCode
        case erase
        case places
        case history(scene: String)
        case forget(scene: String)
        case snapshot(ResumePoint)
        case flush
    }

    /// The result of a call. It is indirect, as other enumerations here, because code that copies a large value in
    /// place is long.
    indirect enum CallResult: Sendable {
        case launched(Launch)
        case served(Served)
        case places([ResumePoint])
        case history([KeptScene.Entry])
        case snapshot([UInt8])
        case linkCode(Placekeeper.LinkCode)
        case done
        case failed(PlacekeeperError)
    }

    /// The number of a call, which the driver chooses.
    typealias CallID = Int

    /// The work for the driver.
    struct Step: Sendable {
        var requests: [(id: Int, request: TransportRequest)] = []
        var results: [(callID: CallID, result: CallResult)] = []
        /// The offers that changed, by scene.
        var offers: [(scene: String, offer: Offer?)] = []
        /// The uptime at which the driver calls `step(at:)` again, if nothing happens before. Nil if nothing waits.
        var wakeAt: Double?
        /// The request for the stream of events. Nil if the client follows no events.
        var events: EventsRequest?
        /// Whether the client needs a new sign-in token.
        var needsSignInToken = false
        var account = AccountNumbers()
        var status = Placekeeper.Status()
    }

    /// The request for the stream of events, for one generation of the account.
    struct EventsRequest: Sendable, Hashable {
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
    /// The numbers of the account's changes in this process: see `AccountNumbers`.
    var (owner, joins) = (0, 0)
    /// The number of the owner for whom each scene was last launched, or its state taken, in this process.
    var sceneOwners: [String: Int] = [:]
    var waiting: [Waiting] = []
    var inFlight: [Int: Operation] = [:]
    var nextRequest = 0
    var backoff = Backoff()
    var mode = Mode.auto
    var isFollowing = false
    var events = EventReader()
    /// The generation of the account whose stream of events has passed something on. Nil if no stream is open.
    var begunEvents: Int?
    /// Whether the places are to be read, because an event said that they may have changed.
    var placesAreStale = false
    /// The code of the refusal of an anonymous registration. The client does not register again until the next launch.
    var registrationRefusal: PlacekeeperError?
    var needsSignInToken = false
    var problem: PlacekeeperError?
    /// The reasons why the newest states of scenes were not saved, by scene. The next flush tells them.
    var saveFailures: [String: PlacekeeperError] = [:]
    /// Whether a file says until when the service asked the client to wait. Nil if the file was not read yet.
    var hasRetry: Bool?
    /// Whether an answer could not be used, although its status is a success.
    var hasFailed = false
    /// The launch that this device counted last, after it was stored.
    var countedLaunch: CountedLaunch?
    /// Whether this device or another one with the same identity got an identity of its own in this process.
    var wasCopied = false
    /// Whether this process made a new installation, because another device uses the old one, and the service has not taken a
    /// request of the new one yet.
    var hasRenewedInstallation = false
    /// Whether the settings are to be read, because an event said that they have changed.
    var manifestIsStale = false
    /// The scenes whose states are view-only captures, because the app never told an interaction.
    var scenesWithoutInteractions: Set<String> = []
    /// The parts that the app's side left out of the newest states, by scene.
    var omissions: [String: Set<Placekeeper.Omission>] = [:]
    /// The parts of the newest states that the client left out.
    var ownOmissions: Set<Placekeeper.Omission> = []
    /// The number of kept states that were removed in this process.
    var expiredCount = 0
    /// The scenes whose offers the app follows.
    var followedScenes: Set<String> = []
    /// Whether a file could not be read or written since the last step.
    var hasFileFault = false
    /// The results for the next step.
    var results: [(callID: CallID, result: CallResult)] = []
    var offers: [(scene: String, offer: Offer?)] = []

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
        /// The uptime at which the call is decided without the service, or fails.
        var deadline: Double?
        var isInFlight = false
        /// For a launch and a flush: whether its files were read.
        var hasBegun = false
        /// For a launch: whether the states that wait cannot be sent now.
        var skipsSending = false
        /// For a launch: the served archive of another device, while the client reads its description.
        var served: LatestAnswer?
        /// For a launch: whether it soon restores this device's own state if the service does not answer.
        var restoresOwnState = false
        /// For a launch: whether its caller has a result. The client then only looks for a newer place.
        var isAnswered = false
        /// For a launch whose caller has a result: the generation of the account.
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
            case readOffer(scene: String, ResumePoint, head: Int64?)
            case restorable(scene: String, RestorationContext)
            case makeLinkCode
            case places
            case refreshPlaces
            case manifest
            case history(scene: String)
            /// The captures with lower sequence numbers are forgotten. Later ones stay.
            case forget(scene: String, before: Int64)
            case list(String, ListStep)
            case describe(Credentials.Description)
            case snapshot(scene: String, FileName)
            case readSnapshot
        }

        /// A step of the registration of a list's items.
        enum ListStep {
            /// Compares the digest of the service.
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
        /// The counted launch that was sent with it.
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

    /// Adds a call. Its result is in a later step.
    /// - Parameter deadline: The seconds after which a flush ends. Nil for the default.
    func add(_ call: Call, _ callID: CallID, deadline: Double? = nil, at now: ClockReading) {
        var waiting = Waiting(callID: callID, call: call)
        switch call {
        case .launch: waiting.deadline = now.uptime + settings.launchDeadline
        case .signOut(let pending):
            if case .sendFirst(let deadline) = pending.treatment { waiting.deadline = now.uptime + deadline }
        case .flush:
            leaveScenes(at: now)
            waiting.deadline = now.uptime + (deadline ?? settings.flushDeadline)
        default: break
        }
        self.waiting.append(waiting)
        // A person waits, so the client tries again at once, unless the service asked it to wait.
        backoff.clearFailures()
    }

    /// Removes a call whose caller no longer waits.
    func cancel(_ callID: CallID) { waiting.removeAll { $0.callID == callID } }

    /// Follows the changes of other devices from now on, or no longer.
    func follow(_ follows: Bool) {
        isFollowing = follows
        begunEvents = nil
        if follows { placesAreStale = true }
    }

    /// Decides the next work for the driver.
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
            finish(call.callID, .failed(problem ?? PlacekeeperError(.storageFailed, "A file cannot be written.")))
        }
        for call in waiting where !call.isInFlight && call.call.isLaunch {
            decide(call.callID, without: PlacekeeperError(.offline, "A file cannot be used."), at: now)
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

    /// Gives the caller of a call its result.
    func answer(_ call: Waiting, _ result: CallResult) {
        if let scene = call.call.begins(with: result) { sceneOwners[scene] = owner }
        results.append((call.callID, result.belonging(to: owner)))
        if case .launch(let scene, _) = call.call { saveHeld(in: scene) }
    }

    /// Notes a failure of the file system. The client waits before it works again, and the calls that wait fail.
    func note(_ error: FileError) {
        hasFileFault = true
        problem =
            error == .locked
            ? PlacekeeperError(.locked, "The device is locked.")
            : PlacekeeperError(.storageFailed, "A file of the client cannot be read or written: \(error).")
    }

    /// Whether the account was lost in this process, because its file was damaged.
    var hasLostAccount = false
    /// The owner's id in the account file, as this extension's process last read it.
    var knownOwner: String??
    /// Whether the service at a new address has not confirmed yet that it knows this device.
    var isMoved = false
    /// The account that the service refused to this extension.
    var refused: Credentials?
    /// Whether the states of other users were looked through since the last change of the account.
    var hasPurged = false
    /// Whether the service was told the description of this device in this process.
    var hasDescribed = false
    /// Whether the operator's settings allow no snapshots.
    var snapshotsAreOff = false

    /// The number of captures that are kept for other users of this device.
    var keptCount = 0

    private func nextWake(at now: ClockReading) -> Double? {
        var times = waiting.compactMap(\.deadline) + scenes.values.compactMap { $0.watch?.wakeAt }
        if case .locked = account { times.append(now.uptime + 5) }
        if let time = backoff.wake(at: now), hasWork { times.append(time) }
        if mayWork(at: now) {
            times += scenes.values.compactMap { $0.isSending ? nil : $0.dueAt }
            times += lists.values.compactMap { $0.isSending ? nil : $0.dueAt }
        }
        // Work that is due already waits for an answer, so it begins after this answer.
        return times.filter { $0 > now.uptime }.min()
    }
}
