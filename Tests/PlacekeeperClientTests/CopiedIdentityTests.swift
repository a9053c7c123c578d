import Foundation
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// Two devices with copies of one client's files.
final class CopiedIdentityTests: DeviceTests {
    override init() async throws {
        try await super.init()
        await phone.saveAndFlush("Lisbon")
    }

    private func copy() -> SimulatedDevice { SimulatedDevice(service, .phone, seed: 9, files: phone.files.copy()) }

    private func titles(_ device: SimulatedDevice) async -> Set<String> {
        Set(await device.history()?.compactMap(\.titles.first) ?? [])
    }

    private func deviceCount() async throws -> Int {
        let token = try #require(phone.registration?.token)
        let request = TransportRequest("GET", "/v1/devices", fields: [.init("Authorization", "Bearer " + token)])
        let text = String(decoding: try await service.answer(request).body, as: UTF8.self)
        return text.components(separatedBy: "\"createdAt\"").count - 1
    }

    @Test(arguments: [false, true])
    func laterDeviceGetsAnIdentityOfItsOwn(isSignedIn: Bool) async throws {
        if isSignedIn { #expect(await phone.signIn("anna").isDone) }
        phone.save("waits")
        let clone = copy()
        _ = await phone.relaunch()
        await phone.flush()
        let device = phone.registration?.device
        #expect(await clone.launch().text == "waits")
        await clone.saveAndFlush("Porto")
        #expect(clone.last.status.wasCopied && clone.last.status.unsentCount == 0)
        #expect(clone.registration?.device != device && clone.registration?.user == phone.registration?.user)
        #expect(clone.registration?.isSignedIn == isSignedIn)
        await phone.saveAndFlush("Faro")
        #expect(phone.registration?.device == device && phone.last.status.unsentCount == 0)
        #expect(await titles(phone).isSuperset(of: ["waits", "Porto", "Faro"]))
        // Both go on as two devices.
        for round in 0..<2 {
            for each in [phone, clone] {
                _ = await each.relaunch()
                await each.saveAndFlush("\(round)")
            }
        }
        #expect(phone.registration?.device == device)
        #expect(try await deviceCount() == 2)
    }

    @Test func originalGetsANewIdentityIfTheCopyLaunchesFirst() async throws {
        let clone = copy()
        _ = await clone.launch()
        #expect(clone.registration == phone.registration)
        await phone.saveAndFlush("Porto")
        #expect(phone.registration?.device != clone.registration?.device)
        #expect(phone.registration?.user == clone.registration?.user)
        #expect(phone.last.status.wasCopied && phone.last.status.unsentCount == 0)
        #expect(await titles(clone).contains("Porto"))
    }

    enum Join: CaseIterable { case signIn, link }

    @Test(arguments: Join.allCases)
    func copyLearnsThatTheOriginalHasJoinedAnotherUser(_ join: Join) async throws {
        let pad = SimulatedDevice(service, .phone, seed: 2)
        #expect(await pad.signIn("anna").isDone)
        let clone = copy()
        clone.save("Porto")
        switch join {
        case .signIn: #expect(await phone.signIn("anna").isDone)
        case .link: #expect(await phone.link(to: pad).isDone)
        }
        _ = await clone.launch()
        await clone.flush()
        _ = await phone.relaunch()
        await phone.saveAndFlush("Faro")
        for each in [phone, clone] {
            #expect(each.registration?.user == pad.registration?.user)
            #expect(each.last.status.account == .signedIn)
        }
        #expect(clone.last.status.wasCopied && !phone.last.status.wasCopied && clone.last.account.joins == 1)
        #expect(await titles(pad).isSuperset(of: ["Lisbon", "Porto", "Faro"]))
        #expect(await clone.signIn("ben").failure == .signedIn)
    }

    /// However often the copy launched in the meantime.
    @Test(arguments: [NetworkFault.offline, .captivePortal])
    func copyWithoutAConnectionIsNoticed(_ fault: NetworkFault) async throws {
        let clone = copy()
        clone.network.fault = fault
        for text in ["Sintra", "Évora", "Coimbra"] {
            _ = await clone.relaunch()
            clone.save(text)
        }
        _ = await phone.relaunch()
        await phone.saveAndFlush("Faro")
        clone.network.fault = nil
        #expect(await clone.relaunch().text == "Coimbra")
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
            _ = await phone.relaunch()
            await phone.saveAndFlush("\(service.clock.seconds)")
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
            _ = await each.relaunch()
            await each.saveAndFlush("after")
        }
        for each in [phone, clone, phone, clone] {
            let device = each.registration?.device
            await each.saveAndFlush("\(service.clock.seconds)")
            #expect(each.registration?.device == device)
            service.clock.advance(by: 1)
        }
        #expect(phone.registration?.device != clone.registration?.device)
    }

    /// Nobody gets the work or the account of the person before.
    /// Both were unused for so long that the service knows no sign-in of them.
    @Test func copyWhoseSignInHasExpiredCanSignInAgain() async throws {
        #expect(await phone.signIn("anna").isDone)
        let clone = copy()
        _ = await phone.relaunch()
        clone.intercept = {
            $0.method == "POST" && $0.target == "/v1/devices" ? .problem(403, "sign-in-required") : nil
        }
        clone.save("Porto")
        await clone.flush()
        #expect(clone.last.status.account == .signInNeeded)
        clone.intercept = nil
        #expect(await clone.signIn("anna").isDone)
        await clone.flush()
        #expect(clone.last.status.unsentCount == 0)
    }

    @Test func copyOfADeviceWhosePersonLeftGetsNoneOfTheirWork() async throws {
        let pad = SimulatedDevice(service, .phone, seed: 2)
        for each in [phone, pad] {
            #expect(await each.signIn("anna").isDone)
        }
        phone.save("Anna's work")
        let clone = copy()
        try await phone.revoke(by: pad, service)
        for each in [phone, clone] {
            _ = await each.relaunch()
        }
        #expect(await phone.signIn("anna").isDone)
        #expect(await clone.signIn("ben").isDone)
        _ = await clone.launch()
        await clone.saveAndFlush("Ben's work")
        #expect(await titles(clone) == ["Ben's work"])
        #expect(await clone.result(of: .signOut(.discard)).isDone)
        _ = await clone.launch()
        await clone.saveAndFlush("nobody's work")
        #expect(clone.registration?.isSignedIn == false)
        #expect(await titles(clone) == ["nobody's work"])
        #expect(await titles(phone).isSuperset(of: ["Anna's work"]))
    }

    @Test func copyAtAMovedAddressGetsAnIdentityOfItsOwn() async throws {
        let clone = copy()
        clone.settings.isInFormerFolder = true
        _ = await phone.relaunch()
        clone.restart()
        await clone.saveAndFlush("Porto")
        #expect(!clone.hasLooped && clone.last.status.unsentCount == 0)
        #expect(clone.registration?.device != phone.registration?.device)
        #expect(clone.registration?.user == phone.registration?.user)
    }

    @Test func processThatChangesTheAccountAfterAnotherLaunchedIsNoCopy() async throws {
        let device = phone.registration?.device
        let second = SimulatedDevice(service, .phone, seed: 9, files: phone.files)
        _ = await second.launch()
        #expect(await phone.signIn("anna").isDone)
        await phone.saveAndFlush("Porto")
        await second.saveAndFlush("Faro")
        #expect(phone.registration?.device == device && second.registration?.device == device)
        #expect(try await deviceCount() == 1)
    }

    @Test(arguments: 0..<16)
    func killedCopyLosesNothingAndBecomesOneDevice(changes: Int) async throws {
        phone.save("waits")
        let clone = copy()
        _ = await phone.relaunch()
        clone.files.changesUntilKill = changes
        _ = await clone.launch()
        await clone.saveAndFlush("Porto")
        _ = await clone.relaunch()
        await clone.saveAndFlush("Faro")
        // If the copy was killed before it took another identity, it launched later than the original.
        await phone.saveAndFlush("Nice")
        #expect(clone.registration?.device != phone.registration?.device)
        #expect(clone.last.status.unsentCount == 0)
        #expect(await titles(phone).isSuperset(of: ["waits", "Faro"]))
        #expect(try await deviceCount() == 2)
    }
}
