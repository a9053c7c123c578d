import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

struct AccountTests {
    let service: TestService
    let phone: SimulatedDevice
    let pad: SimulatedDevice

    init() async throws {
        service = try await TestService()
        phone = SimulatedDevice(service, .phone, seed: 1)
        pad = SimulatedDevice(service, .phone, seed: 2)
    }

    private func signIn(_ device: SimulatedDevice, _ name: String) async -> ClientCore.CallResult {
        await device.result(of: .signIn(token: "subject \(name)"))
    }

    @Test func registersTheSameDeviceAfterALostAnswer() async {
        phone.network.failNext(.lostAnswer)
        #expect(await phone.result(of: .makeLinkCode).failure == .offline)
        _ = await phone.result(of: .makeLinkCode)
        guard case .places = await phone.result(of: .places) else {
            Issue.record("the device is not registered")
            return
        }
        let response = try? await service.answer(
            TransportRequest(
                "GET", "/v1/devices",
                fields: [.init("Authorization", "Bearer " + (phone.registration?.token ?? ""))]))
        #expect(String(decoding: response?.body ?? [], as: UTF8.self).split(separator: "\"isSelf\"").count == 2)
    }

    @Test func registersAnewIfTheInstallationWasCloned() async throws {
        phone.save("Lisbon")
        await phone.flush()
        let account = try #require(phone.files["account"])
        var credentials = try ChecksummedFile.decode(Credentials.self, account).header
        credentials.registration = nil
        credentials.installation.secret = String(repeating: "f", count: 64)
        pad.files["account"] = ChecksummedFile.encode(credentials, [])
        pad.save("Porto")
        await pad.flush()
        #expect(pad.registration != nil)
        #expect(pad.registration?.device != phone.registration?.device)
    }

    @Test func carriesStatesAlongToTheAccount() async {
        phone.save("Lisbon")
        await phone.flush()
        phone.network.fault = .offline
        phone.save("Porto")
        await phone.flush()
        phone.network.fault = nil
        #expect(await signIn(phone, "anna").isDone)
        await phone.flush()
        #expect(await signIn(pad, "anna").isDone)
        #expect(await pad.launch().text == "Porto")
    }

    @Test func refusesASecondAccount() async {
        #expect(await signIn(phone, "anna").isDone)
        #expect(await signIn(phone, "ben").failure == .signedIn)
        #expect(phone.last.status.account == .signedIn)
    }

    @Test func saysThatATokenIsRefused() async {
        let result = await phone.result(of: .signIn(token: "nonsense"))
        #expect(result.failure == .signInTokenInvalid)
    }

    @Test func keepsStatesForTheSamePerson() async throws {
        #expect(await signIn(phone, "anna").isDone)
        phone.network.fault = .offline
        phone.save("Anna's")
        await phone.flush()
        phone.network.fault = nil
        #expect(await phone.result(of: .signOut(.keepForThisUser)).isDone)
        #expect(phone.last.status.keptCount == 1)
        #expect(await phone.launch().isFresh)
        #expect(await signIn(phone, "ben").isDone)
        await phone.flush()
        #expect(await pad.result(of: .signIn(token: "subject ben")).isDone)
        #expect(await pad.launch().isFresh)
        #expect(await phone.result(of: .signOut(.keepForThisUser)).isDone)
        #expect(await signIn(phone, "anna").isDone)
        await phone.flush()
        phone.restart()
        #expect(await phone.launch().text == "Anna's")
        #expect(phone.last.status.keptCount == 0)
    }

    @Test(arguments: [(29.0, 1, nil), (31, 0, PlacekeeperError.Code.keptStateExpired)])
    func keepsStatesForThirtyDays(days: Double, kept: Int, problem: PlacekeeperError.Code?) async {
        #expect(await signIn(phone, "anna").isDone)
        phone.network.fault = .offline
        phone.save("Anna's")
        await phone.flush()
        phone.network.fault = nil
        #expect(await phone.result(of: .signOut(.keepForThisUser)).isDone)
        service.clock.advance(by: days * 86_400)
        phone.restart()
        phone.step()
        #expect(phone.last.status.keptCount == kept)
        #expect(phone.last.status.problem?.code == problem)
    }

    @Test func tellsTheServiceAChangedDescription() async throws {
        phone.settings.device.systemVersion = "17.4"
        phone.save("Lisbon")
        await phone.flush()
        let count = phone.network.requests.count
        phone.restart()
        phone.save("Porto")
        await phone.flush()
        #expect(!phone.network.requests.dropFirst(count).contains { $0.method == "PATCH" })
        phone.settings.device.systemVersion = "18.0"
        phone.settings.name = "Anna's phone"
        for _ in 0..<2 {
            phone.restart()
            phone.save("Faro")
            await phone.flush()
        }
        #expect(phone.network.requests.dropFirst(count).count { $0.method == "PATCH" } == 1)
        #expect(await pad.link(to: phone).isDone)
        guard case .places(let places) = await pad.result(of: .places) else {
            Issue.record("there are no places")
            return
        }
        #expect(places.first?.deviceName == "Anna's phone")
    }

    @Test func restoresTheLaterStateAfterTheClockWasSetBackWhileAStateWasKept() async {
        #expect(await signIn(phone, "anna").isDone)
        phone.network.fault = .offline
        phone.save("earlier")
        await phone.flush()
        phone.network.fault = nil
        #expect(await phone.result(of: .signOut(.keepForThisUser)).isDone)
        phone.clock.setWall(wrongBy: -20_000)
        #expect(await phone.launch().isFresh)
        phone.save("later")
        #expect(await signIn(phone, "anna").isDone)
        await phone.flush()
        phone.network.fault = .offline
        #expect(await phone.launch().text == "later")
    }

    @Test func sendsStatesBeforeSigningOut() async {
        #expect(await signIn(phone, "anna").isDone)
        phone.save("Lisbon")
        #expect(await phone.result(of: .signOut(.sendFirst(deadline: 5))).isDone)
        #expect(await signIn(pad, "anna").isDone)
        #expect(await pad.launch().text == "Lisbon")
    }

    @Test func staysSignedInIfStatesCannotBeSentInTime() async {
        #expect(await signIn(phone, "anna").isDone)
        phone.network.fault = .offline
        phone.save("Lisbon")
        let result = await phone.result(of: .signOut(.sendFirst(deadline: 5)))
        #expect(result.failure == .pendingNotSent)
        #expect(phone.registration?.isSignedIn == true)
    }

    @Test func discardsStatesIfThePersonWantsIt() async {
        #expect(await signIn(phone, "anna").isDone)
        phone.network.fault = .offline
        phone.save("Lisbon")
        await phone.flush()
        phone.network.fault = nil
        #expect(await phone.result(of: .signOut(.discard)).isDone)
        #expect(!phone.files.paths.contains { $0.contains("/pending-") })
    }

    @Test func finishesASignOutWhoseAnswerWasLost() async {
        #expect(await signIn(phone, "anna").isDone)
        let old = phone.registration?.device
        phone.network.failNext(.lostAnswer)
        #expect(await phone.result(of: .signOut(.keepForThisUser)).failure == .offline)
        phone.restart()
        phone.save("of nobody")
        await phone.flush()
        await phone.flush()
        #expect(old != nil)
        #expect(phone.registration == nil)
        #expect(phone.last.status.account == .signedOut)
        #expect(await signIn(pad, "anna").isDone)
        #expect(await pad.launch().isFresh)
    }

    @Test func remainsSignedInIfTheSignOutDidNotArrive() async {
        #expect(await signIn(phone, "anna").isDone)
        phone.network.failNext(.lostRequest)
        #expect(await phone.result(of: .signOut(.keepForThisUser)).failure == .offline)
        phone.save("Lisbon")
        await phone.flush()
        await phone.flush()
        #expect(phone.registration?.isSignedIn == true)
        #expect(phone.last.status.pendingCount == 0)
    }

    @Test(arguments: [NetworkFault.captivePortal, .status(401), .status(302), .status(200), .status(511)])
    func keepsTheAccountIfSomethingElseAnswers(fault: NetworkFault) async {
        phone.save("Lisbon")
        await phone.flush()
        let before = phone.registration
        phone.network.fault = fault
        phone.save("Porto")
        await phone.flush()
        phone.restart()
        #expect(await phone.launch().text == "Porto")
        #expect(phone.registration == before)
        phone.network.fault = nil
        await phone.flush()
        await phone.flush()
        #expect(phone.last.status.pendingCount == 0)
    }

    @Test func keepsTheAccountAfterAnotherServersRefusalInJSON() async {
        phone.save("Lisbon")
        await phone.flush()
        let before = phone.registration
        phone.rewrite = { _, _ in
            TransportResponse(
                status: 401, fields: [.init("content-type", "application/json")],
                body: Array(#"{"type": "", "title": "", "status": 401, "code": "unauthorized", "detail": ""}"#.utf8))
        }
        phone.save("Porto")
        await phone.flush()
        #expect(before != nil)
        #expect(phone.registration == before)
    }

    @Test func leavesTheAccountOfANewerVersionAlone() async throws {
        phone.save("Lisbon")
        await phone.flush()
        let account = try #require(phone.files["account"])
        let newer = Array("placekeeper 2\n".utf8) + account.dropFirst(14)
        phone.files["account"] = newer
        phone.restart()
        let count = phone.network.requests.count
        phone.save("Porto")
        await phone.flush()
        #expect(phone.network.requests.count == count)
        #expect(phone.files["account"] == newer)
    }

    @Test func startsAnewAfterRevocationAndKeepsTheOldUsersStates() async throws {
        phone.save("Lisbon")
        await phone.flush()
        #expect(await pad.link(to: phone).isDone)
        let device = try #require(phone.registration?.device)
        phone.network.fault = .offline
        phone.save("Porto")
        await phone.flush()
        phone.network.fault = nil
        try await phone.revoke(by: pad, service)
        await phone.flush()
        #expect(phone.last.status.keptCount == 1)
        phone.save("still of the old user")
        #expect(await phone.result(of: .flush).failure == .accountChanged)
        #expect(await phone.launch().isFresh)
        phone.save("of somebody else")
        await phone.flush()
        #expect(phone.registration?.device != device)
        guard case .history(let entries) = await pad.result(of: .history(scene: "main")) else { return }
        #expect(entries.count == 1)
    }

    @Test func asksForASignInTokenIfTheServiceEndsTheRegistration() async throws {
        #expect(await signIn(phone, "anna").isDone)
        #expect(await signIn(pad, "anna").isDone)
        try await phone.revoke(by: pad, service)
        phone.save("Lisbon")
        await phone.flush()
        #expect(phone.last.needsSignInToken)
        #expect(phone.last.status.account == .signInNeeded)
        // Nothing is registered for an anonymous user in the meantime.
        phone.save("Porto")
        await phone.flush()
        #expect(phone.registration == nil)
        #expect(await signIn(phone, "anna").isDone)
        await phone.flush()
        #expect(try #require(await pad.launch().restore).text == "Porto")
    }

    @Test func erasesTheUserAndAllFiles() async {
        phone.save("Lisbon")
        await phone.flush()
        #expect(await phone.result(of: .erase).isDone)
        #expect(!phone.files.paths.contains { $0.contains("/scenes/") })
        #expect(phone.registration == nil)
        #expect(await phone.launch().isFresh)
        #expect(phone.registration == nil)
        #expect(phone.last.status.account == .signedOut)
    }

    @Test func obeysTheOperatorsSettingAtOnce() async throws {
        phone.save("Lisbon")
        await phone.flush()
        try await service.setRestoration("off")
        phone.restart()
        #expect(await phone.launch().reason.code == .restorationOff)
        phone.restart()
        phone.network.fault = .offline
        #expect(await phone.launch().reason.code == .restorationOff)
        phone.network.fault = nil
        try await service.setRestoration("auto")
        phone.restart()
        #expect(await phone.launch().text == "Lisbon")
    }
}
