import Foundation
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// Two devices with copies of one client's files.
struct CopiedIdentityTests {
    let service: TestService
    let phone: SimulatedDevice

    init() async throws {
        service = try await TestService()
        phone = SimulatedDevice(service, .phone, seed: 1)
        phone.save("Lisbon")
        await phone.flush()
    }

    private func copy() -> SimulatedDevice { SimulatedDevice(service, .phone, seed: 9, files: phone.files.copy()) }

    private func titles(_ device: SimulatedDevice) async -> Set<String> {
        guard case .history(let entries) = await device.result(of: .history(scene: "main")) else { return [] }
        return Set(entries.compactMap(\.titles.first))
    }

    private func deviceCount() async throws -> Int {
        let token = try #require(phone.registration?.token)
        let request = TransportRequest("GET", "/v1/devices", fields: [.init("Authorization", "Bearer " + token)])
        let text = String(decoding: try await service.answer(request).body, as: UTF8.self)
        return text.components(separatedBy: "\"createdAt\"").count - 1
    }

    @Test(arguments: [false, true])
    func laterDeviceGetsAnIdentityOfItsOwn(isSignedIn: Bool) async throws {
        if isSignedIn { #expect(await phone.result(of: .signIn(token: TestService.signInToken(of: "anna"))).isDone) }
        phone.save("waits")
        let clone = copy()
        phone.restart()
        _ = await phone.launch()
        await phone.flush()
        let device = phone.registration?.device
        #expect(await clone.launch().text == "waits")
        clone.save("Porto")
        await clone.flush()
        #expect(clone.last.status.wasCopied && clone.last.status.pendingCount == 0)
        #expect(clone.registration?.device != device && clone.registration?.user == phone.registration?.user)
        #expect(clone.registration?.isSignedIn == isSignedIn)
        phone.save("Faro")
        await phone.flush()
        #expect(phone.registration?.device == device && phone.last.status.pendingCount == 0)
        #expect(await titles(phone).isSuperset(of: ["waits", "Porto", "Faro"]))
        // Both go on as two devices.
        for round in 0..<2 {
            for each in [phone, clone] {
                each.restart()
                _ = await each.launch()
                each.save("\(round)")
                await each.flush()
            }
        }
        #expect(phone.registration?.device == device)
        #expect(try await deviceCount() == 2)
    }

    @Test func originalGetsANewIdentityIfTheCopyLaunchesFirst() async throws {
        let clone = copy()
        _ = await clone.launch()
        #expect(clone.registration == phone.registration)
        phone.save("Porto")
        await phone.flush()
        #expect(phone.registration?.device != clone.registration?.device)
        #expect(phone.registration?.user == clone.registration?.user)
        #expect(phone.last.status.wasCopied && phone.last.status.pendingCount == 0)
        #expect(await titles(clone).contains("Porto"))
    }

    /// However often the copy launched in the meantime.
    @Test(arguments: [NetworkFault.offline, .captivePortal])
    func copyWithoutAConnectionIsNoticed(_ fault: NetworkFault) async throws {
        let clone = copy()
        clone.network.fault = fault
        for text in ["Sintra", "Évora", "Coimbra"] {
            clone.restart()
            _ = await clone.launch()
            clone.save(text)
        }
        phone.restart()
        _ = await phone.launch()
        phone.save("Faro")
        await phone.flush()
        clone.network.fault = nil
        clone.restart()
        #expect(await clone.launch().text == "Coimbra")
        await clone.flush()
        #expect(clone.last.status.wasCopied && clone.registration?.device != phone.registration?.device)
        #expect(await titles(phone).isSuperset(of: ["Coimbra", "Faro"]))
    }

    /// An answer that is lost leads to no other identity.
    @Test func launchWithoutAnAnswerIsContinued() async throws {
        let device = phone.registration?.device
        let faults: [NetworkFault?] = [.lostAnswer, .offline, nil]
        for fault in faults {
            phone.network.fault = fault
            phone.restart()
            _ = await phone.launch()
            phone.save("\(service.clock.seconds)")
            await phone.flush()
            service.clock.advance(by: 1)
        }
        #expect(phone.registration?.device == device && !phone.last.status.wasCopied)
        #expect(try await deviceCount() == 1)
    }

    @Test func otherDeviceIsToldByAnEvent() throws {
        let (device, generation) = (try #require(phone.registration?.device), phone.core.credentials?.generation ?? 0)
        func receive(_ device: String) {
            let event = "event: deviceCopied\nid: 7\ndata: {\"device\":\"\(device)\"}\n\n"
            phone.core.receiveEvents(Array(event.utf8), generation: generation, at: phone.clock.now())
            phone.step()
        }
        receive("0b5d2b06-93b6-4a4b-9f0e-1d1d0a3f1c55")
        #expect(!phone.last.status.wasCopied)
        receive(device)
        #expect(phone.last.status.wasCopied)
    }

    @Test func processesOfOneFolderAreNoCopies() async throws {
        let device = phone.registration?.device
        let second = SimulatedDevice(service, .phone, seed: 9, files: phone.files)
        for _ in 0..<2 {
            for process in [second, phone] {
                // Several requests are under way when the first one is refused.
                for scene in ["main", "left", "right"] { process.save("\(service.clock.seconds)", in: scene) }
                await process.flush()
                service.clock.advance(by: 1)
            }
        }
        #expect(phone.registration?.device == device && second.registration?.device == device)
        #expect(!phone.last.status.wasCopied && !second.last.status.wasCopied)
        #expect(try await deviceCount() == 1)
    }

    @Test func copiesThatMustRegisterAgainBecomeTwoDevices() async throws {
        let pad = SimulatedDevice(service, .phone, seed: 2)
        #expect(await pad.link(to: phone).isDone)
        let clone = copy()
        try await phone.revoke(by: pad, service)
        for each in [phone, clone] {
            each.restart()
            _ = await each.launch()
            each.save("after")
            await each.flush()
        }
        for each in [phone, clone, phone, clone] {
            let device = each.registration?.device
            each.save("\(service.clock.seconds)")
            await each.flush()
            #expect(each.registration?.device == device)
            service.clock.advance(by: 1)
        }
        #expect(phone.registration?.device != clone.registration?.device)
    }

    /// Nobody gets the work or the account of the person before.
    @Test func copyOfADeviceWhosePersonLeftGetsNoneOfTheirWork() async throws {
        let pad = SimulatedDevice(service, .phone, seed: 2)
        for each in [phone, pad] {
            #expect(await each.result(of: .signIn(token: TestService.signInToken(of: "anna"))).isDone)
        }
        phone.save("Anna's work")
        let clone = copy()
        try await phone.revoke(by: pad, service)
        for each in [phone, clone] {
            each.restart()
            _ = await each.launch()
        }
        #expect(await phone.result(of: .signIn(token: TestService.signInToken(of: "anna"))).isDone)
        #expect(await clone.result(of: .signIn(token: TestService.signInToken(of: "ben"))).isDone)
        _ = await clone.launch()
        clone.save("Ben's work")
        await clone.flush()
        #expect(await titles(clone) == ["Ben's work"])
        #expect(await clone.result(of: .signOut(.discard)).isDone)
        _ = await clone.launch()
        clone.save("nobody's work")
        await clone.flush()
        #expect(clone.registration?.isSignedIn == false)
        #expect(await titles(clone) == ["nobody's work"])
        #expect(await titles(phone).isSuperset(of: ["Anna's work"]))
    }

    @Test func copyAtAMovedAddressGetsAnIdentityOfItsOwn() async throws {
        let clone = copy()
        clone.settings.isInFormerFolder = true
        phone.restart()
        _ = await phone.launch()
        clone.restart()
        clone.save("Porto")
        await clone.flush()
        #expect(!clone.hasLooped && clone.last.status.pendingCount == 0)
        #expect(clone.registration?.device != phone.registration?.device)
        #expect(clone.registration?.user == phone.registration?.user)
    }

    @Test func processThatChangesTheAccountAfterAnotherLaunchedIsNoCopy() async throws {
        let device = phone.registration?.device
        let second = SimulatedDevice(service, .phone, seed: 9, files: phone.files)
        _ = await second.launch()
        #expect(await phone.result(of: .signIn(token: TestService.signInToken(of: "anna"))).isDone)
        phone.save("Porto")
        await phone.flush()
        second.save("Faro")
        await second.flush()
        #expect(phone.registration?.device == device && second.registration?.device == device)
        #expect(try await deviceCount() == 1)
    }

    @Test(arguments: 0..<16)
    func killedCopyLosesNothingAndBecomesOneDevice(changes: Int) async throws {
        phone.save("waits")
        let clone = copy()
        phone.restart()
        _ = await phone.launch()
        clone.files.changesUntilKill = changes
        _ = await clone.launch()
        clone.save("Porto")
        await clone.flush()
        clone.restart()
        _ = await clone.launch()
        clone.save("Faro")
        await clone.flush()
        // If the copy was killed before it took another identity, it launched later than the original.
        phone.save("Nice")
        await phone.flush()
        #expect(clone.registration?.device != phone.registration?.device)
        #expect(clone.last.status.pendingCount == 0)
        #expect(await titles(phone).isSuperset(of: ["waits", "Faro"]))
        #expect(try await deviceCount() == 2)
    }
}
