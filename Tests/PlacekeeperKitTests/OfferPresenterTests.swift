import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperKit

@MainActor
final class OfferPresenterTests: LinkedDevicesTests {
    let navigator = ValueNavigator<[Route]>(lists: [Shelf("pad-").list], title: "Library")

    override init() async throws {
        try await super.init()
        pad.placekeeper.scene().save(.reading("1"))
        try await pad.placekeeper.flush()
        await service.advance(by: 60)
        phone.placekeeper.scene().save(.reading("2"))
        try await phone.placekeeper.flush()
    }

    @Test func showsTheOfferAndTakesIt() async throws {
        let (presenter, _) = try await offered()
        #expect(presenter.card?.offer.place.titles == ["Library", "Book 2"])
        await presenter.restore()
        #expect(presenter.card == nil)
        #expect(presenter.problem == nil)
        #expect(navigator.path == [.book("pad-2")])
        try await pad.placekeeper.flush()
        #expect(await next().launch().reason.code == .alreadyOffered)
    }

    @Test func keepsTheCardWithTheProblemIfTheOfferCannotBeTaken() async throws {
        let (presenter, offer) = try await offered()
        let before = navigator.path
        pad.network.fault = .offline
        // The client has the state of the first offer already.
        let other = offer.withPlace(UUID().uuidString.lowercased())
        presenter.show(other)
        await presenter.restore()
        #expect(presenter.problem?.code == .offline)
        #expect(presenter.card != nil)
        #expect(navigator.path == before)
    }

    @Test func takesTheOfferOnceIfThePersonTapsTwice() async throws {
        let (presenter, _) = try await offered()
        var restores = 0
        presenter.place.didRestore = { restores += 1 }
        async let first: Void = presenter.restore()
        async let second: Void = presenter.restore()
        _ = await (first, second)
        #expect(restores == 1)
        #expect(presenter.card == nil)
    }

    @Test func saysOnTheCardThatTheOfferIsBeingRestored() async throws {
        let (presenter, _) = try await offered()
        var isRestoring: [Bool?] = []
        presenter.didChange = { isRestoring.append(presenter.card?.isRestoring) }
        await presenter.restore()
        #expect(isRestoring == [true, nil])
    }

    @Test func saysOnTheCardWhyTheOfferWasNotTakenAndTakesItAgain() async throws {
        let (presenter, offer) = try await offered()
        #expect(presenter.card?.problemText == nil)
        let gone = offer.withPlace(UUID().uuidString.lowercased())
        presenter.show(gone)
        pad.network.fault = .offline
        await presenter.restore()
        #expect(presenter.card?.problem?.code == .offline)
        #expect(presenter.card?.problemText == "There is no connection. Try again later.")
        #expect(presenter.card?.isRestoring == false)
        pad.network.repair()
        await presenter.restore()
        #expect(presenter.card?.problemText == "This place cannot be opened.")
        presenter.show(offer)
        #expect(presenter.card?.problemText == nil)
        await presenter.restore()
        #expect(presenter.card == nil)
    }

    @Test func keepsTheCardOfANewerOfferThatComesWhileOneIsBeingTaken() async throws {
        let (presenter, offer) = try await offered()
        let newer = offer.withPlace(UUID().uuidString.lowercased())
        presenter.place.didRestore = { presenter.show(newer) }
        await presenter.restore()
        #expect(presenter.card?.offer == newer)
    }

    @Test func dismissesTheOfferForGood() async throws {
        let (presenter, _) = try await offered()
        presenter.dismiss()
        #expect(presenter.card == nil)
        try await pad.placekeeper.waitUntilSaved()
        #expect(await next().launch().offer == nil)
    }

    /// The view of the card was left, and the place is no longer offered when it comes back.
    @Test func cardWhoseOfferEndedMeanwhileDisappears() async throws {
        let (presenter, _) = try await offered()
        let first = Task { await presenter.follow() }
        await service.settle()
        first.cancel()
        await first.value
        #expect(presenter.card != nil)
        navigator.path = [.search(text: "own")]
        presenter.place.noteNavigation()
        try await pad.placekeeper.flush()
        let second = Task { await presenter.follow() }
        await settle(service)
        #expect(presenter.card == nil)
        second.cancel()
    }

    @Test func closesTheCardAfterTheViewWasLeftAndCameBack() async throws {
        let (presenter, offer) = try await offered()
        for _ in 0..<2 {
            let following = Task { await presenter.follow() }
            await service.settle()
            following.cancel()
            await following.value
        }
        #expect(presenter.card?.offer.place.archive == offer.place.archive)
        presenter.dismiss()
        #expect(presenter.card == nil)
        #expect(await next().launch().offer == nil)
    }

    @Test func closesTheCardWhileTheOfferIsBeingTaken() async throws {
        let (presenter, offer) = try await offered()
        let before = navigator.path
        // The client has the state of the first offer already, and asks the service for this one.
        let other = offer.withPlace(UUID().uuidString.lowercased())
        presenter.show(other)
        pad.network.fault = .never
        let taking = Task { await presenter.restore() }
        await settle(service)
        #expect(presenter.card?.isRestoring == true)
        presenter.dismiss()
        #expect(presenter.card == nil)
        await taking.value
        #expect(presenter.card == nil)
        #expect(navigator.path == before)
    }

    @Test func takesTheOfferAlthoughTheTaskOfTheViewIsCanceled() async throws {
        let (presenter, _) = try await offered()
        let taking = Task { await presenter.restore() }
        taking.cancel()
        await taking.value
        #expect(navigator.path == [.book("pad-2")])
    }

    @Test func keepsTheCardIfThePersonWorksWhileTheOfferIsBeingTaken() async throws {
        let (presenter, offer) = try await offered()
        let before = navigator.path
        // In another layout, the client asks the service for the state.
        presenter.place.device.layout = .regular
        pad.network.fault = .slow(.seconds(0.5))
        let taking = Task { await presenter.restore() }
        await settle(service)
        #expect(presenter.card?.isRestoring == true)
        presenter.place.noteNavigation()
        await service.advancingClock { await taking.value }
        #expect(navigator.path == before)
        #expect(presenter.card?.offer.place.archive == offer.place.archive)
        #expect(presenter.card?.isRestoring == false)
    }

    @Test func tellsEachChangeOnce() async throws {
        let (presenter, offer) = try await offered()
        var changes = 0
        presenter.didChange = { changes += 1 }
        presenter.show(offer)
        #expect(changes == 0)
        presenter.show(nil)
        #expect(changes == 1)
    }

    @Test func namesTheDeviceOrItsKind() async throws {
        let (presenter, offer) = try await offered()
        func name(of device: Placekeeper.Device) -> String? {
            PlaceOffer(offer.withPlace(offer.place.archive, on: device), presenter).deviceName
        }
        #expect(name(of: .init(name: "Anna's phone", model: "iPhone16,1", isThisDevice: false)) == "Anna's phone")
        #expect(name(of: .init(model: "iPhone16,1", isThisDevice: false)) == "iPhone")
        #expect(name(of: .init(model: "unknown", isThisDevice: false)) == nil)
        #expect(name(of: .init(name: "Anna's pad", model: "iPad13,1", isThisDevice: true)) == nil)
    }

    @Test(arguments: [
        ("iPad13,1", "iPad"), ("Mac14,2", "Mac"), ("MacBookPro18,3", "Mac"), ("Watch6,1", "Apple Watch"),
        ("AppleTV11,1", "Apple TV"), ("RealityDevice14,1", "Apple Vision Pro"),
    ])
    func knowsTheKindOfModel(_ model: String, _ kind: String) { #expect(PlaceOffer.kind(ofModel: model) == kind) }

    private func next() -> KeptPlace {
        KeptPlace(pad.placekeeper.scene(), navigator: navigator, device: pad.configuration.device)
    }

    private func offered() async throws -> (OfferPresenter, Placekeeper.Offer) {
        let place = next()
        let offer = try #require(await place.launch().offer)
        let presenter = OfferPresenter(place)
        presenter.show(offer)
        return (presenter, offer)
    }
}

extension StateArchive {
    /// The place of a book, as a phone or pad saves it.
    fileprivate static func reading(_ isbn: String) -> StateArchive {
        let book = ModelReference(
            dataSource: "Book", element: .init("other-\(isbn)", aliases: ["isbn:\(isbn)"]), role: .selected)
        return StateArchive(
            bundleVersion: "1", idiom: 0, references: [book],
            place: Place([
                .init(screen: "root", title: "Library"),
                .init(
                    screen: "book", title: "Book \(isbn)", references: [0],
                    parameters: ["_0": .reference(0)]),
            ]))
    }
}

extension Placekeeper.Offer {
    /// The offer of another place.
    fileprivate func withPlace(_ archive: String, on device: Placekeeper.Device? = nil) -> Placekeeper.Offer {
        let other = Placekeeper.Place(
            archive, scene: place.scene, titles: place.titles, device: device ?? place.device, date: place.date,
            isLatest: place.isLatest, owner: place.owner)
        return Placekeeper.Offer(place: other, ownPlace: ownPlace, progress: progress, isQuiet: isQuiet)
    }
}
