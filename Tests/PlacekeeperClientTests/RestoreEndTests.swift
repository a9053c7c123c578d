import Foundation
import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// When a restore has ended well, and which deaths of a process count against the restored archive.
final class RestoreEndTests: DeviceTests {
    override init() async throws {
        try await super.init()
        await phone.saveAndFlush("page 40")
    }

    /// Lets time pass in a process that runs.
    private func wait(_ seconds: Double, on device: SimulatedDevice) async {
        service.clock.advance(by: seconds)
        await device.settle()
    }

    private func launch(_ device: SimulatedDevice, version: String) async -> Launch {
        device.restart()
        var context = device.context
        context.bundleVersion = version
        guard case .launched(let launch) = await device.result(of: .launch(scene: "main", context)) else {
            return Launch(reason: .init(.init(rawValue: "no-launch")))
        }
        return launch
    }

    /// The five lines of the README: the person only looks, and the app calls nothing but `flush`.
    @Test func lookingAtARestoredStateIsNoCrash() async {
        for _ in 0..<4 {
            let launch = await phone.relaunch()
            #expect(launch.text == "page 40" && launch.reason.code == .ownState)
            await phone.flush()
        }
    }

    /// The device that made the state has shown it. After a crash elsewhere, it asks the person, and gives no older state.
    @Test func crashOnAnotherPhoneIsAReasonToAsk() async {
        service.clock.advance(by: 60)
        await phone.saveAndFlush("page 50")
        #expect(await pad.link(to: phone).isDone)
        #expect(await pad.relaunch().text == "page 50")
        #expect(await pad.relaunch().reason.code != .ownState)
        await pad.flush()
        service.clock.advance(by: 3600)
        for isOffline in [false, false, true] {
            phone.restart()
            phone.network.fault = isOffline ? .offline : nil
            let launch = await phone.launch()
            #expect(launch.restore == nil && launch.reason.code == .crashedElsewhere)
            #expect(
                launch.offer.map {
                    $0.place.device.isThisDevice
                        && $0.place.date <= Date(timeIntervalSince1970: service.clock.seconds - 3600)
                } == true)
        }
        phone.network.fault = nil
        // A newer state of this device is not concerned.
        phone.save("page 51")
        #expect(await phone.relaunch().text == "page 51")
    }

    /// The own state is restored before a slow service can say that it crashed elsewhere. The next launch asks, even offline.
    @Test func lateCautionCountsForTheNextLaunch() async throws {
        #expect(await pad.link(to: phone).isDone)
        #expect(await pad.relaunch().text == "page 40")
        #expect(await pad.relaunch().reason.code != .ownState)
        await pad.flush()
        phone.restart()
        let callID = phone.add(.launch(scene: "main", phone.context))
        phone.step()
        service.clock.advance(by: 1)
        phone.step()
        guard case .launched(let launch) = phone.results[callID] else { throw PlacekeeperError(.offline, "No launch.") }
        #expect(launch.text == "page 40")
        await wait(9, on: phone)
        phone.restart()
        phone.network.fault = .offline
        let offline = await phone.launch()
        #expect(offline.restore == nil && offline.reason.code == .crashedElsewhere)
        phone.network.repair()
        // The person takes the offer, and all is well.
        let offer = try #require(offline.offer)
        #expect(await phone.result(of: .take(offer.place, phone.context)).served?.text == "page 40")
        await wait(9, on: phone)
        await phone.flush()
        #expect(await phone.relaunch().text == "page 40")
    }

    @Test func lookingOnAnotherPhoneRefusesNothingToTheOwner() async {
        #expect(await pad.link(to: phone).isDone)
        for _ in 0..<3 {
            #expect(await pad.relaunch().text == "page 40")
            await pad.flush()
        }
        #expect(await phone.relaunch().text == "page 40")
        let context = RestorationContext(idiom: .phone, bundleVersion: "43")
        guard case .launched(let asked) = await phone.result(of: .launch(scene: "main", context)) else { return }
        #expect(asked.text == "page 40")
    }

    /// What a process does after a restore, before it dies.
    enum Sign: CaseIterable {
        case interaction, work, flush, waitUntilSaved, report, fiveSeconds
        case automaticSave, nothing, adapterShowsScreens

        var endsWell: Bool { ![.automaticSave, .nothing, .adapterShowsScreens].contains(self) }
    }

    @Test(arguments: Sign.allCases)
    func restoreHasEndedWellIfTheProcessShowsThatItLives(_ sign: Sign) async throws {
        let served = try #require(await phone.relaunch().restore)
        let now = phone.clock.now()
        switch sign {
        case .interaction: phone.core.noteInteraction(in: "main", at: now)
        case .work: phone.save("page 41")
        case .flush: await phone.flush()
        case .waitUntilSaved: phone.core.leaveInOrder(at: now)
        case .report: phone.core.report(.restored, of: served, at: now)
        case .fiveSeconds: await wait(5, on: phone)
        case .automaticSave: phone.save("page 40, scrolled", .viewing)
        case .adapterShowsScreens:
            phone.core.willShow(served)
            await wait(20, on: phone)
            phone.core.didShow(.restored, of: served, at: phone.clock.now())
            await wait(4, on: phone)
        case .nothing: await wait(4, on: phone)
        }
        let launch = await phone.relaunch()
        #expect((launch.restore != nil) == sign.endsWell, "\(sign)")
        if !sign.endsWell { #expect(launch.reason.code == .crashed) }
    }

    @Test func adapterReportsItsStepsFiveSecondsAfterTheScreensAppear() async throws {
        let served = try #require(await phone.relaunch().restore)
        phone.core.willShow(served)
        await wait(60, on: phone)
        phone.core.didShow(Outcome(.restored, step: 3), of: served, at: phone.clock.now())
        await wait(5, on: phone)
        await phone.flush()
        let body = try #require(phone.network.requests.last { $0.target.hasSuffix("/outcomes") }?.body)
        let text = String(decoding: body, as: UTF8.self)
        #expect(text.contains("\"restored\"") && text.contains("\"step\":3"))
    }

    /// Each process saves work after the restore, so each restores another archive.
    @Test(arguments: [false, true])
    func twoDeathsSoonAfterARestoreRefuseItWhateverWasSaved(saves: Bool) async throws {
        for number in 1...2 {
            let served = try #require(await phone.relaunch().restore)
            phone.core.report(.restored, of: served, at: phone.clock.now())
            await wait(6, on: phone)
            if saves { phone.save("page \(40 + number)") }
            await wait(20, on: phone)
        }
        let launch = await phone.relaunch()
        #expect(launch.restore == nil && launch.reason.code == (saves ? .superseded : .crashed))
        // The service refuses the states as well, and serves the one before.
        #expect(launch.offer?.place.titles == (saves ? ["page 40"] : nil))
    }

    /// The system ends processes too, and rarely twice in a quarter of an hour.
    @Test(arguments: [(600.0, 2), (1000.0, 3)])
    func deathsCountIfTheyComeSoonOneAfterTheOtherOrOften(_ pause: Double, _ count: Int) async throws {
        for number in 1...4 {
            phone.restart()
            #expect((await phone.launch().restore != nil) == (number <= count), "launch \(number)")
            await wait(6, on: phone)
            service.clock.advance(by: pause)
        }
    }

    enum End: CaseIterable {
        case flush, thirtySeconds, interactionBeforeFlush
        case interactionAfterFlush
    }

    @Test(arguments: End.allCases)
    func deathCountsOnlySoonAfterARestoreAndNotAfterAFlush(_ end: End) async throws {
        for _ in 1...3 {
            phone.restart()
            guard await phone.launch().restore != nil else { break }
            await wait(6, on: phone)
            switch end {
            case .flush: await phone.flush()
            case .thirtySeconds: await wait(24, on: phone)
            case .interactionBeforeFlush:
                phone.core.noteInteraction(in: "main", at: phone.clock.now())
                await phone.flush()
                // The system saves in the background.
                phone.save("page 40", .viewing)
            case .interactionAfterFlush:
                await phone.flush()
                phone.core.noteInteraction(in: "main", at: phone.clock.now())
            }
        }
        phone.restart()
        #expect((await phone.launch().restore == nil) == (end == .interactionAfterFlush), "\(end)")
    }

    @Test func restoreThatLivesLongForgivesAnEarlierDeath() async throws {
        for seconds in [6.0, 31, 6, 31] {
            #expect(await phone.relaunch().text == "page 40")
            await wait(seconds, on: phone)
        }
        #expect(await phone.relaunch().text == "page 40")
    }

    /// The service serves the state to the fixing release, and so does the device.
    @Test(arguments: [false, true])
    func fixingReleaseRestoresAStateThatCrashedAnEarlierOne(offline: Bool) async {
        #expect(await phone.relaunch().text == "page 40")
        #expect(await phone.relaunch().reason.code == .crashed)
        await phone.flush()
        phone.network.fault = offline ? .offline : nil
        #expect(await launch(phone, version: "43").text == "page 40")
        await phone.flush()
        phone.network.repair()
        #expect(await launch(phone, version: "42").reason.code == .crashed)
    }

    @Test func fixingReleaseRestoresNoStateThatThePersonDiscarded() async {
        #expect(await phone.relaunch().text == "page 40")
        phone.core.discard("main", at: phone.clock.now())
        await phone.flush()
        #expect(await launch(phone, version: "43").restore == nil)
    }

    /// The crashed process has saved the same place with another scroll position.
    @Test func viewOnlyCaptureAtACrashedStateIsNotRestoredEither() async throws {
        phone.restart()
        var archive = try #require(await phone.launch().restore?.archive)
        archive.application["offset"] = .integer(7)
        phone.core.save(archive, in: "main", .viewing, at: phone.clock.now())
        for fault in [NetworkFault.offline, nil] {
            phone.restart()
            phone.network.fault = fault
            #expect(await phone.launch().reason.code == .crashed)
        }
    }

    @Test func takingAnOfferEndsTheRestoreBefore() async throws {
        #expect(await pad.link(to: phone).isDone)
        service.clock.advance(by: 60)
        await pad.saveAndFlush("page 50")
        let offer = try #require(await phone.relaunch().offer)
        #expect(await phone.result(of: .take(offer.place, phone.context)).served?.text == "page 50")
        // The taken state crashes the app.
        let launch = await phone.relaunch()
        #expect(launch.text == "page 40" && launch.offer == nil)
    }

    @Test func anotherClientInTheSameProcessIsNoLaterLaunch() async throws {
        #expect(await phone.relaunch().text == "page 40")
        let second = ClientCore(
            files: phone.files, credentials: FileCredentialStore(phone.files), settings: phone.settings,
            launch: phone.core.launch, random: SeededRandom(seed: 9))
        second.add(.launch(scene: "main", phone.context), 1, at: phone.clock.now())
        _ = second.step(at: phone.clock.now())
        service.clock.advance(by: 1)
        guard case .launched(let launch)? = second.step(at: phone.clock.now()).results.first?.result else {
            Issue.record("The launch was not answered.")
            return
        }
        #expect(launch.text == "page 40")
    }

    /// The report cannot be written. A death an hour later is no crash.
    @Test func fullDiskAtTheEndOfARestoreIsNoCrash() async {
        #expect(await phone.relaunch().text == "page 40")
        phone.files.fault = .noSpace
        await wait(5, on: phone)
        phone.files.fault = nil
        await wait(3600, on: phone)
        #expect(await phone.relaunch().text == "page 40")
    }

    /// In between, processes have used the state for an hour after a flush.
    @Test func lifeAfterAFlushForgivesAnEarlierDeath() async {
        for dies in [true, false, true, false, true] {
            #expect(await phone.relaunch().text == "page 40")
            await wait(6, on: phone)
            if !dies {
                await phone.flush()
                await wait(3600, on: phone)
            }
            service.clock.advance(by: 1000)
        }
        #expect(await phone.relaunch().text == "page 40")
    }

    /// The service serves the work to which the view-only capture belongs.
    @Test func discardedViewOnlyCaptureIsDiscardedWithItsWork() async throws {
        phone.restart()
        var archive = try #require(await phone.launch().restore?.archive)
        await wait(6, on: phone)
        archive.application["offset"] = .integer(7)
        phone.core.save(archive, in: "main", .viewing, at: phone.clock.now())
        await phone.flush()
        phone.core.discard("main", at: phone.clock.now())
        await phone.flush()
        #expect(await phone.relaunch().restore == nil)
    }
}
