import PlacekeeperArchive
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// A device that drives a client's core step by step, without threads. Its files outlive its processes.
final class SimulatedDevice {
    let serviceClock: TestClock
    let clock: DeviceClock
    let files: MemoryFiles
    let network: TestTransport
    let context: RestorationContext
    var settings: ClientCore.Settings
    private(set) var core: ClientCore
    private(set) var results: [ClientCore.CallID: ClientCore.CallResult] = [:]
    private(set) var offers: [String: Placekeeper.Offer] = [:]
    private(set) var last = ClientCore.Step()
    /// The requests that the core sent and that are not answered yet.
    private var open: [(id: Int, request: TransportRequest)] = []
    private var nextTicket = 0
    private var random: SeededRandom
    private var launches = 0
    /// Differs between devices, as the ids of launches do.
    private let name: String

    /// - Parameter transport: Sends requests to the service. Nil for the service in memory.
    init(
        _ service: TestService, _ idiom: UserInterfaceIdiom = .phone, seed: UInt64 = 1,
        over transport: (any Transport)? = nil, files: MemoryFiles = MemoryFiles(), isExtension: Bool = false
    ) {
        self.files = files
        serviceClock = service.clock
        clock = DeviceClock(service.clock)
        network =
            if let transport { TestTransport(over: transport, clock: clock) } else {
                TestTransport(service, clock: clock)
            }
        context = RestorationContext(idiom: idiom, bundleVersion: "42", systemVersion: "17.4")
        settings = ClientCore.Settings(key: service.key, device: context)
        settings.isExtension = isExtension
        random = SeededRandom(seed: seed)
        name = "device-\(seed)"
        core = Self.core(files, settings, launch: name + "-0", random)
    }

    private static func core(
        _ files: MemoryFiles, _ settings: ClientCore.Settings, launch: String, _ random: SeededRandom
    ) -> ClientCore {
        ClientCore(
            files: files, credentials: FileCredentialStore(files), settings: settings, launch: launch, random: random)
    }

    /// Ends the process and starts another one. Requests that were not answered are lost.
    func restart() {
        files.restart()
        open = []
        results = [:]
        offers = [:]
        launches += 1
        core = Self.core(
            files, settings, launch: "\(name)-\(launches)", SeededRandom(seed: random.next()))
    }

    var registration: Credentials.Registration? { core.credentials?.registration }

    /// Whether the process has read its account. It does not before its first step, and while the device is locked.
    var hasReadAccount: Bool {
        switch core.account {
        case .unread, .locked: false
        case .none, .present: true
        }
    }

    func archive(_ text: String, timestamp: Double = 0) -> StateArchive {
        var archive = StateArchive(
            bundleVersion: context.bundleVersion, idiom: context.idiom.rawValue, timestamp: timestamp,
            systemVersion: context.systemVersion)
        archive.application = ["text": .string(text)]
        archive.place = Place([.init(screen: text, title: text)])
        return archive
    }

    func save(_ text: String, in scene: String = "main", _ interaction: Placekeeper.Interaction = .now) {
        core.save(archive(text, timestamp: clock.now().wall), in: scene, interaction, at: clock.now())
    }

    func saveAndFlush(_ text: String, in scene: String = "main", _ interaction: Placekeeper.Interaction = .now) async {
        save(text, in: scene, interaction)
        await flush()
    }

    /// Saves a state that waits until the device has a connection again.
    func saveOffline(_ text: String) async {
        network.fault = .offline
        await saveAndFlush(text)
        network.fault = nil
    }

    /// Tells the items of a list, in order.
    func update(_ list: String, _ elements: [ListElement]) {
        let registered = elements.registeredElements(after: core.registeredElements(of: list))
        core.register(registered, of: list, at: clock.now())
    }

    func updateAndFlush(_ list: String, _ elements: [ListElement]) async {
        update(list, elements)
        await flush()
    }

    /// Adds an intent, and does not wait for its result.
    @discardableResult
    func add(_ intent: ClientCore.Call) -> ClientCore.CallID {
        nextTicket += 1
        core.add(intent, nextTicket, at: clock.now())
        return nextTicket
    }

    /// Takes one step of the core. The requests wait until `answerNext`.
    func step() {
        last = core.step(at: clock.now())
        open += last.requests.map { ($0.id, $0.request) }
        for (callID, result) in last.results { results[callID] = result }
        for (scene, offer) in last.offers { offers[scene] = offer }
    }

    var hasOpenRequests: Bool { !open.isEmpty }

    /// Answers requests that then do not reach the service.
    var intercept: ((TransportRequest) -> TransportResponse?)?
    /// Changes the responses of the service.
    var rewrite: ((TransportRequest, TransportResponse) -> TransportResponse)?

    /// Sends the oldest request to the service, and passes the answer on.
    func answerNext() async {
        guard !open.isEmpty else { return }
        await answer(open.removeFirst())
    }

    /// Answers the newest request before the older ones.
    func answerNewest() async {
        guard !open.isEmpty else { return }
        await answer(open.removeLast())
    }

    private func answer(_ sent: (id: Int, request: TransportRequest)) async {
        let (id, request) = sent
        let result: Result<TransportResponse, TransportError>
        do throws(TransportError) {
            let intercepted = intercept?(request)
            let response = if let intercepted { intercepted } else { try await network.send(request) }
            result = .success(rewrite?(request, response) ?? response)
        } catch {
            result = .failure(error)
        }
        core.receive(result, for: id, at: clock.now())
    }

    /// Whether the core sent request after request without an end.
    private(set) var hasLooped = false

    /// Works until nothing is left to do now.
    func settle() async {
        step()
        for _ in 0..<500 {
            guard hasOpenRequests else { return }
            await answerNext()
            step()
        }
        hasLooped = true
    }

    /// Carries an intent out. Advances the clock while the core waits.
    func result(of intent: ClientCore.Call) async -> ClientCore.CallResult {
        let callID = add(intent)
        for _ in 0..<200 {
            await settle()
            if let result = results.removeValue(forKey: callID) { return result }
            guard let wakeAt = last.wakeAt else { break }
            serviceClock.advance(by: max(0.001, wakeAt - clock.now().uptime))
        }
        return .failed(PlacekeeperError(.init(rawValue: "never-ended"), "\(intent)"))
    }

    func launch(_ scene: String = "main") async -> Launch {
        guard case .launched(let launch) = await result(of: .launch(scene: scene, context)) else {
            return Launch(reason: .init(.init(rawValue: "no-launch")))
        }
        return launch
    }

    /// Launches in a new process.
    func relaunch(_ scene: String = "main") async -> Launch {
        restart()
        return await launch(scene)
    }

    func flush() async { _ = await result(of: .flush) }

    func signIn(_ name: String) async -> ClientCore.CallResult {
        await result(of: .signIn(token: TestService.signInToken(of: name)))
    }

    /// Nil if the service gives no history.
    func history(of scene: String = "main") async -> [Placekeeper.Place]? {
        if case .history(let entries) = await result(of: .history(scene: scene)) { entries } else { nil }
    }

    /// Nil if the service gives no places.
    func places() async -> [Placekeeper.Place]? {
        if case .places(let places) = await result(of: .places) { places } else { nil }
    }

    /// Ends the registration of this device by another device of the same user. The device learns it when it asks.
    func revoke(by other: SimulatedDevice, _ service: TestService) async throws {
        let request = TransportRequest(
            "DELETE", "/v1/devices/\(registration?.device ?? "")",
            fields: [.init("Authorization", "Bearer " + (other.registration?.token ?? ""))])
        #expect(try await service.answer(request).status == 204)
    }

    /// Joins the user of another device.
    func link(to other: SimulatedDevice) async -> ClientCore.CallResult {
        guard case .linkCode(let code) = await other.result(of: .makeLinkCode) else {
            return .failed(PlacekeeperError(.offline, "There is no link code."))
        }
        return await result(of: .link(code: code.code))
    }
}

extension Launch {
    /// The text of the state that is restored.
    var text: String? { restore?.text }
}

extension Served {
    var text: String? { if case .string(let text) = archive.application["text"] { text } else { nil } }
}

extension ClientCore.Call {
    static func take(_ place: Placekeeper.Place, _ context: RestorationContext) -> Self {
        .take(archive: place.archive, scene: place.scene, context)
    }
}

extension ClientCore.CallResult {
    var failure: PlacekeeperError.Code? { if case .failed(let error) = self { error.code } else { nil } }
    var isDone: Bool { if case .done = self { true } else { false } }
    var served: Served? { if case .served(let served) = self { served } else { nil } }
}

extension TransportResponse {
    /// A problem of the service.
    static func problem(_ status: Int, _ code: String) -> TransportResponse {
        let document = #"{"type": "", "title": "", "status": \#(status), "code": "\#(code)", "detail": ""}"#
        return TransportResponse(
            status: status, fields: [.init("content-type", "application/problem+json")], body: Array(document.utf8))
    }
}
