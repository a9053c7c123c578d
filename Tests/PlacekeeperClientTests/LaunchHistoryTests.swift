import Foundation
import PlacekeeperArchive
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// Many launches on a virtual clock, against a service that is fast, slow, away or hostile.
struct LaunchHistoryTests {
    @Test func launchesInTimeAndNeverWithAnOlderState() async throws {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["PLACEKEEPER_SEED"].flatMap { UInt64($0) } ?? 1
        for seed in first..<first + UInt64(ClientHistoryTests.count) {
            var history = try await LaunchHistory(seed: seed, archives: Self.hostileArchives)
            await history.run(launches: 20)
            #expect(history.faults.isEmpty, "seed \(seed)")
            if !history.faults.isEmpty { break }
        }
    }

    /// Public archives that are traps for a reader, if the folder of the corpora is known.
    private static let hostileArchives: [[UInt8]] = {
        guard let folder = ProcessInfo.processInfo.environment["PLACEKEEPER_CORPORA"],
            let files = FileManager.default.enumerator(atPath: folder)
        else { return [] }
        return files.compactMap { $0 as? String }.filter { $0.hasSuffix("plist") }.sorted().prefix(400).compactMap {
            FileManager.default.contents(atPath: folder + "/" + $0).map { [UInt8]($0.prefix(1 << 20)) }
        }
    }()
}

private struct LaunchHistory {
    private let service: TestService
    private let device: SimulatedDevice
    private let other: SimulatedDevice
    private let archives: [[UInt8]]
    private var random: SeededRandom
    private var saved: [String] = []
    private var hasLaunched = false
    private(set) var faults: [String] = []

    init(seed: UInt64, archives: [[UInt8]]) async throws {
        service = try await TestService()
        random = SeededRandom(seed: seed)
        device = SimulatedDevice(service, .phone, seed: random.next())
        other = SimulatedDevice(service, .phone, seed: random.next())
        self.archives = archives
        await other.saveAndFlush("of the other device")
        _ = await device.link(to: other)
    }

    mutating func run(launches: Int) async {
        for number in 0..<launches {
            await live(number)
            await launch(number)
            device.network.repair()
        }
    }

    /// The person uses one of the devices between two launches.
    private mutating func live(_ number: Int) async {
        service.clock.advance(by: Double(random.below(100)))
        switch random.below(6) {
        case 0: break
        case 1:
            await other.saveAndFlush("\(number) of the other device")
        default:
            if random.below(3) == 0 { device.network.fault = .offline }
            device.save("\(number)")
            saved.append("\(number)")
            await device.flush()
        }
        device.network.repair()
    }

    private mutating func launch(_ number: Int) async {
        // The person has left the app in order.
        device.core.leaveInOrder(at: device.clock.now())
        device.restart()
        let start = device.clock.now().uptime
        let behavior = random.below(6)
        var open: [(at: Double, id: Int, result: Result<TransportResponse, TransportError>)] = []
        device.core.add(.launch(scene: "main", device.context), 1, at: device.clock.now())
        for _ in 0..<200 {
            let step = device.core.step(at: device.clock.now())
            for (id, request) in step.requests { open.append(await answer(request, id, behavior)) }
            if let (_, result) = step.results.first(where: { $0.callID == 1 }) {
                return check(result, number, behavior, after: device.clock.now().uptime - start)
            }
            open.sort { $0.at < $1.at }
            let next = [open.first?.at, step.wakeAt].compactMap(\.self).min()
            guard let next else { break }
            // The clock of the service counts in steps that are larger than some differences.
            service.clock.advance(by: max(0.001, next - device.clock.now().uptime))
            while let answer = open.first, answer.at <= device.clock.now().uptime {
                open.removeFirst()
                device.core.receive(answer.result, for: answer.id, at: device.clock.now())
            }
        }
        faults.append("launch \(number) never ended (behavior \(behavior))")
    }

    /// Sends a request to the service, and decides when its answer arrives.
    private mutating func answer(
        _ request: TransportRequest, _ id: Int, _ behavior: Int
    ) async -> (at: Double, id: Int, result: Result<TransportResponse, TransportError>) {
        let delay: Double = [0.01, Double(random.below(3000)) / 1000, 1e6, 0, 0.05, 0.1][behavior]
        let at = device.clock.now().uptime + delay
        if behavior == 3 { return (at, id, .failure(.unreachable("There is no connection."))) }
        if behavior == 4 {
            return (at, id, .success(TransportResponse(status: [500, 401, 302, 200, 511][random.below(5)])))
        }
        do throws(TransportError) {
            var response = try await device.network.send(request)
            if behavior == 5 { spoil(&response) }
            return (at, id, .success(response))
        } catch {
            return (at, id, .failure(error))
        }
    }

    /// Changes a response as a broken or hostile service would.
    private mutating func spoil(_ response: inout TransportResponse) {
        switch random.below(7) {
        case 0: response.body = Array(response.body.prefix(random.below(response.body.count + 1)))
        case 1:
            for _ in 0..<8 where !response.body.isEmpty {
                response.body[random.below(response.body.count)] = UInt8(random.below(256))
            }
        case 2 where !archives.isEmpty: response.body = archives[random.below(archives.count)]
        case 3 where !response.fields.isEmpty:
            response.fields[random.below(response.fields.count)].value =
                ["", "full", "-1", "99999999999999999999"][random.below(4)]
        case 4: response.fields = []
        case 5: response.status = [200, 204, 304, 404, 406, 409, 999][random.below(7)]
        default: response.body = [UInt8](repeating: UInt8(ascii: "["), count: 100_000)
        }
    }

    private mutating func check(
        _ result: ClientCore.CallResult, _ number: Int, _ behavior: Int, after seconds: Double
    ) {
        guard case .launched(let launch) = result else {
            return faults.append("launch \(number) has another result")
        }
        if seconds > device.settings.launchDeadline + 0.002 {
            faults.append("launch \(number) took \(seconds) s (behavior \(behavior))")
        }
        if let restore = launch.restore {
            // A hostile service can serve any state that can be read.
            if behavior != 5, !saved.isEmpty, restore.text != saved.last {
                faults.append("launch \(number) restores \(restore.text ?? "-") and not \(saved.last ?? "-")")
            }
            device.core.report(.restored, of: restore, at: device.clock.now())
        } else if !saved.isEmpty, launch.reason.code == .deadline || launch.reason.code == .offline {
            faults.append("launch \(number) restores nothing, and \(saved.last ?? "-") is on the device")
        }
        if let offer = launch.offer, offer.place.device.isThisDevice {
            faults.append("launch \(number) offers a state of this device")
        }
    }
}
