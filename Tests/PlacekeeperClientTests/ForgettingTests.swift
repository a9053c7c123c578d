import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// The person removes a book, or goes back to an earlier place in it.
struct ForgettingTests {
    let service: TestService
    let phone: SimulatedDevice
    let pad: SimulatedDevice

    init() async throws {
        service = try await TestService()
        phone = SimulatedDevice(service, .phone, seed: 1)
        pad = SimulatedDevice(service, .phone, seed: 2)
        phone.save("page 40")
        await phone.flush()
        #expect(await pad.link(to: phone).isDone)
    }

    @Test func forgetsASceneOnAllDevices() async {
        pad.save("page 41")
        await pad.flush()
        service.clock.advance(by: 1)
        phone.save("waits")
        #expect(await phone.result(of: .forget(scene: "main")).isDone)
        #expect(phone.last.status.pendingCount == 0)
        for device in [phone, pad] {
            device.restart()
            let launch = await device.launch()
            #expect(launch.isFresh && launch.offer == nil)
        }
    }

    /// The launch does not wait for a slow service. The next launch knows that the service has nothing.
    @Test func anotherDeviceAsksAfterASlowAnswer() async {
        pad.save("page 41")
        await pad.flush()
        service.clock.advance(by: 1)
        #expect(await phone.result(of: .forget(scene: "main")).isDone)
        pad.restart()
        let callID = pad.add(.launch(scene: "main", pad.context))
        pad.step()
        service.clock.advance(by: 1)
        pad.step()
        if case .launched(let launch)? = pad.results[callID] { #expect(launch.text == "page 41") }
        await pad.settle()
        service.clock.advance(by: 9)
        await pad.settle()
        pad.restart()
        #expect(await pad.launch().isFresh)
    }

    /// The state of another device that is restored here is forgotten, too.
    @Test func forgetsAStateThatWasJustRestored() async {
        service.clock.advance(by: 60)
        pad.save("page 41")
        await pad.flush()
        let tablet = SimulatedDevice(service, .phone, seed: 3)
        #expect(await tablet.link(to: phone).isDone)
        #expect(await tablet.launch().text == "page 41")
        tablet.add(.forget(scene: "main"))
        tablet.step()
        service.clock.advance(by: 6)
        tablet.step()
        await tablet.settle()
        tablet.restart()
        tablet.network.fault = .offline
        #expect(await tablet.launch().isFresh)
    }

    /// Nothing is removed, so the app can tell it and try again.
    @Test func failsWithoutAConnection() async {
        phone.network.fault = .offline
        #expect(await phone.result(of: .forget(scene: "main")).failure == .offline)
        phone.network.repair()
        phone.restart()
        #expect(await phone.launch().text == "page 40")
        #expect(await phone.result(of: .forget(scene: "no scene")).failure == .sceneNameInvalid)
    }

    @Test func keepsWhatIsSavedWhileTheRequestIsOnItsWay() async {
        phone.add(.forget(scene: "main"))
        phone.step()
        service.clock.advance(by: 1)
        phone.save("a new beginning")
        service.clock.advance(by: 60)
        phone.step()
        await phone.settle()
        await phone.flush()
        phone.restart()
        #expect(await phone.launch().text == "a new beginning")
        service.clock.advance(by: 60)
        pad.restart()
        #expect(await pad.launch().text == "a new beginning")
    }

    /// The state that is on its way is stored first, and then forgotten.
    @Test func waitsForAStateThatIsOnItsWay() async {
        phone.save("page 42")
        phone.add(.flush)
        phone.step()
        #expect(phone.hasOpenRequests)
        #expect(await phone.result(of: .forget(scene: "main")).isDone)
        pad.restart()
        #expect(await pad.launch().isFresh)
    }

    @Test func sparesOtherScenes() async {
        phone.save("a letter", in: "editor")
        await phone.flush()
        #expect(await phone.result(of: .forget(scene: "main")).isDone)
        phone.restart()
        #expect(await phone.launch("editor").text == "a letter")
    }

    /// Forty saves in two minutes follow a slip.
    @Test func goesBackToThePlaceBeforeASlip() async throws {
        service.clock.advance(by: 3600)
        for number in 1...40 {
            phone.save("slip \(number)")
            await phone.flush()
            service.clock.advance(by: 3)
        }
        guard case .history(let entries) = await phone.result(of: .history(scene: "main")) else {
            throw PlacekeeperError(.offline, "There is no history.")
        }
        let entry = try #require(entries.first { $0.titles == ["page 40"] })
        let intent = ClientCore.Call.take(archive: entry.id, scene: "main", phone.context)
        #expect(await phone.result(of: intent).served?.text == "page 40")
        // With the person's next interaction, it is the newest state.
        phone.save("page 41")
        await phone.flush()
        pad.restart()
        #expect(await pad.launch().text == "page 41")
    }
}
