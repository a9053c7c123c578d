import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// What the client and an app have in memory when the account changes.
final class AccountMemoryTests: DeviceTests {
    @Test func registersNobodyAfterASignOutUntilSomebodyWorks() async {
        #expect(await phone.signIn("anna").isDone)
        #expect(await phone.result(of: .signOut(.keep)).isDone)
        #expect(phone.last.status.account == .signedOut)
        let count = phone.network.requests.count
        #expect(await phone.launch().reason.code.rawValue == "not-registered")
        phone.save("a look", .viewing)
        #expect(await phone.result(of: .flush).failure == .notRegistered)
        #expect(phone.network.requests.count == count)
        await phone.saveAndFlush("work")
        #expect(phone.last.status.account == .anonymous)
        #expect(phone.last.status.unsentCount == 0)
    }

    @Test func makesALinkCodeAfterASignOut() async {
        #expect(await phone.signIn("anna").isDone)
        #expect(await phone.result(of: .signOut(.keep)).isDone)
        #expect(await pad.link(to: phone).isDone)
        #expect(phone.last.status.account == .anonymous)
    }

    @Test func registersNobodyAfterASignOutIfTheAppForbidsIt() async {
        phone.settings.registersAnonymously = false
        phone.restart()
        #expect(await phone.signIn("anna").isDone)
        #expect(await phone.result(of: .signOut(.keep)).isDone)
        #expect(await phone.launch().isFresh)
        phone.save("work")
        #expect(await phone.result(of: .flush).failure == .signInRequired)
        #expect(phone.registration == nil)
    }

    @Test(arguments: [NetworkFault.captivePortal, .status(401), .status(404), .status(200)])
    func leavesTheAccountOnlyIfTheServiceAnswers(fault: NetworkFault) async {
        for intent in [ClientCore.Call.signOut(.discard), .erase] {
            phone.restart()
            _ = await phone.signIn("anna")
            phone.network.failNext(fault)
            phone.save("Lisbon")
            #expect(await phone.result(of: intent).failure != nil)
            phone.network.repair()
            await phone.flush()
            #expect(phone.registration?.isSignedIn == true)
            #expect(phone.last.status.unsentCount == 0)
        }
    }

    @Test func endsWhatThePersonBeforeAskedFor() async throws {
        #expect(await phone.signIn("anna").isDone)
        await phone.saveAndFlush("Lisbon")
        let place = try #require(await phone.places()?.first)
        let signOuts = [phone.add(.signOut(.keep)), phone.add(.signOut(.keep))]
        let others: [ClientCore.Call] = [
            .makeLinkCode, .places, .history(scene: "main"), .snapshot(place), .take(place, phone.context), .erase,
            .flush,
        ]
        let callIDs = others.map { phone.add($0) }
        let launch = phone.add(.launch(scene: "main", phone.context))
        let next = phone.add(.signIn(token: "subject ben"))
        await phone.settle()
        for callID in signOuts + [next] { #expect(phone.results[callID]?.isDone == true) }
        for callID in callIDs { #expect(phone.results[callID]?.failure == .accountChanged) }
        guard case .launched(let launched)? = phone.results[launch] else {
            Issue.record("The launch has no result.")
            return
        }
        #expect(launched.isFresh)
        #expect(phone.last.status.account == .signedIn)
        #expect(await pad.signIn("anna").isDone)
        #expect(await pad.launch().text == "Lisbon")
    }

    @Test func savesNothingOfTheMemoryOfThePersonBefore() async {
        #expect(await phone.signIn("anna").isDone)
        #expect(await phone.launch().isFresh)
        phone.save("Anna's")
        #expect(await phone.result(of: .signOut(.send(within: .seconds(5)))).isDone)
        #expect(await phone.signIn("ben").isDone)
        phone.save("Anna's, and more")
        phone.save("Anna's letter", in: "editor")
        #expect(await phone.result(of: .flush).failure == .accountChanged)
        #expect(phone.last.status.problem?.code == .accountChanged)
        #expect(await phone.launch().isFresh)
        phone.save("Ben's")
        #expect(await phone.result(of: .flush).isDone)
        #expect(await pad.signIn("ben").isDone)
        #expect(await pad.history()?.map(\.titles) == [["Ben's"]])
        #expect(await pad.history(of: "editor")?.isEmpty == true)
    }

    @Test func reportsNothingForTheNextPerson() async throws {
        #expect(await pad.signIn("anna").isDone)
        await pad.saveAndFlush("Anna's")
        #expect(await phone.signIn("anna").isDone)
        let served = try #require(await phone.launch().restore)
        #expect(await phone.result(of: .signOut(.keep)).isDone)
        #expect(await phone.launch().isFresh)
        phone.core.report(.restored, of: served, at: phone.clock.now())
        #expect(await phone.relaunch().isFresh)
        // The sign-out has ended the restore, so it has not crashed.
        #expect(await phone.signIn("anna").isDone)
        #expect(await phone.relaunch().text == "Anna's")
    }

    @Test func keepsTheMemoryOfThePersonWhoMustSignInAgain() async throws {
        #expect(await phone.signIn("anna").isDone)
        #expect(await pad.signIn("anna").isDone)
        try await phone.revoke(by: pad, service)
        await phone.saveAndFlush("Lisbon")
        phone.save("Porto")
        #expect(await phone.signIn("anna").isDone)
        #expect(await phone.result(of: .flush).isDone)
        await phone.saveAndFlush("Faro")
        #expect(await pad.launch().text == "Faro")
    }

    @Test func forgetsTheMemoryIfAnotherPersonSignsInThanTheOneWhoWasAsked() async throws {
        #expect(await phone.signIn("anna").isDone)
        #expect(await pad.signIn("anna").isDone)
        try await phone.revoke(by: pad, service)
        await phone.saveAndFlush("Lisbon")
        #expect(await phone.signIn("ben").isDone)
        phone.save("Lisbon, and more")
        #expect(await phone.result(of: .flush).failure == .accountChanged)
        #expect(await phone.history()?.isEmpty == true)
    }

    /// The last states of both folders are larger than a served state.
    @Test func signsInAgainAfterWorkOnALargeState() async {
        #expect(await phone.signIn("anna").isDone)
        await phone.saveAndFlush("Anna's page")
        #expect(await phone.result(of: .signOut(.keep)).isDone)
        for text in ["a", "b"] {
            let large = StateArchive(
                bundleVersion: "42", idiom: 0, application: ["text": .string(String(repeating: text, count: 3 << 20))],
                place: Place([.init(screen: text)]))
            _ = await phone.launch()
            phone.core.save(large, in: "main", .now, at: phone.clock.now())
            await phone.flush()
            #expect(await phone.signIn("anna").isDone)
            #expect(await phone.result(of: .signOut(.keep)).isDone)
        }
        phone.restart()
        #expect(await phone.signIn("anna").isDone)
        #expect(await phone.launch().restore != nil)
    }

    /// The app has the launch's result, and the client still asks the service for a newer place when the person changes.
    @Test func answeredLaunchIsNotDecidedAgainForTheNextPerson() async throws {
        #expect(await phone.signIn("anna").isDone)
        phone.save("Anna's page")
        await phone.flush()
        phone.restart()
        let core = phone.core
        core.add(.launch(scene: "main", phone.context), 900, at: phone.clock.now())
        _ = core.step(at: phone.clock.now())
        service.clock.advance(by: 0.06)
        #expect(core.step(at: phone.clock.now()).results.map(\.callID) == [900])
        try core.changeOwner()
        for _ in 0..<3 {
            service.clock.advance(by: 1)
            _ = core.step(at: phone.clock.now())
        }
        #expect(core.waiting.isEmpty && !core.isPresent(nil, in: "main"))
    }
}
