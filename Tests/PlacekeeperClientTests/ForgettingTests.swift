import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// The person removes a book, or goes back to an earlier place in it.
final class ForgettingTests: DeviceTests {
    override init() async throws {
        try await super.init()
        await phone.saveAndFlush("page 40")
        #expect(await pad.link(to: phone).isDone)
    }

    @Test func forgetsASceneOnAllDevices() async {
        await pad.saveAndFlush("page 41")
        service.clock.advance(by: 1)
        phone.save("waits")
        #expect(await phone.result(of: .forget(scene: "main")).isDone)
        #expect(phone.last.status.unsentCount == 0)
        for device in [phone, pad] {
            let launch = await device.relaunch()
            #expect(launch.isFresh && launch.offer == nil)
        }
    }

    /// The launch does not wait for a slow service. The next launch knows that the service has nothing.
    @Test func anotherDeviceAsksAfterASlowAnswer() async {
        await pad.saveAndFlush("page 41")
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
        #expect(await pad.relaunch().isFresh)
    }

    /// The state of another device that is restored here is forgotten, too.
    @Test func forgetsAStateThatWasJustRestored() async {
        service.clock.advance(by: 60)
        await pad.saveAndFlush("page 41")
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
        #expect(await phone.relaunch().text == "page 40")
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
        #expect(await phone.relaunch().text == "a new beginning")
        service.clock.advance(by: 60)
        #expect(await pad.relaunch().text == "a new beginning")
    }

    /// The state that is on its way is stored first, and then forgotten.
    @Test func waitsForAStateThatIsOnItsWay() async {
        phone.save("page 42")
        phone.add(.flush)
        phone.step()
        #expect(phone.hasOpenRequests)
        #expect(await phone.result(of: .forget(scene: "main")).isDone)
        #expect(await pad.relaunch().isFresh)
    }

    @Test func sparesOtherScenes() async {
        await phone.saveAndFlush("a letter", in: "editor")
        #expect(await phone.result(of: .forget(scene: "main")).isDone)
        #expect(await phone.relaunch("editor").text == "a letter")
    }

    /// Forty saves in two minutes follow a slip.
    @Test func goesBackToThePlaceBeforeASlip() async throws {
        service.clock.advance(by: 3600)
        for number in 1...40 {
            await phone.saveAndFlush("slip \(number)")
            service.clock.advance(by: 3)
        }
        let entry = try #require(await phone.history()?.first { $0.titles == ["page 40"] })
        let intent = ClientCore.Call.take(archive: entry.archive, scene: "main", phone.context)
        #expect(await phone.result(of: intent).served?.text == "page 40")
        // With the person's next interaction, it is the newest state.
        await phone.saveAndFlush("page 41")
        #expect(await pad.relaunch().text == "page 41")
    }
}
