public import PlacekeeperClient
import PlacekeeperConcurrency
package import PlacekeeperRuntime

/// A device with its own files, clocks and network, on which one process of an app runs at a time.
///
/// ```swift
/// let service = try await TestService()
/// let phone = service.device(.phone)
/// phone.placekeeper.scene([Route].self).save(path)
/// phone.network.fault = .offline
/// phone.kill()
/// let restored = await service.advancingClock { await phone.placekeeper.scene([Route].self).restore() }
/// ```
/// A virtual device runs the same client that an app ships. Only its files, clocks and network are test doubles.
public final class VirtualDevice: Sendable {
    private struct Process {
        let placekeeper: Placekeeper
        let transport: ProcessTransport
        let number: Int
    }

    private struct State {
        var configuration: Placekeeper.Configuration
        var process: Process?
    }

    /// The network between the device and the service.
    public let network: VirtualNetwork
    private let service: TestService
    private let clock: DeviceClock
    let disk: VirtualDisk
    private let seed: UInt64
    private let state: LockBox<State>
    private let written = LockBox<[Credentials]>([])

    init(
        _ service: TestService, _ configuration: Placekeeper.Configuration, seed: UInt64,
        disk: VirtualDisk = VirtualDisk(),
        from address: String = TestService.loopback
    ) {
        self.service = service
        self.disk = disk
        self.seed = seed
        clock = DeviceClock(service.clock, service.activity)
        network = VirtualNetwork(
            TestTransport(
                over: MemoryTransport(service: service, address: address), clock: clock, activity: service.activity))
        state = LockBox(State(configuration: configuration))
    }

    /// The client of the running process. After `kill()`, the client of the next process.
    public var placekeeper: Placekeeper {
        if let process = state.withLock(\.process) { return process.placekeeper }
        return start()
    }

    /// The configuration of the client. A change takes effect in the next process, as after an update of the app. The folder
    /// is not used.
    public var configuration: Placekeeper.Configuration {
        get { state.withLock(\.configuration) }
        set { state.withLock { $0.configuration = newValue } }
    }

    /// The account after each change, from the first process on.
    package var accounts: [Credentials] { written.withLock { $0 } }

    /// Ends the process without warning, like a crash. The files remain. Requests on their way are cut off, but the
    /// service may still carry them out. A call that waits in the ended process fails.
    public func kill() {
        // From here on, the files and the network refuse the ended process.
        _ = disk.nextProcess()
        let process = state.withLock { state in
            defer { state.process = nil }
            return state.process
        }
        process?.transport.cancel()
    }

    /// Ends the process in the middle of writing: after `count` changes of files, the next change doesn't happen. A
    /// change writes, renames or removes a file. Call `kill()` to start the next process.
    ///
    /// To test the state after every change, increase `count` in a loop until `hasEnded` is false.
    public func kill(afterChanges count: Int) {
        _ = placekeeper
        disk.end(afterChanges: count)
    }

    /// Whether the process ended because of `kill(afterChanges:)`.
    public var hasEnded: Bool { state.withLock(\.process).map { !disk.runs($0.number) } ?? false }

    /// Restarts the device: ends the process, and restarts the clock that counts since the start.
    /// - Parameter isLocked: Whether the files can't be read until `unlock()`, as on a device that hasn't been unlocked
    ///   since it started.
    public func reboot(isLocked: Bool = false) {
        kill()
        clock.boot()
        disk.isLocked = isLocked
    }

    /// Makes the files readable after `reboot(isLocked: true)`.
    public func unlock() { disk.isLocked = false }

    /// Whether the disk is full, so no file can be written.
    public var isDiskFull: Bool {
        get { disk.isFull }
        set { disk.isFull = newValue }
    }

    /// Sets the device's clock wrong by a number of seconds, as a user or a faulty time server may do. Zero is correct.
    public func setClock(wrongBy time: Duration) { clock.setWall(wrongBy: time.seconds) }

    private func start() -> Placekeeper {
        // Hold the lock, so two callers start only one process. Creating a client only stores its parts.
        state.withLock { state in
            if let process = state.process { return process.placekeeper }
            let number = disk.nextProcess()
            let transport = ProcessTransport(network.transport, disk, number)
            let placekeeper = Placekeeper(
                key: service.key, configuration: state.configuration, clock: clock, transport: transport,
                files: { [disk] in ProcessFiles(disk, number) },
                credentials: { [written] in NotedCredentials(FileCredentialStore($0), written) },
                random: SeededRandom(seed &* 1_000_003 &+ UInt64(number)), watch: service.activity)
            state.process = Process(placekeeper: placekeeper, transport: transport, number: number)
            service.add(placekeeper)
            return placekeeper
        }
    }
}

/// Records each account that is written.
private final class NotedCredentials: CredentialStore {
    private let base: FileCredentialStore
    private let written: LockBox<[Credentials]>

    init(_ base: FileCredentialStore, _ written: LockBox<[Credentials]>) {
        self.base = base
        self.written = written
    }

    func read() throws(FileError) -> Credentials? { try base.read() }

    func write(_ credentials: Credentials) throws(FileError) {
        try base.write(credentials)
        written.withLock { $0.append(credentials) }
    }
}

/// The network between a virtual device and the service. Without a fault, each request is answered at once.
public final class VirtualNetwork: Sendable {
    package let transport: TestTransport

    init(_ transport: TestTransport) { self.transport = transport }

    /// The fault of each request. Nil if the network works. A fault also ends the event streams, through which a device
    /// learns of changes by other devices. A device opens the next stream two seconds later.
    public var fault: NetworkFault? {
        get { transport.fault }
        set { transport.fault = newValue }
    }

    /// Adds faults for the next requests, one each. Event streams don't count as requests. After these faults, `fault`
    /// applies again.
    public func failNext(_ faults: NetworkFault...) { transport.failNext(faults) }

    /// Ends all faults.
    public func repair() { transport.repair() }

    /// The requests that the device sent, in order, such as `GET /v1/places?idiom=phone`. Includes requests that didn't
    /// arrive.
    public var requests: [String] { transport.requests.map { "\($0.method) \($0.target)" } }
}

/// A random number generator with a seed (splitmix64), so tests are repeatable.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(_ seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}

extension VirtualDevice {
    /// The version of the app. A change takes effect in the next process, as after an update.
    public var bundleVersion: String? {
        get { configuration.device.bundleVersion }
        set { configuration.device.bundleVersion = newValue }
    }

    /// The kind of a device.
    public enum Idiom: Sendable {
        case phone, pad, mac, tv, vision, watch
    }
}

extension VirtualDevice.Idiom {
    package var userInterfaceIdiom: UserInterfaceIdiom {
        switch self {
        case .phone: .phone
        case .pad: .pad
        case .mac: .mac
        case .tv: .tv
        case .vision: .vision
        case .watch: .watch
        }
    }
}
