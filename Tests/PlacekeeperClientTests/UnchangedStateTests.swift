import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// The client knows the bytes: a state that shows the same as before is a look, and a changed state is work, although the
/// app notes no interaction.
@MainActor
struct UnchangedStateTests {
    let service: TestService
    let phone: VirtualDevice
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        pad = service.device(.pad)
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
    }

    /// Page 40 of a book, as an app with the five lines saves it.
    private func page(
        _ number: Int64, on device: VirtualDevice, title: String? = nil, top: String? = nil, note: String = ""
    ) -> StateArchive {
        let options = device.configuration.device
        var archive = StateArchive(
            bundleVersion: options.bundleVersion, idiom: options.idiom.rawValue, systemVersion: options.systemVersion)
        archive.application = ["note": .string(note)]
        archive.references = [.init(dataSource: "books", element: .init("1"), role: .selected)]
        if let top {
            archive.references.insert(.init(dataSource: "lines", element: .init(top), role: .firstVisible), at: 0)
            archive.application["top"] = .array([.reference(0)])
        }
        let book = archive.references.count - 1
        archive.place = Place([
            .init(screen: "book", title: title, references: [book], parameters: ["page": .integer(number)])
        ])
        return archive
    }

    private func work(_ archive: StateArchive, on device: VirtualDevice) async throws {
        device.placekeeper.scene().save(archive)
        try await device.placekeeper.flush()
        await service.advance(by: 60)
    }

    /// Ends the process, and launches the scene.
    @discardableResult
    private func launch(_ device: VirtualDevice) async -> Launch {
        device.kill()
        return await device.placekeeper.scene().launch()
    }

    /// Lets the tasks of the main actor reach their requests.
    private func settle() async {
        for _ in 0..<20 { await Task.yield() }
        await service.settle()
    }

    private func head() async throws -> Placekeeper.Place? {
        try await phone.placekeeper.places().first(where: \.isLatest)
    }

    private nonisolated static let looks: [String] = ["same", "title", "scrolled", "updated", "everything"]

    @Test(arguments: looks, [false, true])
    func lookIsNoWork(_ look: String, padWorksMeanwhile: Bool) async throws {
        try await work(page(40, on: phone), on: phone)
        if look == "updated" || look == "everything" {
            phone.configuration.device.bundleVersion = "1.1"
            phone.configuration.device.systemVersion = "18.0"
        }
        #expect(await launch(phone).reason.code == .ownState)
        if padWorksMeanwhile { try await work(page(41, on: pad), on: pad) }
        let seen =
            switch look {
            case "title": page(40, on: phone, title: "Moby-Dick")
            case "scrolled": page(40, on: phone, top: "7")
            case "everything": page(40, on: phone, title: "Moby-Dick", top: "7")
            default: page(40, on: phone)
            }
        for _ in 0..<2 { try await work(seen, on: phone) }
        #expect(try await head()?.device.isThisDevice == !padWorksMeanwhile)
        let launched = await launch(phone)
        #expect(launched.restore?.archive.place?.steps[0].parameters["page"] == .integer(40))
        #expect((launched.offer != nil) == padWorksMeanwhile)
    }

    @Test(arguments: ["page", "note"])
    func changeIsWorkAlthoughNothingNotesIt(_ change: String) async throws {
        try await work(page(40, on: phone), on: phone)
        await launch(phone)
        try await work(page(41, on: pad), on: pad)
        let changed = change == "page" ? page(42, on: phone) : page(40, on: phone, note: "Ishmael")
        try await work(changed, on: phone)
        #expect(try await head()?.device.isThisDevice == true)
        #expect(await launch(phone).restore?.archive.application["note"] == changed.application["note"])
    }

    @Test func lookAtAnotherLayoutsPlaceIsNoWork() async throws {
        try await work(page(40, on: phone, note: "Ishmael"), on: phone)
        #expect(await launch(pad).restore?.fidelity == .place)
        // Only the place was restored. The pad's own layout has no note.
        try await work(page(40, on: pad), on: pad)
        #expect(try await head()?.device.isThisDevice == true)
        try await work(page(40, on: pad, note: "Queequeg"), on: pad)
        #expect(try await head()?.device.isThisDevice == false)
    }

    @Test(arguments: [false, true])
    func unchangedStateIsWorkIfTheAppSaysSo(notes: Bool) async throws {
        try await work(page(40, on: phone), on: phone)
        try await work(page(41, on: pad), on: pad)
        #expect(await launch(phone).offer != nil)
        phone.placekeeper.scene().save(page(40, on: phone))
        try await phone.placekeeper.flush()
        #expect(try await head()?.device.isThisDevice == false)
        if notes { phone.placekeeper.scene().noteInteraction() }
        phone.placekeeper.scene().save(page(40, on: phone), interaction: notes ? .ifChanged : .now)
        try await phone.placekeeper.flush()
        #expect(try await head()?.device.isThisDevice == true)
    }

    @Test func lookAfterTheAppWasInTheBackgroundIsNoWork() async throws {
        try await work(page(40, on: phone), on: phone)
        try await work(page(41, on: pad), on: pad)
        try await work(page(40, on: phone), on: phone)
        #expect(try await head()?.device.isThisDevice == false)
    }

    /// The item of the place arrives after the launch.
    @Test func itemThatArrivesIsNoWork() async throws {
        var waiting = page(40, on: phone)
        waiting.references[0].element = .init(nil, aliases: ["isbn:1", "isbn:2"])
        try await work(waiting, on: phone)
        await launch(phone)
        try await work(page(41, on: pad), on: pad)
        var arrived = page(40, on: phone)
        arrived.references[0].element = .init("row 7", aliases: ["isbn:2"])
        try await work(arrived, on: phone)
        #expect(try await head()?.device.isThisDevice == false)
        arrived.references[0].element = .init("row 8", aliases: ["isbn:2"])
        try await work(arrived, on: phone)
        #expect(try await head()?.device.isThisDevice == true)
    }

    /// The app saves its first screen before it knows what to restore.
    @Test func firstScreenIsNotSavedWhileTheLaunchWaits() async throws {
        try await work(page(40, on: phone), on: phone)
        pad.network.fault = .slow(.seconds(0.5))
        let launch = Task { await pad.placekeeper.scene().launch() }
        await settle()
        pad.placekeeper.scene().save(page(0, on: pad))
        #expect(await service.advancingClock { await launch.value }.reason.code == .freshInstallation)
        pad.network.repair()
        try await pad.placekeeper.flush()
        #expect(try await pad.placekeeper.scene().history().count == 1)
        #expect(try await head()?.device.isThisDevice == true)
    }

    /// Without a connection, nothing is restored. The first screen must not replace the work later.
    @Test func firstScreenOfANewDeviceIsOlderThanAllWork() async throws {
        try await work(page(40, on: phone), on: phone)
        pad.network.fault = .offline
        #expect(await launch(pad).isFresh)
        pad.placekeeper.scene().save(page(0, on: pad), interaction: .viewing)
        await service.advance(by: 1)
        pad.network.repair()
        try await pad.placekeeper.flush()
        #expect(try await head()?.device.isThisDevice == true)
        #expect(await launch(phone).offer == nil)
    }

    /// The log-in screen of a new device. After the device has joined, it returns to the work.
    @Test func firstScreenBeforeJoiningGivesWayToTheWork() async throws {
        let tablet = service.device(.pad)
        try await work(page(40, on: phone), on: phone)
        #expect(await launch(tablet).isFresh)
        tablet.placekeeper.scene().save(page(0, on: tablet), interaction: .viewing)
        try await tablet.placekeeper.flush()
        #expect(await launch(tablet).restore?.archive.place == page(0, on: tablet).place, "there is nothing else")
        try await tablet.placekeeper.link(phone.placekeeper.linkCode().code)
        #expect(await launch(phone).offer == nil)
        #expect(try await head()?.device.isThisDevice == true)
        let next = await launch(tablet)
        #expect(next.reason.code == .freshInstallation)
        #expect(next.restore?.archive.place == page(40, on: phone).place)
    }

    /// What the person did before joining stays, and is offered.
    @Test func workBeforeJoiningIsKeptAndTheLaterWorkIsTheHead() async throws {
        let tablet = service.device(.pad)
        try await work(page(40, on: phone), on: phone)
        try await work(page(7, on: tablet), on: tablet)
        try await tablet.placekeeper.link(phone.placekeeper.linkCode().code)
        #expect(try await head()?.device.isThisDevice == false)
        #expect(try await tablet.placekeeper.places().map(\.isLatest) == [true, false])
        #expect(await launch(tablet).restore?.archive.place == page(7, on: tablet).place)
        #expect(await launch(phone).offer != nil)
    }

    /// The app saves its first screen, and does not launch the scene.
    @Test func firstScreenReplacesNoWorkThatWaits() async throws {
        phone.network.fault = .offline
        phone.placekeeper.scene().save(page(50, on: phone))
        await service.advance(by: 60)
        phone.kill()
        phone.placekeeper.scene().save(page(0, on: phone), interaction: .viewing)
        await service.advance(by: 60)
        phone.network.repair()
        try await phone.placekeeper.flush()
        let states = try await phone.placekeeper.scene().history()
        #expect(states.count == 1)
        #expect(await launch(phone).restore?.archive.place == page(50, on: phone).place)
    }

    @Test func canceledLaunchGoesOn() async throws {
        try await work(page(40, on: phone), on: phone)
        phone.kill()
        let launch = await Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await phone.placekeeper.scene().launch()
        }.value
        #expect(launch.reason.code == .ownState)
        #expect(launch.restore != nil)
    }

    /// The answer comes after the task was canceled. Nothing restores the state, so nothing crashed.
    @Test func canceledTakeIsNoCrash() async throws {
        try await work(page(40, on: phone), on: phone)
        await launch(pad)
        try await work(page(41, on: pad), on: pad)
        let own = try #require(await launch(phone).restore)
        phone.placekeeper.scene().report(.restored, of: own)
        let place = try #require(try await phone.placekeeper.places().first { !$0.device.isThisDevice })
        phone.network.fault = .slow(.seconds(0.5))
        // The client has the state for its own layout already, and asks the service for another layout's.
        var device = phone.configuration.device
        device.layout = .regular
        let taking = Task { [device] in try await phone.placekeeper.scene().take(place, on: device) }
        await settle()
        taking.cancel()
        await #expect(throws: PlacekeeperError.self) {
            try await service.advancingClock { try await taking.value }
        }
        phone.network.repair()
        #expect(await launch(phone).reason.code != .crashed)
    }

    /// The first launch of a device registers it, and its first screen is not lost meanwhile.
    @Test func firstScreenOfANewDeviceIsSavedAfterItsLaunch() async throws {
        let new = service.device(.phone)
        new.network.fault = .slow(.seconds(0.3))
        let launch = Task { await new.placekeeper.scene().launch() }
        await settle()
        new.placekeeper.scene().save(page(0, on: new))
        #expect(await service.advancingClock { await launch.value }.isFresh)
        new.network.repair()
        try await new.placekeeper.flush()
        #expect(try await new.placekeeper.scene().history().count == 1)
    }

    /// The person acts after the client has decided, and before the app shows the state.
    @Test func overtakenStateIsOfferedAlsoAfterAnInteraction() async throws {
        try await work(page(40, on: phone), on: phone)
        let served = try #require(await launch(pad).restore)
        let scene = pad.placekeeper.scene()
        scene.noteInteraction()
        scene.skip(served)
        var offers = scene.offers.makeAsyncIterator()
        #expect(await offers.next()??.place.archive == served.id)
    }

    @Test func restoredStateIsNoLongerOffered() async throws {
        try await work(page(40, on: phone), on: phone)
        let served = try #require(await launch(phone).restore)
        let scene = phone.placekeeper.scene()
        scene.skip(served)
        let again = await scene.launch()
        #expect(again.restore?.id == served.id && again.offer == nil)
        var offers = scene.offers.makeAsyncIterator()
        #expect(await offers.next() == .some(nil))
    }

    @Test func workThatCouldNotBeWrittenIsWorkTheNextTime() async throws {
        try await work(page(40, on: phone), on: phone)
        await launch(phone)
        await service.advance(by: 60)
        try await work(page(41, on: pad), on: pad)
        phone.isDiskFull = true
        phone.placekeeper.scene().save(page(42, on: phone))
        await #expect(throws: PlacekeeperError.self) { try await phone.placekeeper.flush() }
        phone.isDiskFull = false
        try await work(page(42, on: phone), on: phone)
        #expect(try await head()?.device.isThisDevice == true)
    }
}
