import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime

/// Runs the plan of a user: on virtual devices with the real client and the real service core, and on the rivals.
final class Household {
    /// A device, and the app on it.
    struct Seating {
        var device: VirtualDevice?
        var plan: Plan.Device
        var release: Release
        var person: Int
        var isOnline = true
        /// Whether the process is suspended, so that the next session continues it.
        var isSuspended = false
        /// The screen that the app shows, with Placekeeper and with each rival.
        var shown = Screen()
        var shownByRivals: [Screen]
        /// Whether the person has worked since the app came to the foreground.
        var hasWorked = false
        /// The time of the last launch, and of the launches in a row whose process died within 30 seconds.
        var launchedAt = 0.0
        var deaths: [Double] = []
        /// Whether a state was restored in this process, or the person worked in it.
        var hasPlace = false
        /// Whether the app saves the progress in the book.
        var tellsProgress = false
        /// The newest own places of the device, with Placekeeper and with each rival, by person.
        var own = OwnPlaces()
        var ownByRivals: [OwnPlaces]
    }

    let user: Int
    let plan: Plan
    let service: TestService
    private let start: Double
    var tally = Tally()
    var devices: [Seating] = []
    var work: [Work?]
    var rivals: [any Rival]
    /// The decisions about offers, which no other system needs.
    var random: SeededRandom
    private let isTraced: Bool

    init(
        seed: UInt64, user: Int, days: Int, isRestless: Bool = false, isRereading: Bool = false, isTraced: Bool = false
    ) async throws {
        self.user = user
        self.isTraced = isTraced
        plan = Plan(seed: seed, user: user, days: days, isRestless: isRestless, isRereading: isRereading)
        service = try await TestService()
        start = service.clock.seconds
        random = SeededRandom(seed ^ UInt64(user) << 20)
        work = Array(repeating: nil, count: plan.people)
        rivals = [NewestUpload(), NewestChange(), Furthest(), KeyValueStore()]
        for device in plan.devices {
            devices.append(
                Seating(
                    plan: device, release: plan.release, person: device.person,
                    shownByRivals: Array(repeating: Screen(), count: rivals.count),
                    tellsProgress: plan.isRereading,
                    ownByRivals: Array(repeating: OwnPlaces(), count: rivals.count)))
        }
    }

    var now: Double { service.clock.seconds - start }
    var day: Int { Int(now / Plan.day) }

    func run() async throws -> Tally {
        for index in devices.indices where devices[index].plan.original == nil { try await setUp(index) }
        for event in plan.events {
            if event.at > now { await service.advance(by: event.at - now) }
            try await happen(event.kind)
        }
        return tally
    }

    func trace(_ text: @autoclosure () -> String) {
        guard isTraced else { return }
        let seconds = Int(now.truncatingRemainder(dividingBy: Plan.day))
        let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { ($0 < 10 ? "0" : "") + "\($0)" }
        print("day \(day) \(time.joined(separator: ":"))  \(text())")
    }

    // MARK: - Devices

    private func setUp(_ index: Int) async throws {
        let device = service.device(devices[index].plan.model.idiom)
        devices[index].device = device
        setVersions(of: index)
        device.kill()
        device.setClock(wrongBy: .seconds(devices[index].plan.clockError))
        if plan.hasAccounts {
            if !devices[index].plan.signsInLate { try await signIn(devices[index].person, on: device) }
        } else if index > 0, let first = devices[0].device {
            let fault = first.network.fault
            first.network.fault = nil
            let code = try await first.placekeeper.linkCode().code
            first.network.fault = fault
            try await device.placekeeper.link(code)
        }
        device.kill()
        trace("\(name(of: index)) is set up for person \(devices[index].person)")
    }

    func signIn(_ person: Int, on device: VirtualDevice) async throws {
        try await device.placekeeper.signIn { TestService.signInToken(of: "person-\(person)") }
    }

    private func setVersions(of index: Int) {
        guard let device = devices[index].device else { return }
        let release = devices[index].release
        device.configuration.device = RestorationContext(
            idiom: devices[index].plan.model.idiom.userInterfaceIdiom, bundleVersion: release.text,
            stateVersion: release.stateVersion, layout: devices[index].plan.model.layout)
    }

    func name(of index: Int) -> String { "\(devices[index].plan.model.rawValue) \(index)" }

    private func happen(_ kind: Plan.Kind) async throws {
        switch kind {
        case .session(let session): try await play(session)
        case .connection(let index, let isOnline):
            devices[index].isOnline = isOnline
            devices[index].device?.network.fault = isOnline ? nil : .offline
            trace("\(name(of: index)) is \(isOnline ? "online" : "offline")")
        case .wake(let index): await wake(index)
        case .update(let index, let release):
            devices[index].release = release
            install(on: index)
        case .patch(let index, let number):
            devices[index].release.patch = number
            install(on: index)
        case .clock(let index, let error):
            devices[index].device?.setClock(wrongBy: .seconds(error))
            devices[index].plan.clockError = error
            trace("the clock of \(name(of: index)) is wrong by \(Int(error)) s")
        case .reboot(let index):
            end(index)
            devices[index].device?.reboot()
            trace("\(name(of: index)) starts again")
        case .backup(let index): backUp(for: index)
        case .restoreBackup(let index): try await restoreBackup(index)
        }
    }

    /// The system ends the app, and installs another version.
    private func install(on index: Int) {
        setVersions(of: index)
        end(index)
        trace("\(name(of: index)) gets the release \(devices[index].release)")
    }

    /// Ends the process of the app.
    func end(_ index: Int) {
        devices[index].device?.kill()
        devices[index].isSuspended = false
        (devices[index].hasWorked, devices[index].hasPlace) = (false, false)
    }

    private func wake(_ index: Int) async {
        guard let device = devices[index].device, devices[index].isOnline else { return }
        try? await device.placekeeper.flush()
        if !devices[index].isSuspended { device.kill() }
        deliver(index)
        trace("\(name(of: index)) sends in the background")
    }

    private func backUp(for index: Int) {
        guard devices[index].plan.hasFilesOfOriginal, let original = devices[index].plan.original,
            let device = devices[original].device
        else { return }
        devices[index].device = service.device(cloning: device)
        (devices[index].own, devices[index].ownByRivals) = (devices[original].own, devices[original].ownByRivals)
        let person = devices[index].person
        for rival in rivals.indices {
            rivals[rival].copy(from: Seat(device: original, person: person), to: Seat(device: index, person: person))
        }
        trace("\(name(of: original)) is backed up")
    }

    private func restoreBackup(_ index: Int) async throws {
        if let original = devices[index].plan.original { devices[index].release = devices[original].release }
        if devices[index].device == nil { return try await setUp(index) }
        setVersions(of: index)
        devices[index].device?.network.fault = devices[index].isOnline ? nil : .offline
        trace("\(name(of: index)) is restored from the backup")
    }

    /// Notes that everything that a device saved was sent.
    func deliver(_ index: Int) {
        for person in work.indices where work[person]?.device == index { work[person]?.isSent = true }
        for rival in rivals.indices {
            rivals[rival].sync(
                Seat(device: index, person: devices[index].person), on: devices[index].plan.model,
                devices[index].release)
        }
    }
}
