import PlacekeeperArchive
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperClient

/// A phone and a pad read books, and their places say how far: an offer says whether its place is ahead or behind.
struct ProgressTests {
    let service: TestService
    let phone: VirtualDevice
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        pad = service.device(.pad)
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
        try await read(60, on: phone)
    }

    /// A page of a book of 100 pages.
    private func page(_ number: Int64, of book: String, hasProgress: Bool = true) -> StateArchive {
        StateArchive(
            bundleVersion: "1", idiom: 0,
            references: [.init(dataSource: "books", element: .init(book), role: .selected)],
            place: Place([
                .init(screen: "library", title: "Library"),
                .init(
                    screen: "book", title: book, references: [0], parameters: ["page": .integer(number)],
                    progress: hasProgress ? Double(number) / 100 : nil),
            ]))
    }

    private func read(_ number: Int64, of book: String = "Moby-Dick", on device: VirtualDevice) async throws {
        try await work(page(number, of: book), on: device)
    }

    private func work(_ archive: StateArchive, on device: VirtualDevice) async throws {
        device.placekeeper.scene().save(archive)
        try await device.placekeeper.flush()
        await service.advance(by: 60)
    }

    private func launch(_ device: VirtualDevice) async -> Launch {
        device.kill()
        return await device.placekeeper.scene().launch()
    }

    /// Launches the phone, and dismisses its offer.
    private func dismissOffer() async throws {
        let offer = try #require(await launch(phone).offer)
        phone.placekeeper.scene().dismiss(offer)
        await service.settle()
    }

    private func setPlacesBehind(_ use: Placekeeper.Configuration.PlacesBehind) {
        phone.configuration.placesBehind = use
        phone.kill()
    }

    /// The present offer of the phone, after it has heard of the other devices' places.
    private func offerWhileRunning() async -> Placekeeper.Offer? {
        let offers = phone.placekeeper.scene().offers
        await service.settle()
        var iterator = offers.makeAsyncIterator()
        return await iterator.next() ?? nil
    }

    @Test(arguments: [20, 75] as [Int64])
    func launchOffersTheLastWorkAndSaysHowFarItIs(_ number: Int64) async throws {
        try await read(number, on: pad)
        let launch = await launch(phone)
        #expect(launch.restore?.archive == page(60, of: "Moby-Dick"))
        let offer = try #require(launch.offer)
        let progress = try #require(offer.progress)
        #expect(progress == .init(offered: Double(number) / 100, own: 0.6))
        #expect(progress.isBehind == (number < 60) && progress.isAhead == (number > 60))
        #expect(abs(progress.distance - abs(Double(number - 60)) / 100) < 1e-9)
        #expect(offer.ownPlace?.archive == launch.restore?.id && offer.ownPlace?.titles == ["Library", "Moby-Dick"])
        #expect(!offer.isQuiet)
    }

    @Test func offerWhileTheAppRunsSaysHowFarItIs() async throws {
        _ = await launch(phone)
        try await read(20, on: pad)
        let offer = try #require(await offerWhileRunning())
        #expect(offer.progress == .init(offered: 0.2, own: 0.6))
        #expect(offer.ownPlace?.titles == ["Library", "Moby-Dick"])
        #expect(offer.place.titles == ["Library", "Moby-Dick"] && !offer.place.device.isThisDevice)
        #expect(try await phone.placekeeper.scene().take(offer).archive == page(20, of: "Moby-Dick"))
    }

    /// A place of another book is neither ahead nor behind, and neither is one without a progress.
    @Test(arguments: [true, false])
    func placeThatCannotBeComparedIsOfferedWithoutProgress(isOtherBook: Bool) async throws {
        setPlacesBehind(.never)
        _ = await launch(phone)
        try await work(
            isOtherBook ? page(20, of: "Emma") : page(20, of: "Moby-Dick", hasProgress: false), on: pad)
        let offer = try #require(await offerWhileRunning())
        #expect(offer.progress == nil && offer.ownPlace != nil)
        let next = await launch(phone)
        #expect(next.offer != nil && next.offer?.progress == nil)
    }

    @Test(arguments: [Placekeeper.Configuration.PlacesBehind.offered, .quiet, .never], [false, true])
    func appDecidesWhetherAPlaceBehindIsOffered(_ use: Placekeeper.Configuration.PlacesBehind, isRunning: Bool)
        async throws
    {
        setPlacesBehind(use)
        if isRunning { _ = await launch(phone) }
        try await read(20, on: pad)
        var offer: Placekeeper.Offer?
        if isRunning {
            offer = await offerWhileRunning()
        } else {
            let launch = await launch(phone)
            #expect(launch.restore?.archive == page(60, of: "Moby-Dick"))
            #expect(launch.reason.code == (use == .never ? .behind : .otherDevice))
            offer = launch.offer
        }
        #expect((offer == nil) == (use == .never))
        #expect(offer.map(\.isQuiet) == (use == .never ? nil : use == .quiet))
        #expect(try await phone.placekeeper.places().count == 2)
        // A place ahead is offered as ever.
        try await read(80, on: pad)
        let ahead = try #require(isRunning ? await offerWhileRunning() : await launch(phone).offer)
        #expect(ahead.progress?.isAhead == true && !ahead.isQuiet)
    }

    /// With the operator's setting `offer`, this device's own place would be the only one left.
    @Test func ownPlaceIsOfferedIfThePlaceBehindIsNot() async throws {
        setPlacesBehind(.never)
        try await read(20, on: pad)
        try await service.setRestoration("offer")
        let launch = await launch(phone)
        #expect(launch.isFresh && launch.offer?.place.device.isThisDevice == true)
        #expect(launch.offer?.progress == nil)
    }

    @Test(arguments: [false, true])
    func dismissedPlaceBehindIsRemembered(isRunning: Bool) async throws {
        try await read(20, on: pad)
        try await dismissOffer()
        // The person rereads on the pad.
        try await read(22, on: pad)
        let reread = await launch(phone)
        #expect(reread.offer == nil && reread.reason.code == .behind)
        #expect(await offerWhileRunning() == nil)
        try await read(24, on: pad)
        if isRunning { #expect(await offerWhileRunning() == nil) }
        try await read(61, on: pad)
        let ahead = isRunning ? await offerWhileRunning() : await launch(phone).offer
        #expect(ahead?.progress?.isAhead == true)
    }

    @Test func dismissedPlaceBehindIsForgottenWhenThePersonReadsAnotherBook() async throws {
        try await read(20, on: pad)
        try await dismissOffer()
        // Neither a page of the same book nor the library is another book.
        try await read(62, on: phone)
        try await work(StateArchive(idiom: 0, place: Place([.init(screen: "library", title: "Library")])), on: phone)
        try await read(62, on: phone)
        try await read(21, on: pad)
        #expect(await launch(phone).offer == nil)
        try await read(5, of: "Emma", on: phone)
        try await read(63, on: phone)
        try await read(22, on: pad)
        #expect(await launch(phone).offer?.progress?.isBehind == true)
    }

    @Test func dismissedPlaceBehindIsForgottenWhenThePersonContinuesThere() async throws {
        try await read(20, on: pad)
        try await dismissOffer()
        let place = try #require(try await phone.placekeeper.places().first { !$0.device.isThisDevice })
        let served = try await phone.placekeeper.scene().take(place)
        phone.placekeeper.scene().report(.restored, of: served)
        try await read(25, on: phone)
        try await read(23, on: pad)
        #expect(await launch(phone).offer?.progress == .init(offered: 0.23, own: 0.25))
    }

    @Test func forgottenSceneForgetsTheDismissedPlace() async throws {
        try await read(20, on: pad)
        try await dismissOffer()
        try await phone.placekeeper.scene().forget()
        try await read(60, on: phone)
        try await read(21, on: pad)
        #expect(await launch(phone).offer?.progress?.isBehind == true)
    }

    @Test func dismissedPlaceAheadIsNotRememberedAsAPlaceBehind() async throws {
        try await read(80, on: pad)
        try await dismissOffer()
        try await read(20, on: pad)
        #expect(await launch(phone).offer?.progress?.isBehind == true)
    }

    /// Two phones have one identity, because one was restored from a backup.
    @Test func launchDoesNotMoveBackToAPageOfACopy() async throws {
        let copy = service.device(cloning: phone)
        try await read(20, on: copy)
        let launch = await launch(phone)
        #expect(launch.restore?.archive == page(60, of: "Moby-Dick"))
        #expect(launch.offer?.progress == .init(offered: 0.2, own: 0.6))
    }

    // MARK: - Saving

    @Test func turnedPageIsWorkAlsoIfOnlyTheProgressChanges() async throws {
        var next = page(60, of: "Moby-Dick")
        next.place?.steps[1].progress = 0.61
        _ = await launch(phone)
        try await read(20, on: pad)
        try await work(page(60, of: "Moby-Dick"), on: phone)
        #expect(try await phone.placekeeper.places().first(where: \.isLatest)?.device.isThisDevice == false)
        try await work(next, on: phone)
        #expect(try await phone.placekeeper.places().first(where: \.isLatest)?.device.isThisDevice == true)
    }

    /// The pages of the pad begin elsewhere in the text.
    @Test func lookAtThePlaceInAnotherLayoutIsNoWork() async throws {
        func onPad(_ progress: Double) -> StateArchive {
            var archive = page(60, of: "Moby-Dick")
            archive.idiom = 1
            archive.place?.steps[1].progress = progress
            return archive
        }
        #expect(await launch(pad).restore?.fidelity == .place)
        try await work(onPad(0.594), on: pad)
        #expect(try await pad.placekeeper.places().first(where: \.isLatest)?.device.isThisDevice == false)
        try await work(onPad(0.612), on: pad)
        #expect(try await pad.placekeeper.places().first(where: \.isLatest)?.device.isThisDevice == true)
    }

    @Test func viewOnlyCaptureWithAnotherProgressIsAtThePlace() async throws {
        var scrolled = page(60, of: "Moby-Dick")
        scrolled.place?.steps[1].progress = 0.605
        _ = await launch(phone)
        phone.placekeeper.scene().save(scrolled, interaction: .viewing)
        try await phone.placekeeper.flush()
        #expect(await launch(phone).restore?.archive == scrolled)
    }

    @Test(arguments: [Double.nan, .infinity, -0.1, 1.1])
    func stateIsSavedWithoutAProgressThatIsNotFromZeroToOne(_ progress: Double) async throws {
        var archive = page(61, of: "Moby-Dick")
        archive.place?.steps[1].progress = progress
        try await work(archive, on: phone)
        #expect(phone.placekeeper.status.omissions.map(\.name) == ["progress"])
        #expect(await launch(phone).restore?.archive == page(61, of: "Moby-Dick", hasProgress: false))
    }
}

/// The client reads a place before it offers it beside an own place with a progress.
struct ProposedOfferTests {
    let service: TestService
    let phone: SimulatedDevice
    let pad: SimulatedDevice

    init() async throws {
        service = try await TestService()
        phone = SimulatedDevice(service, .phone, seed: 1)
        pad = SimulatedDevice(service, .pad, seed: 2)
        // Each device has its own row keys.
        for (device, key) in [(phone, "p"), (pad, "q")] {
            device.update("books", [.init(key + "1", aliases: ["isbn:1"]), .init(key + "2", aliases: ["isbn:2"])])
        }
        read("p1", 0.6, on: phone)
        await phone.flush()
        #expect(await pad.link(to: phone).isDone)
        await pad.flush()
        service.clock.advance(by: 60)
        phone.core.followOffers(of: "main")
        await phone.settle()
    }

    private func read(_ key: String, _ progress: Double, ago: Double = 0, on device: SimulatedDevice) {
        var archive = device.archive("book")
        archive.references = [
            .init(dataSource: "books", element: .init(key, aliases: ["isbn:" + key.suffix(1)]), role: .selected)
        ]
        archive.place = Place([.init(screen: "book", references: [0], progress: progress)])
        device.core.save(archive, in: "main", .ago(.seconds(ago)), at: device.clock.now())
    }

    /// The pad reads on, and the phone hears of it. The phone has not sent its question for the place yet.
    private func readOnPad(_ key: String, _ progress: Double) async {
        read(key, progress, on: pad)
        await pad.flush()
        service.clock.advance(by: 60)
        phone.core.endEvents()
        phone.step()
        await phone.answerNext()
    }

    @Test func itemsAreComparedUnderThisDevicesIdentifiers() async throws {
        await readOnPad("q1", 0.2)
        await phone.settle()
        #expect(phone.core.offer(of: "main")?.progress == .init(offered: 0.2, own: 0.6))
        await readOnPad("q2", 0.2)
        await phone.settle()
        #expect(phone.core.offer(of: "main") != nil && phone.core.offer(of: "main")?.progress == nil)
    }

    @Test func workWhileThePlaceIsReadIsNotInterrupted() async throws {
        await readOnPad("q1", 0.2)
        read("p1", 0.61, on: phone)
        await phone.settle()
        #expect(phone.core.offer(of: "main") == nil)
        await phone.flush()
        #expect(phone.core.offer(of: "main") == nil)
    }

    @Test func appWithoutProgressAsksForNoPlace() async throws {
        var reads = 0
        phone.rewrite = { request, response in
            if request.target.contains("/restorable") { reads += 1 }
            return response
        }
        await phone.saveAndFlush("p1")
        service.clock.advance(by: 60)
        await readOnPad("q1", 0.2)
        await phone.settle()
        #expect(phone.core.offer(of: "main")?.ownPlace?.titles == ["p1"] && reads == 0)
    }

    @Test func placeThatCouldNotBeReadIsOfferedLater() async throws {
        await readOnPad("q1", 0.2)
        phone.network.fault = .offline
        phone.step()
        await phone.answerNext()
        #expect(phone.core.offer(of: "main") == nil)
        phone.network.fault = nil
        service.clock.advance(by: 60)
        await phone.settle()
        #expect(phone.core.offer(of: "main")?.progress == .init(offered: 0.2, own: 0.6))
    }

    @Test func placeThatIsNotOfferedIsReadOnce() async throws {
        phone.settings.placesBehind = .never
        phone.restart()
        phone.core.followOffers(of: "main")
        await phone.settle()
        var reads = 0
        phone.rewrite = { request, response in
            if request.target.contains("/restorable") { reads += 1 }
            return response
        }
        await readOnPad("q1", 0.2)
        await phone.settle()
        phone.core.endEvents()
        await phone.settle()
        #expect(phone.core.offer(of: "main") == nil && reads == 1)
        // Late work in another book, which the service orders below the pad's.
        read("p2", 0.5, ago: 3600, on: phone)
        await phone.flush()
        phone.core.endEvents()
        await phone.settle()
        #expect(phone.core.offer(of: "main") != nil && phone.core.offer(of: "main")?.progress == nil)
    }

    /// Two answers overtake each other on the way.
    @Test func olderPlaceDoesNotReplaceTheOfferOfTheNewerOne() async throws {
        await readOnPad("q1", 0.2)
        phone.step()
        read("q1", 0.3, on: pad)
        await pad.flush()
        phone.core.endEvents()
        // The phone asks for the places, and then for the newer place, while the answer about the older one is on its way.
        for _ in 0..<2 {
            phone.step()
            await phone.answerNewest()
        }
        #expect(phone.core.offer(of: "main")?.progress?.offered == 0.3)
        await phone.settle()
        #expect(phone.core.offer(of: "main")?.progress?.offered == 0.3)
    }

    @Test func hostileAnswerIsOfferedWithoutProgress() async throws {
        phone.rewrite = { request, response in
            guard request.target.contains("/restorable") else { return response }
            var response = response
            response.body = [0, 1, 2]
            return response
        }
        await readOnPad("q1", 0.2)
        await phone.settle()
        #expect(phone.core.offer(of: "main") != nil && phone.core.offer(of: "main")?.progress == nil)
    }
}
