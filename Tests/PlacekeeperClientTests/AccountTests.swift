import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

final class AccountTests: DeviceTests {
    @Test func registersTheSameDeviceAfterALostAnswer() async {
        phone.network.failNext(.lostAnswer)
        #expect(await phone.result(of: .makeLinkCode).failure == .offline)
        _ = await phone.result(of: .makeLinkCode)
        #expect(await phone.places() != nil)
        let response = try? await service.answer(
            TransportRequest(
                "GET", "/v1/devices",
                fields: [.init("Authorization", "Bearer " + (phone.registration?.token ?? ""))]))
        #expect(String(decoding: response?.body ?? [], as: UTF8.self).split(separator: "\"isSelf\"").count == 2)
    }

    @Test func registersAnewIfTheInstallationWasCloned() async throws {
        await phone.saveAndFlush("Lisbon")
        let account = try #require(phone.files["account"])
        var credentials = try ChecksummedFile.decode(Credentials.self, account).header
        credentials.registration = nil
        credentials.installation.secret = String(repeating: "f", count: 64)
        pad.files["account"] = ChecksummedFile.encode(credentials, [])
        await pad.saveAndFlush("Porto")
        #expect(pad.registration != nil)
        #expect(pad.registration?.device != phone.registration?.device)
    }

    @Test func carriesStatesAlongToTheAccount() async {
        await phone.saveAndFlush("Lisbon")
        await phone.saveOffline("Porto")
        #expect(await phone.signIn("anna").isDone)
        await phone.flush()
        #expect(await pad.signIn("anna").isDone)
        #expect(await pad.launch().text == "Porto")
    }

    @Test func refusesASecondAccount() async {
        #expect(await phone.signIn("anna").isDone)
        #expect(await phone.signIn("ben").failure == .signedIn)
        #expect(phone.last.status.account == .signedIn)
    }

    @Test func saysThatATokenIsRefused() async {
        let result = await phone.result(of: .signIn(token: "nonsense"))
        #expect(result.failure == .signInTokenInvalid)
    }

    @Test func keepsStatesForTheSamePerson() async throws {
        #expect(await phone.signIn("anna").isDone)
        await phone.saveOffline("Anna's")
        #expect(await phone.result(of: .signOut(.keep)).isDone)
        #expect(phone.last.status.keptCount == 1)
        #expect(await phone.launch().isFresh)
        #expect(await phone.signIn("ben").isDone)
        await phone.flush()
        #expect(await pad.signIn("ben").isDone)
        #expect(await pad.launch().isFresh)
        #expect(await phone.result(of: .signOut(.keep)).isDone)
        #expect(await phone.signIn("anna").isDone)
        await phone.flush()
        #expect(await phone.relaunch().text == "Anna's")
        #expect(phone.last.status.keptCount == 0)
    }

    @Test(arguments: [(29.0, 1, nil), (31, 0, PlacekeeperError.Code.keptStateExpired)])
    func keepsStatesForThirtyDays(days: Double, kept: Int, problem: PlacekeeperError.Code?) async {
        #expect(await phone.signIn("anna").isDone)
        await phone.saveOffline("Anna's")
        #expect(await phone.result(of: .signOut(.keep)).isDone)
        service.clock.advance(by: days * 86_400)
        phone.restart()
        phone.step()
        #expect(phone.last.status.keptCount == kept)
        #expect(phone.last.status.problem?.code == problem)
    }

    @Test func tellsTheServiceAChangedDescription() async throws {
        phone.settings.device.systemVersion = "17.4"
        await phone.saveAndFlush("Lisbon")
        let count = phone.network.requests.count
        phone.restart()
        await phone.saveAndFlush("Porto")
        #expect(!phone.network.requests.dropFirst(count).contains { $0.method == "PATCH" })
        phone.settings.device.systemVersion = "18.0"
        phone.settings.name = "Anna's phone"
        for _ in 0..<2 {
            phone.restart()
            await phone.saveAndFlush("Faro")
        }
        #expect(phone.network.requests.dropFirst(count).count { $0.method == "PATCH" } == 1)
        #expect(await pad.link(to: phone).isDone)
        #expect(await pad.places()?.first?.device.name == "Anna's phone")
    }

    @Test func restoresTheLaterStateAfterTheClockWasSetBackWhileAStateWasKept() async {
        #expect(await phone.signIn("anna").isDone)
        await phone.saveOffline("earlier")
        #expect(await phone.result(of: .signOut(.keep)).isDone)
        phone.clock.setWall(wrongBy: -20_000)
        #expect(await phone.launch().isFresh)
        phone.save("later")
        #expect(await phone.signIn("anna").isDone)
        await phone.flush()
        phone.network.fault = .offline
        #expect(await phone.launch().text == "later")
    }

    @Test func sendsStatesBeforeSigningOut() async {
        #expect(await phone.signIn("anna").isDone)
        phone.save("Lisbon")
        #expect(await phone.result(of: .signOut(.send(within: .seconds(5)))).isDone)
        #expect(await pad.signIn("anna").isDone)
        #expect(await pad.launch().text == "Lisbon")
    }

    @Test func staysSignedInIfStatesCannotBeSentInTime() async {
        #expect(await phone.signIn("anna").isDone)
        phone.network.fault = .offline
        phone.save("Lisbon")
        let result = await phone.result(of: .signOut(.send(within: .seconds(5))))
        #expect(result.failure == .unsentStates)
        #expect(phone.registration?.isSignedIn == true)
    }

    @Test func discardsStatesIfThePersonWantsIt() async {
        #expect(await phone.signIn("anna").isDone)
        await phone.saveOffline("Lisbon")
        #expect(await phone.result(of: .signOut(.discard)).isDone)
        #expect(!phone.files.paths.contains { $0.contains("/pending-") })
    }

    /// The answer to a sign-out was lost, so the person works on. Then the client learns that the service signed out.
    @Test(arguments: [false, true])
    func keepsWorkAfterALostAnswerToADiscardingSignOut(restarts: Bool) async {
        #expect(await phone.signIn("anna").isDone)
        await phone.saveOffline("Lisbon")
        let phone: SimulatedDevice
        if restarts {
            // The process ends while the request is in flight.
            var files: MemoryFiles?
            self.phone.intercept = { request in
                if request.target.hasSuffix("/sign-out") { files = self.phone.files.copy() }
                return nil
            }
            #expect(await self.phone.result(of: .signOut(.discard)).isDone)
            phone = SimulatedDevice(service, .phone, seed: 3, files: files ?? MemoryFiles())
        } else {
            phone = self.phone
            phone.network.failNext(.lostAnswer)
            #expect(await phone.result(of: .signOut(.discard)).failure == .offline)
        }
        phone.save("Porto")
        await phone.flush()
        await phone.flush()
        #expect(phone.registration == nil)
        #expect(await phone.signIn("anna").isDone)
        await phone.flush()
        #expect(await pad.signIn("anna").isDone)
        #expect(await pad.launch().text == "Porto")
    }

    @Test func keepsWorkAfterALostAnswerToAnErasure() async {
        await phone.saveAndFlush("Lisbon")
        phone.network.failNext(.lostAnswer)
        #expect(await phone.result(of: .erase).failure == .offline)
        await phone.saveOffline("Porto")
        await phone.flush()
        #expect(phone.registration == nil)
        #expect(await phone.relaunch().text == "Porto")
        await phone.saveAndFlush("Faro")
        #expect(phone.last.status.unsentCount == 0 && phone.registration?.isSignedIn == false)
    }

    @Test func finishesASignOutWhoseAnswerWasLost() async {
        #expect(await phone.signIn("anna").isDone)
        let old = phone.registration?.device
        phone.network.failNext(.lostAnswer)
        #expect(await phone.result(of: .signOut(.keep)).failure == .offline)
        phone.restart()
        await phone.saveAndFlush("of nobody")
        await phone.flush()
        #expect(old != nil)
        #expect(phone.registration == nil)
        #expect(phone.last.status.account == .signedOut)
        #expect(await pad.signIn("anna").isDone)
        #expect(await pad.launch().isFresh)
    }

    @Test func remainsSignedInIfTheSignOutDidNotArrive() async {
        #expect(await phone.signIn("anna").isDone)
        phone.network.failNext(.lostRequest)
        #expect(await phone.result(of: .signOut(.keep)).failure == .offline)
        await phone.saveAndFlush("Lisbon")
        await phone.flush()
        #expect(phone.registration?.isSignedIn == true)
        #expect(phone.last.status.unsentCount == 0)
    }

    @Test(arguments: [NetworkFault.captivePortal, .status(401), .status(302), .status(200), .status(511)])
    func keepsTheAccountIfSomethingElseAnswers(fault: NetworkFault) async {
        await phone.saveAndFlush("Lisbon")
        let before = phone.registration
        phone.network.fault = fault
        await phone.saveAndFlush("Porto")
        #expect(await phone.relaunch().text == "Porto")
        #expect(phone.registration == before)
        phone.network.fault = nil
        await phone.flush()
        await phone.flush()
        #expect(phone.last.status.unsentCount == 0)
    }

    @Test func keepsTheAccountAfterAnotherServersRefusalInJSON() async {
        await phone.saveAndFlush("Lisbon")
        let before = phone.registration
        phone.rewrite = { _, _ in
            TransportResponse(
                status: 401, fields: [.init("content-type", "application/json")],
                body: Array(#"{"type": "", "title": "", "status": 401, "code": "unauthorized", "detail": ""}"#.utf8))
        }
        await phone.saveAndFlush("Porto")
        #expect(before != nil)
        #expect(phone.registration == before)
    }

    @Test func leavesTheAccountOfANewerVersionAlone() async throws {
        await phone.saveAndFlush("Lisbon")
        let account = try #require(phone.files["account"])
        let newer = Array("placekeeper 2\n".utf8) + account.dropFirst(14)
        phone.files["account"] = newer
        phone.restart()
        let count = phone.network.requests.count
        await phone.saveAndFlush("Porto")
        #expect(phone.network.requests.count == count)
        #expect(phone.files["account"] == newer)
    }

    @Test func startsAnewAfterRevocationAndKeepsTheOldUsersStates() async throws {
        await phone.saveAndFlush("Lisbon")
        #expect(await pad.link(to: phone).isDone)
        let device = try #require(phone.registration?.device)
        await phone.saveOffline("Porto")
        try await phone.revoke(by: pad, service)
        await phone.flush()
        #expect(phone.last.status.keptCount == 1)
        phone.save("still of the old user")
        #expect(await phone.result(of: .flush).failure == .accountChanged)
        #expect(await phone.launch().isFresh)
        await phone.saveAndFlush("of somebody else")
        #expect(phone.registration?.device != device)
        #expect(await pad.history()?.count == 1)
    }

    @Test func asksForASignInTokenIfTheServiceEndsTheRegistration() async throws {
        #expect(await phone.signIn("anna").isDone)
        #expect(await pad.signIn("anna").isDone)
        try await phone.revoke(by: pad, service)
        await phone.saveAndFlush("Lisbon")
        #expect(phone.last.needsSignInToken)
        #expect(phone.last.status.account == .signInNeeded)
        // Nothing is registered for an anonymous user in the meantime.
        await phone.saveAndFlush("Porto")
        #expect(phone.registration == nil)
        #expect(await phone.signIn("anna").isDone)
        await phone.flush()
        #expect(try #require(await pad.launch().restore).text == "Porto")
    }

    @Test func asksForASignInWhenTheSignInHasExpired() async {
        #expect(await phone.signIn("anna").isDone)
        await phone.saveOffline("Lisbon")
        phone.network.fault = nil
        phone.intercept = { _ in .problem(401, "unauthorized") }
        await phone.flush()
        #expect(phone.last.status.account == .signInNeeded)
        phone.intercept = nil
        #expect(await phone.signIn("anna").isDone)
        await phone.flush()
        #expect(await pad.signIn("anna").isDone)
        #expect(await pad.launch().text == "Lisbon")
    }

    /// The refusal answers the erasure, or the question whether an erasure without an answer was carried out.
    @Test(arguments: [true, false])
    func doesNotCountAnAccountAsErasedIfTheTokenIsRefused(answersErasure: Bool) async {
        #expect(await phone.signIn("anna").isDone)
        await phone.saveAndFlush("Lisbon")
        if answersErasure {
            phone.intercept = { _ in .problem(401, "unauthorized") }
            #expect(await phone.result(of: .erase).failure == .revoked)
        } else {
            phone.network.failNext(.lostRequest)
            #expect(await phone.result(of: .erase).failure == .offline)
            phone.intercept = { _ in .problem(401, "unauthorized") }
            await phone.flush()
        }
        #expect(phone.last.status.account == .signInNeeded)
        phone.intercept = nil
        #expect(await phone.signIn("anna").isDone)
        #expect(await phone.launch().text == "Lisbon")
        #expect(await phone.result(of: .erase).isDone)
        #expect(phone.last.status.account == .signedOut)
    }

    @Test func erasesTheUserAndAllFiles() async {
        await phone.saveAndFlush("Lisbon")
        #expect(await phone.result(of: .erase).isDone)
        #expect(!phone.files.paths.contains { $0.contains("/scenes/") })
        #expect(phone.registration == nil)
        #expect(await phone.launch().isFresh)
        #expect(phone.registration == nil)
        #expect(phone.last.status.account == .signedOut)
    }

    @Test func obeysTheOperatorsSettingAtOnce() async throws {
        await phone.saveAndFlush("Lisbon")
        try await service.setRestoration("off")
        #expect(await phone.relaunch().reason.code == .restorationOff)
        phone.restart()
        phone.network.fault = .offline
        #expect(await phone.launch().reason.code == .restorationOff)
        phone.network.fault = nil
        try await service.setRestoration("auto")
        #expect(await phone.relaunch().text == "Lisbon")
    }
}
