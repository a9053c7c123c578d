import PlacekeeperArchive
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperClient

/// A service that answers wrongly, and accounts that it has ended.
final class BrokenServiceTests: DeviceTests {
    /// Signs both devices in, and revokes the phone.
    private func endRegistration() async throws {
        #expect(await phone.signIn("anna").isDone)
        #expect(await pad.signIn("anna").isDone)
        try await phone.revoke(by: pad, service)
        await phone.saveAndFlush("Lisbon")
        #expect(phone.last.status.account == .signInNeeded)
    }

    /// Whether a state waits on the phone.
    private var hasStates: Bool {
        phone.files.paths.contains { $0.contains("/pending-") || $0.contains("/sending-") }
    }

    @Test func usesNoDeviceIDThatIsAPath() async {
        phone.rewrite = { request, response in
            guard request.target == "/v1/devices" else { return response }
            return TransportResponse(
                status: 201, fields: [.init("content-type", "application/json")],
                body: Array(
                    #"{"device": "x/../../..", "user": "u", "token": "t", "signedIn": false, "isSignedIn": false}"#.utf8
                ))
        }
        await phone.saveAndFlush("Lisbon")
        #expect(phone.registration == nil)
        #expect(!phone.files.paths.contains { $0.contains("..") })
    }

    @Test func waitsLongerAndLongerIfSomethingElseAnswersUploads() async {
        await phone.saveAndFlush("Lisbon")
        phone.rewrite = { request, response in request.method == "PUT" ? TransportResponse(status: 200) : response }
        let count = phone.network.requests.count
        phone.save("Porto")
        for _ in 0..<600 {
            service.clock.advance(by: 1)
            await phone.settle()
        }
        let uploads = phone.network.requests.dropFirst(count).count { $0.method == "PUT" }
        #expect((2..<20).contains(uploads))
    }

    @Test func viewOnlyCaptureAtTheStateOfThisDeviceIsNoNewWork() async throws {
        await phone.saveAndFlush("Lisbon")
        #expect(await pad.link(to: phone).isDone)
        service.clock.advance(by: 100)
        await pad.saveAndFlush("Porto")
        service.clock.advance(by: 100)
        #expect(await phone.relaunch().text == "Lisbon")
        await phone.saveAndFlush("Lisbon, scrolled by the system", .viewing)
        let launch = await pad.relaunch()
        #expect(launch.text == "Porto")
        #expect(launch.offer == nil)
    }

    @Test func reportsTheOutcomeOfAStateThatDidNotChange() async throws {
        await phone.saveAndFlush("Lisbon")
        let restored = try #require(await phone.relaunch().restore)
        phone.core.report(.failed, of: restored, at: phone.clock.now())
        await phone.flush()
        #expect(phone.network.requests.last?.target.hasSuffix("/\(restored.id)/outcomes") == true)
        #expect(await phone.relaunch().isFresh)
    }

    @Test func endsCallsWhileTheServiceAsksToWaitBeforeTheRegistration() async {
        phone.rewrite = { _, _ in
            var response = TransportResponse.problem(503, "overloaded")
            response.fields.append(.init("retry-after", "86400"))
            return response
        }
        _ = await phone.result(of: .places)
        #expect(await phone.result(of: .places).failure == .busy)
        #expect(await phone.result(of: .flush).failure == .busy)
        #expect(await phone.launch().isFresh)
    }

    @Test func answerFromBeforeDoesNotEndTheWishToWait() async {
        await phone.saveAndFlush("Lisbon")
        phone.rewrite = { request, response in
            guard request.target.contains("/second/") else { return response }
            var response = TransportResponse.problem(503, "overloaded")
            response.fields.append(.init("retry-after", "3600"))
            return response
        }
        phone.save("Porto", in: "first")
        phone.save("Porto", in: "second")
        phone.add(.flush)
        phone.step()
        await phone.answerNewest()
        await phone.settle()
        let isSecond: (TransportRequest) -> Bool = { $0.target.contains("/second/") }
        for _ in 0..<3 { #expect(await phone.result(of: .flush).failure == .busy) }
        #expect(phone.network.requests.count(where: isSecond) == 1)
        phone.restart()
        await phone.settle()
        #expect(phone.network.requests.count(where: isSecond) == 1)
    }

    @Test func flushTellsThatTheItemsOfAListAreRefused() async {
        phone.rewrite = { request, response in
            request.target.hasSuffix("/items") ? .problem(422, "alias-invalid") : response
        }
        phone.save("Lisbon")
        phone.update("books", [.init("1", aliases: ["isbn:1"])])
        #expect(await phone.result(of: .flush).failure?.rawValue == "alias-invalid")
        #expect(await phone.result(of: .flush).failure?.rawValue == "alias-invalid")
    }

    @Test(arguments: ["", "../devices", "a/b", String(repeating: "a", count: 65)])
    func readsNoHistoryOfASceneWithAnInvalidName(_ name: String) async {
        await phone.saveAndFlush("Lisbon")
        let count = phone.network.requests.count
        #expect(await phone.result(of: .history(scene: name)).failure == .sceneNameInvalid)
        #expect(phone.network.requests.count == count)
    }

    @Test func tellsThatTheAccountIsDamaged() async throws {
        await phone.saveAndFlush("Lisbon")
        phone.network.fault = .offline
        await phone.saveAndFlush("Porto")
        let account = try #require(phone.files["account"])
        phone.files["account"] = Array(account.dropLast())
        phone.restart()
        phone.step()
        #expect(phone.last.status.problem?.code == .fileDamaged)
        phone.network.fault = nil
        await phone.flush()
        await phone.saveAndFlush("Faro")
        #expect(phone.registration != nil)
        #expect(phone.last.status.keptCount == 1)
    }

    @Test func neitherRestoresNorOffersWhatCrashedHereAlsoIfTheServiceForgotTheCrash() async {
        await phone.saveAndFlush("Lisbon")
        #expect(await pad.link(to: phone).isDone)
        pad.intercept = { $0.target.hasSuffix("/outcomes") ? TransportResponse(status: 204) : nil }
        #expect(await pad.launch().text == "Lisbon")
        let launch = await pad.relaunch()
        #expect(launch.restore == nil && launch.offer == nil)
        pad.core.followOffers(of: "main")
        await pad.settle()
        #expect(pad.core.offer(of: "main") == nil)
    }

    @Test func usesNoStoredDeviceIDThatIsAPath() async throws {
        await phone.saveAndFlush("Lisbon")
        let stored = try #require(phone.files["account"])
        var credentials = try ChecksummedFile.decode(Credentials.self, stored).header
        credentials.registration?.device = "../outside"
        credentials.formerDevice = "../outside"
        phone.files["account"] = ChecksummedFile.encode(credentials, [])
        phone.restart()
        await phone.saveAndFlush("Porto")
        #expect(!phone.files.paths.contains { $0.contains("..") })
        #expect(phone.registration?.device != "../outside")
    }

    @Test(arguments: ["quota-exceeded", "too-many-scenes"])
    func flushTellsThatTheServiceHasNoRoom(_ code: String) async {
        phone.rewrite = { request, response in
            request.method == "PUT" && request.target.contains("/first/") ? .problem(409, code) : response
        }
        phone.save("Lisbon", in: "first")
        phone.save("Porto", in: "second")
        let result = await phone.result(of: .flush)
        #expect(result.failure?.rawValue == code)
        #expect(result.error.message.hasSuffix("These scenes wait: first."))
        #expect(phone.last.status.unsentCount == 1)
        phone.rewrite = nil
        #expect(await phone.result(of: .flush).isDone)
        #expect(phone.last.status.unsentCount == 0)
    }

    @Test func sendsARefusedStateAgainWhenTheAppSavesItAgain() async {
        await phone.saveAndFlush("Porto")
        phone.rewrite = { request, response in
            request.method == "PUT" ? .problem(422, "archive-unreadable") : response
        }
        phone.save("Lisbon")
        #expect(await phone.result(of: .flush).failure == .stateRefused)
        phone.rewrite = nil
        let count = phone.network.requests.count
        phone.save("Lisbon")
        #expect(await phone.result(of: .flush).isDone)
        #expect(phone.network.requests.dropFirst(count).contains { $0.method == "PUT" })
    }

    @Test func launchSaysWhyTheServiceRefuses() async {
        phone.settings.key = "pk_unknown"
        #expect(await phone.relaunch().reason.code.rawValue == "app-unknown")
    }

    @Test func asksThePersonToSignInAgainIfTheAccountIsDamaged() async throws {
        #expect(await phone.signIn("anna").isDone)
        await phone.saveAndFlush("Lisbon")
        phone.files["account"] = [1, 2, 3]
        phone.restart()
        await phone.saveAndFlush("Porto")
        #expect(phone.last.status.account == .signInNeeded)
        #expect(phone.last.status.hasLostAccount)
        #expect(await phone.signIn("anna").isDone)
        await phone.flush()
        #expect(await pad.signIn("anna").isDone)
        #expect(await pad.launch().text == "Porto")
    }

    @Test func obeysTheLongerOfTwoWishesToWait() async {
        await phone.saveAndFlush("Lisbon")
        phone.rewrite = { request, response in
            guard request.method == "PUT" else { return response }
            var response = TransportResponse.problem(503, "overloaded")
            response.fields.append(.init("retry-after", request.target.contains("/first/") ? "3600" : "60"))
            return response
        }
        phone.save("Porto", in: "first")
        phone.save("Porto", in: "second")
        phone.add(.flush)
        await phone.settle()
        service.clock.advance(by: 120)
        #expect(await phone.result(of: .flush).failure == .busy)
    }

    @Test func sendsTheItemsOfAListThatTheAppCorrected() async {
        phone.rewrite = { request, response in
            request.target.hasSuffix("/items") ? .problem(422, "alias-invalid") : response
        }
        phone.save("Lisbon")
        phone.update("books", [.init("1", aliases: ["isbn:1"])])
        #expect(await phone.result(of: .flush).failure?.rawValue == "alias-invalid")
        phone.rewrite = nil
        phone.update("books", [.init("1", aliases: ["isbn:2"])])
        #expect(await phone.result(of: .flush).isDone)
    }

    @Test func readsTimesWithAndWithoutFractions() async throws {
        await phone.saveAndFlush("Lisbon")
        phone.rewrite = { request, response in
            guard request.target.hasPrefix("/v1/places") else { return response }
            var response = response
            let text = String(decoding: response.body, as: UTF8.self)
            response.body = Array(text.replacing(/\.[0-9]{3}Z/, with: "Z").utf8)
            return response
        }
        #expect(await phone.places()?.count == 1)
    }

    @Test func erasesNothingSilentlyIfASignInIsNeeded() async throws {
        try await endRegistration()
        #expect(await phone.result(of: .erase).failure == .signInRequired)
        #expect(hasStates)
    }

    @Test func signsOutOfAnEndedRegistration() async throws {
        try await endRegistration()
        #expect(await phone.result(of: .signOut(.discard)).isDone)
        #expect(!phone.last.needsSignInToken)
        #expect(!hasStates)
    }

    @Test func givesNoStateToTheNextPersonAfterTheRegistrationEnded() async throws {
        try await endRegistration()
        await phone.saveAndFlush("also of Anna")
        #expect(await phone.signIn("ben").isDone)
        await phone.flush()
        #expect(await phone.launch().isFresh)
        #expect(phone.last.status.keptCount > 0)
    }
}
