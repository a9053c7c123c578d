import Foundation
import PlacekeeperKit
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

/// An app with the README's lines for any app and no other call, on two phones of one person, ten launches a day.
@MainActor
struct FiveLinesHistoryTests {
    /// CI plays some days. `make long-runs` plays a year.
    private static let days = ProcessInfo.processInfo.environment["PLACEKEEPER_DAYS"].flatMap { Int($0) } ?? 8

    @Test(arguments: [false, true])
    func everyLaunchRestoresOrOffersTheLastWork(hasBadBuild: Bool) async throws {
        var history = try await FiveLinesHistory(seed: hasBadBuild ? 2 : 1)
        for day in 0..<Self.days {
            try await history.play(day)
            if hasBadBuild, day % 30 == 4 { try await history.playBadBuild() }
            #expect(history.faults.isEmpty, "day \(day)")
            if !history.faults.isEmpty { break }
        }
        #expect(history.launches >= 10 * Self.days)
    }
}

@MainActor
private struct FiveLinesHistory {
    private struct Reading: Codable {
        var page = 0
    }

    private let service: TestService
    private var devices: [VirtualDevice] = []
    private var random: Dice
    /// The page of the person's last work, and the version of the app.
    private var page = 0
    private var version = 1
    private(set) var launches = 0
    private(set) var faults: [String] = []

    init(seed: UInt64) async throws {
        service = try await TestService()
        random = Dice(state: seed)
        devices = [service.device(.phone), service.device(.phone)]
        try await devices[1].placekeeper.link(devices[0].placekeeper.linkCode().code)
        for device in devices { device.kill() }
    }

    /// Ten launches at random times of a day.
    mutating func play(_ day: Int) async throws {
        for number in 0..<10 {
            await service.advance(by: .seconds(60 + random.below(2 * 8000)))
            await use(devices[random.below(2)], "day \(day), launch \(number)")
        }
    }

    /// The person opens the app, looks or works, and leaves it. Then the system ends the process.
    private mutating func use(_ device: VirtualDevice, _ name: String) async {
        launches += 1
        // The lines of the README.
        let scene = device.placekeeper.scene(Reading.self)
        let launch = await scene.restore()
        let (restored, offered) = (launch.value.map { "\($0.page)" }, launch.offer?.place.titles.last)
        if page > 0, restored != "\(page)", offered != "\(page)" {
            let found = "restores \(restored ?? "nothing"), offers \(offered ?? "nothing")"
            faults.append("\(name): \(launch.reason) It \(found), not \(page)")
        }
        // Half of the sessions are view-only captures, and some are short.
        var seconds = [1, 3, 8, 20, 100, 1000][random.below(6)]
        if random.below(2) == 0 {
            await service.advance(by: .seconds(seconds))
            seconds = 1
            if let offer = launch.offer, random.below(3) == 0 { _ = try? await scene.restore(offer.place) }
            page += 1
            scene.save(Reading(page: page), title: "\(page)")
        }
        await service.advance(by: .seconds(seconds))
        do { try await device.placekeeper.flush() } catch { faults.append("\(name): \(error)") }
        device.kill()
    }

    // MARK: - A build that crashes

    /// A build cannot show the present page. No device dies of it more than once, until the next build restores it.
    mutating func playBadBuild() async throws {
        for device in devices { await use(device, "before the bad build") }
        install()
        var deaths = 0
        for number in 0..<8 {
            let device = devices[number % 2]
            await service.advance(by: .seconds(3600))
            launches += 1
            if await device.placekeeper.scene(Reading.self).restore().value?.page == page {
                deaths += 1
            } else {
                // The person looks at the first screen, and leaves.
                await service.advance(by: .seconds(10))
                try? await device.placekeeper.flush()
            }
            device.kill()
        }
        if deaths == 0 || deaths > 2 { faults.append("a bad build crashed \(deaths) times on page \(page)") }
        install()
        for device in devices { await use(device, "after the bad build") }
    }

    private mutating func install() {
        version += 1
        for device in devices {
            device.configuration.device.bundleVersion = "\(version)"
            device.kill()
        }
    }
}

/// Random numbers that follow from a seed (splitmix64).
private struct Dice {
    var state: UInt64

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((word ^ (word >> 31)) % UInt64(bound))
    }
}
