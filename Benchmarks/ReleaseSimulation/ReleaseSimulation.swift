import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperCore
import PlacekeeperRuntime
import PlacekeeperService
import PlacekeeperTesting

/// Plays a release on virtual devices: each has the client that an app ships, and all use one service in memory.
struct ReleaseSimulation {
    /// The use of an installation at a time.
    private struct Session {
        var at: Double
        var installation: Int
        /// Whether the person opens the app again some hours later.
        var isRepeated = true
    }

    /// The screen that version 2 cannot restore.
    private static let crashingScreen = "viewer"
    private static let healthyScreens = ["list", "search", "settings"]
    private static let day = 86_400.0
    /// The mean seconds between two uses of an installation.
    private static let pause = 6 * 3600.0

    private let release: Release
    private let service: TestService
    private var random: SplitMix
    private var installations: [Installation] = []
    /// The sessions of each minute after the release.
    private var sessions: [[Session]]
    private var start = 0.0
    private var saves = 0
    private var result: ReleaseResult

    static func run(_ release: Release) async throws -> ReleaseResult {
        var simulation = try await ReleaseSimulation(release)
        try await simulation.register()
        try await simulation.useVersionOne()
        try await simulation.releaseVersionTwo()
        return simulation.result
    }

    private init(_ release: Release) async throws {
        self.release = release
        service = try await TestService()
        random = SplitMix(release.seed)
        sessions = Array(repeating: [], count: release.hours * 60)
        result = ReleaseResult(release)
        try await service.change {
            $0.breaker.mode = release.breaker == .stop ? .stop : .off
            // The store in memory would add up the bytes of the app at each upload.
            $0.quotas.appBytes = nil
        }
    }

    // MARK: - Before the release

    /// Of ten devices, eight are phones and two are pads. One of the pads belongs to the person of a phone. Half of the
    /// devices share the addresses of carriers. Every fifth person begins to use the app a day before the release.
    private mutating func register() async throws {
        for number in 0..<release.hostileInstallations {
            let network = number % release.hostileNetworks
            let address = "203.0.\(network / 250).\(network % 250 + 1)"
            // At once, as soon as the attacker sees the release.
            add(
                .phone, from: address, isHostile: true, isEstablished: true,
                updatesAt: Double.random(in: 0..<30, using: &random))
        }
        for number in 0..<release.devices {
            let own = "10.\(number >> 16).\(number >> 8 & 255).\(number & 255)"
            let address = number.isMultiple(of: 2) ? own : "100.64.\(number / 2 % 200).1"
            add(
                number % 10 < 8 ? .phone : .pad, from: address, isHostile: false, isEstablished: number / 10 % 5 > 0,
                updatesAt: Double.random(in: 0..<Double(release.spreadHours) * 3600, using: &random))
        }
    }

    private mutating func add(
        _ idiom: VirtualDevice.Idiom, from address: String, isHostile: Bool, isEstablished: Bool, updatesAt: Double
    ) {
        installations.append(
            Installation(
                device: service.device(idiom, bundleVersion: "1", from: address), isHostile: isHostile,
                isEstablished: isEstablished, updatesAt: updatesAt))
    }

    /// Everybody uses version 1 on days 0, 3 and 8. The release is on day 9.
    private mutating func useVersionOne() async throws {
        let begin = service.clock.seconds
        for day in [0.0, 3, 8] {
            service.clock.advance(by: begin + day * Self.day - service.clock.seconds)
            for index in installations.indices where installations[index].isEstablished || day == 8 {
                // A client network may register 100 devices at once, and then one every ten seconds.
                service.clock.advance(by: day == 0 && installations[index].isHostile ? 10 : 0.5)
                let number = index - release.hostileInstallations
                if number >= 0, number % 10 == 9, installations[index].screen.isEmpty {
                    let code = try await installations[index - 9].device.placekeeper.linkCode().code
                    try await installations[index].device.placekeeper.link(code)
                    installations[index - 9].device.kill()
                }
                await use(index, at: -1)
                // The restore log takes at most 1,000 reports at a time.
                if index.isMultiple(of: 100) { _ = try await service.keepUp() }
            }
            _ = try await service.keepUp()
        }
        let ahead = begin + 9 * Self.day
        // The breaker judges at whole minutes.
        service.clock.advance(by: max(0, ahead - service.clock.seconds))
        start = service.clock.seconds
        // Only the launches after the release count.
        result = ReleaseResult(release)
    }

    // MARK: - The release

    private mutating func releaseVersionTwo() async throws {
        for index in installations.indices {
            // The person opens the app after the update, and a few times a day.
            plan(index, at: installations[index].updatesAt, isRepeated: false)
            if !installations[index].isHostile { plan(index, at: Double.random(in: 0..<Self.pause, using: &random)) }
        }
        var stops = try await service.settings.stoppedRestores
        for minute in sessions.indices {
            while let next = sessions[minute].indices.min(by: { sessions[minute][$0].at < sessions[minute][$1].at }) {
                let session = sessions[minute].remove(at: next)
                service.clock.advance(by: max(0, start + session.at - service.clock.seconds))
                await use(session.installation, at: session.at, isRepeated: session.isRepeated)
            }
            service.clock.advance(by: max(0, start + Double(minute + 1) * 60 - service.clock.seconds))
            _ = try await service.keepUp()
            let present = try await service.settings.stoppedRestores
            for stop in present where !stops.contains(stop) {
                let hours = Double(stop.until ?? 0) / 3_600_000 - service.clock.seconds / 3600
                result.stops.append(
                    .init(
                        minute: minute + 1, sourceVersion: stop.sourceVersion ?? "",
                        targetVersion: stop.targetVersion ?? "",
                        idiom: stop.idiom, hours: (hours * 10).rounded() / 10))
            }
            stops = present
            if minute < 24 * 60 { result.crashedOnFirstDay = result.crashedDevices }
            if minute % 10 == 9 { result.timeline.append(result.crashedDevices) }
        }
    }

    private mutating func plan(_ index: Int, at seconds: Double, isRepeated: Bool = true) {
        let minute = Int(seconds / 60)
        guard sessions.indices.contains(minute) else { return }
        sessions[minute].append(Session(at: seconds, installation: index, isRepeated: isRepeated))
    }

    /// The person opens the app, uses it, and leaves it. Then the system ends its process.
    private mutating func use(_ index: Int, at seconds: Double, isRepeated: Bool = false) async {
        let installation = installations[index]
        let device = installation.device
        let version = seconds >= installation.updatesAt ? 2 : 1
        installation.install(version)
        let isOffline =
            seconds >= 0 && !installation.isHostile && Double.random(in: 0..<1, using: &random) < release.offlineShare
        device.network.fault = isOffline ? .offline : nil
        let scene = device.placekeeper.scene()
        let launch = await scene.launch()
        if !installation.isHostile { count(launch, installation, version) }
        if let restored = launch.restore {
            let isBroken = version == 2 && restored.archive.screen == Self.crashingScreen
            let isNoise = seconds >= 0 && Double.random(in: 0..<1, using: &random) < release.noise
            if isBroken || isNoise || version == 2 && installation.isHostile {
                device.kill()
                noteCrash(of: restored.id, on: index)
                // The person opens the app again.
                plan(index, at: seconds + Double.random(in: 15..<60, using: &random), isRepeated: isRepeated)
                return
            }
            scene.report(.restored, of: restored)
        }
        saves += 1
        let isOnCrashingScreen = Double.random(in: 0..<1, using: &random) < release.crashingShare
        let screen =
            isOnCrashingScreen ? Self.crashingScreen : Self.healthyScreens[saves % Self.healthyScreens.count]
        installations[index].screen = screen
        scene.save(.showing(screen, title: "\(saves)", version: version))
        try? await device.placekeeper.flush()
        device.kill()
        if isRepeated {
            plan(index, at: seconds - Self.pause * log(1 - Double.random(in: 0..<1, using: &random)) + 60)
        }
    }

    private mutating func count(_ launch: Launch, _ installation: Installation, _ version: Int) {
        result.launches += 1
        if launch.restore != nil { result.restores += 1 }
        guard launch.reason.code.rawValue == "restores-stopped" else { return }
        if version == 1 {
            result.refusedOnVersionOne += 1
        } else if installation.screen == Self.crashingScreen {
            result.preventedCrashes += 1
        } else {
            result.refusedHealthyStates += 1
        }
    }

    private mutating func noteCrash(of archive: String, on index: Int) {
        guard !installations[index].isHostile else { return }
        installations[index].crashes += 1
        installations[index].crashesOfArchives[archive, default: 0] += 1
        result.crashes += 1
        if installations[index].crashes == 1 { result.crashedDevices += 1 }
        result.mostCrashesOfOneDevice = max(result.mostCrashesOfOneDevice, installations[index].crashes)
        result.mostCrashesOnOneArchive = max(
            result.mostCrashesOnOneArchive, installations[index].crashesOfArchives[archive] ?? 0)
    }
}
