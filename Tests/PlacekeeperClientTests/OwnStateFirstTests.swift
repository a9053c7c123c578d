import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperRuntime
import PlacekeeperService
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// Launches that restore this device's own state without waiting for the service, and launches that ask first.
struct OwnStateFirstTests {
    let service: TestService
    let phone: VirtualDevice
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone, bundleVersion: "1")
        pad = service.device(.pad, bundleVersion: "1")
        phone.placekeeper.scene().save(archive("Lisbon"))
        try await phone.placekeeper.flush()
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        phone.kill()
    }

    private func archive(_ title: String, version: String = "1") -> StateArchive {
        StateArchive(bundleVersion: version, idiom: 0, place: Place([.init(screen: title, title: title)]))
    }

    private func launch(_ device: VirtualDevice) async -> (launch: Launch, seconds: Double) {
        let start = service.clock.seconds
        let launch = await service.advancingClock { await device.placekeeper.scene().launch() }
        return (launch, service.clock.seconds - start)
    }

    private func title(_ launch: Launch) -> String? { launch.restore?.archive.place?.steps.last?.title }

    private func update(_ device: VirtualDevice, to version: String) {
        device.configuration.device.bundleVersion = version
        device.kill()
    }

    private func leave(_ device: VirtualDevice) async {
        try? await service.advancingClock { try await device.placekeeper.flush() }
        device.kill()
    }

    /// The present offer of a device.
    private func present(_ device: VirtualDevice) async -> Placekeeper.Offer? {
        await device.placekeeper.scene().offers.first { _ in true } ?? nil
    }

    private func stop(_ source: String, on target: String) async throws {
        try await service.change {
            $0.stoppedRestores = [
                StoppedRestore(sourceVersion: source, targetVersion: target, idiom: "phone", by: .administrator)
            ]
        }
    }

    @Test(arguments: [NetworkFault.never, .slow(.seconds(0.5)), .slow(.seconds(20)), .offline, .captivePortal])
    func ownStateDoesNotWaitForTheService(_ fault: NetworkFault) async {
        phone.network.fault = fault
        let (launch, seconds) = await launch(phone)
        #expect(title(launch) == "Lisbon")
        #expect(seconds < 0.06)
    }

    @Test func ownStateThatWasNeverSentDoesNotWaitForTheService() async {
        let device = service.device()
        device.network.fault = .never
        device.placekeeper.scene().save(archive("Porto"))
        await service.settle()
        device.kill()
        let (launch, seconds) = await launch(device)
        #expect(title(launch) == "Porto" && launch.reason.code == .ownState && seconds < 0.06)
    }

    @Test func newerPlaceOfAnotherDeviceIsOfferedWhenItArrives() async throws {
        await service.advance(by: 60)
        pad.placekeeper.scene().save(archive("Porto"))
        try await pad.placekeeper.flush()
        phone.network.fault = .slow(.seconds(3))
        let scene = phone.placekeeper.scene()
        var offers = scene.offers.makeAsyncIterator()
        let launch = await service.advancingClock { await scene.launch() }
        #expect(title(launch) == "Lisbon" && launch.offer == nil)
        await service.advance(by: 10)
        var offer = await offers.next()
        while let next = offer, next == nil { offer = await offers.next() }
        #expect(offer??.place.titles == ["Porto"])
        // The next window of the process has the offer at once.
        let again = await service.advancingClock { await scene.launch() }
        #expect(again.offer?.place.titles == ["Porto"] && again.reason.code == .otherDevice)
    }

    @Test func placeThatArrivesAfterTheDeadlineIsOfferedOnANewDevice() async throws {
        pad.network.fault = .slow(.seconds(3))
        let (launch, seconds) = await launch(pad)
        #expect(launch.restore == nil && launch.reason.code == .deadline)
        #expect(abs(seconds - 1) < 0.01)
        await service.advance(by: 10)
        #expect(await present(pad)?.place.titles == ["Lisbon"])
    }

    @Test func newerPlaceIsNotOfferedIfThePersonWorksFirst() async throws {
        await service.advance(by: 60)
        pad.placekeeper.scene().save(archive("Porto"))
        try await pad.placekeeper.flush()
        phone.network.fault = .slow(.seconds(3))
        let scene = phone.placekeeper.scene()
        _ = await service.advancingClock { await scene.launch() }
        scene.noteInteraction()
        await service.advance(by: 10)
        #expect(await present(phone) == nil)
    }

    @Test(arguments: [false, true])
    func launchAfterAnUpdateAsksFirst(ofTheSystem: Bool) async throws {
        if ofTheSystem {
            phone.configuration.device.systemVersion = "26.1"
        } else {
            phone.configuration.device.bundleVersion = "2"
        }
        try await stop("1", on: ofTheSystem ? "1" : "2")
        phone.kill()
        let stopped = await launch(phone)
        #expect(stopped.launch.restore == nil && stopped.launch.reason.code.rawValue == "restores-stopped")
        try await service.change { $0.stoppedRestores = [] }
        phone.kill()
        // A known stop makes the launch ask again, within the deadline.
        phone.network.fault = .slow(.seconds(0.25))
        let served = await launch(phone)
        #expect(title(served.launch) == "Lisbon" && abs(served.seconds - 0.25) < 0.01)
    }

    @Test func launchAfterAnUpdateWaitsUntilTheDeadline() async {
        update(phone, to: "2")
        phone.network.fault = .never
        let (launch, seconds) = await launch(phone)
        #expect(title(launch) == "Lisbon" && launch.reason.code == .deadline)
        #expect(abs(seconds - 1) < 0.01)
    }

    /// In the first day after an update, an answer of the service holds for ten minutes.
    @Test(arguments: [(60.0, 0.05), (3600.0, 1.0), (86_340.0, 1.0), (90_000.0, 0.05)])
    func launchesAskFirstForADayAfterAnUpdate(_ age: Double, _ wait: Double) async throws {
        update(phone, to: "2")
        #expect(title(await launch(phone).launch) == "Lisbon")
        await leave(phone)
        service.clock.advance(by: age)
        phone.network.fault = .never
        let (launch, seconds) = await launch(phone)
        #expect(title(launch) == "Lisbon" && abs(seconds - wait) < 0.01)
    }

    /// A stop that the device does not know yet is heard after a launch on a slow network, and obeyed from then on.
    @Test(arguments: [NetworkFault.offline, .slow(.seconds(0.5)), nil] as [NetworkFault?])
    func stopThatIsHeardLateIsObeyedFromTheNextLaunchOn(_ fault: NetworkFault?) async throws {
        try await stop("1", on: "1")
        phone.network.fault = .slow(.seconds(0.5))
        #expect(title(await launch(phone).launch) == "Lisbon")
        await leave(phone)
        phone.network.fault = fault
        #expect(await launch(phone).launch.reason.code.rawValue == "restores-stopped")
    }

    /// The phone has shown its own state before, and shows again that the state does not crash the app.
    @Test func ownStateThatCrashedAnotherPhoneEndsTheQuarantine() async throws {
        let others = [service.device(.phone, bundleVersion: "1"), service.device(.phone, bundleVersion: "1")]
        for other in others { try await other.placekeeper.link(phone.placekeeper.linkCode().code) }
        #expect(title(await launch(others[0]).launch) == "Lisbon")
        others[0].kill()
        _ = await launch(others[0])
        await leave(others[0])
        #expect(await launch(others[1]).launch.reason.code.rawValue == "quarantined")
        others[1].kill()
        phone.network.fault = .slow(.seconds(0.5))
        #expect(title(await launch(phone).launch) == "Lisbon")
        await leave(phone)
        #expect(title(await launch(others[1]).launch) == "Lisbon")
    }

    @Test func launchWaitsForAChangeOfTheAccount() async throws {
        phone.network.fault = .slow(.seconds(0.5))
        let (launch, _) = await service.advancingClock {
            async let signIn: Void? = try? phone.placekeeper.signIn { TestService.signInToken(of: "ann") }
            await Task.yield()
            let launch = await phone.placekeeper.scene().launch()
            return (launch, await signIn)
        }
        #expect(launch.restore?.archive.place?.steps.last?.title == "Lisbon")
    }

    // MARK: - Flush

    @Test(arguments: [(nil, 5.0), (0.5, 0.5)] as [(Double?, Double)])
    func flushReturnsAtItsDeadline(_ deadline: Double?, _ seconds: Double) async throws {
        phone.placekeeper.scene().save(archive("Porto"))
        phone.network.fault = .never
        let start = service.clock.seconds
        let error = await #expect(throws: PlacekeeperError.self) {
            try await service.advancingClock {
                if let deadline {
                    try await phone.placekeeper.flush(deadline: .seconds(deadline))
                } else {
                    try await phone.placekeeper.flush()
                }
            }
        }
        #expect(error?.code == .unsentStates)
        #expect(abs(service.clock.seconds - start - seconds) < 0.01)
        // The state is sent later.
        phone.network.repair()
        await service.advance(by: 120)
        #expect(try await phone.placekeeper.places().contains { $0.titles == ["Porto"] })
    }

    // MARK: - Reasons

    /// The state of a newer version of the app is elsewhere, and may not be restored here.
    @Test func reasonSaysThatANewerStateMayNotBeRestoredHere() async throws {
        await service.advance(by: 60)
        update(pad, to: "2")
        pad.configuration.device.stateVersion = 2
        pad.kill()
        var newer = archive("Porto", version: "2")
        newer.stateVersion = 2
        pad.placekeeper.scene().save(newer)
        try await pad.placekeeper.flush()
        phone.configuration.device.stateVersion = 1
        let (launch, _) = await launch(phone)
        #expect(title(launch) == "Lisbon")
        #expect(launch.reason.code == .superseded && launch.offer == nil)
    }

    // MARK: - Ages

    @Test func unknownBootDoesNotMakeAgesWrong() {
        let earlier = ClockReading(wall: 1000, uptime: 900_000, boot: "")
        // The system was started again, and does not tell it.
        let later = ClockReading(wall: 4600, uptime: 50, boot: "")
        #expect(earlier.age(at: later) == 3600)
        #expect(SystemClock.named("") != "" && SystemClock.named("a") == "a")
    }
}
