import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperUI

@MainActor
final class OfferPresenterTests: LinkedDevicesTests {
    let navigator = RouteNavigator<Route>(lists: [Shelf("pad-")], rootTitle: "Library")

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
        #expect(presenter.card?.titles == ["Library", "Book 2"])
        await presenter.take()
        #expect(presenter.card == nil)
        #expect(presenter.problem == nil)
        #expect(navigator.path == [.book(id: "pad-2")])
        try await pad.placekeeper.flush()
        #expect(await next().launch().reason.code == .alreadyOffered)
    }

    @Test func keepsTheCardWithTheProblemIfTheOfferCannotBeTaken() async throws {
        let (presenter, offer) = try await offered()
        let before = navigator.path
        pad.network.fault = .offline
        // The client has the state of the first offer already.
        var other = offer
        other.place.id = UUID().uuidString.lowercased()
        presenter.show(other)
        await presenter.take()
        #expect(presenter.problem?.code == .offline)
        #expect(presenter.card != nil)
        #expect(navigator.path == before)
    }

    @Test func takesTheOfferOnceIfThePersonTapsTwice() async throws {
        let (presenter, _) = try await offered()
        var restores = 0
        presenter.place.didRestore = { restores += 1 }
        async let first: Void = presenter.take()
        async let second: Void = presenter.take()
        _ = await (first, second)
        #expect(restores == 1)
        #expect(presenter.card == nil)
    }

    @Test func saysOnTheCardThatTheOfferIsBeingTaken() async throws {
        let (presenter, _) = try await offered()
        var isBeingTaken: [Bool?] = []
        presenter.didChange = { isBeingTaken.append(presenter.card?.isBeingTaken) }
        await presenter.take()
        #expect(isBeingTaken == [true, nil])
    }

    @Test func saysOnTheCardWhyTheOfferWasNotTakenAndTakesItAgain() async throws {
        let (presenter, offer) = try await offered()
        #expect(presenter.card?.problemText == nil)
        var gone = offer
        gone.place.id = UUID().uuidString.lowercased()
        presenter.show(gone)
        pad.network.fault = .offline
        await presenter.take()
        #expect(presenter.card?.problem?.code == .offline)
        #expect(presenter.card?.problemText == "There is no connection. Try again later.")
        #expect(presenter.card?.isBeingTaken == false)
        pad.network.repair()
        await presenter.take()
        #expect(presenter.card?.problemText == "This place cannot be opened.")
        presenter.show(offer)
        #expect(presenter.card?.problemText == nil)
        await presenter.take()
        #expect(presenter.card == nil)
    }

    @Test func keepsTheCardOfANewerOfferThatComesWhileOneIsBeingTaken() async throws {
        let (presenter, offer) = try await offered()
        var newer = offer
        newer.place.id = UUID().uuidString.lowercased()
        presenter.place.didRestore = { presenter.show(newer) }
        await presenter.take()
        #expect(presenter.card?.offer == newer)
    }

    @Test func saysWhyNoCardIsShown() {
        #expect(OfferMisplacement(kept: "main", offered: "main") == nil)
        #expect(OfferMisplacement(kept: nil, offered: "main")?.sentence.contains("before keepsPlace") == true)
        let other = OfferMisplacement(kept: "main", offered: "editor")
        #expect(other?.sentence.contains("scene editor") == true)
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
        #expect(presenter.card?.offer.place.id == offer.place.id)
        presenter.dismiss()
        #expect(presenter.card == nil)
        #expect(await next().launch().offer == nil)
    }

    @Test func closesTheCardWhileTheOfferIsBeingTaken() async throws {
        let (presenter, offer) = try await offered()
        let before = navigator.path
        // The client has the state of the first offer already, and asks the service for this one.
        var other = offer
        other.place.id = UUID().uuidString.lowercased()
        presenter.show(other)
        pad.network.fault = .never
        let taking = Task { await presenter.take() }
        await settle(service)
        #expect(presenter.card?.isBeingTaken == true)
        presenter.dismiss()
        #expect(presenter.card == nil)
        await taking.value
        #expect(presenter.card == nil)
        #expect(navigator.path == before)
    }

    @Test func takesTheOfferAlthoughTheTaskOfTheViewIsCanceled() async throws {
        let (presenter, _) = try await offered()
        let taking = Task { await presenter.take() }
        taking.cancel()
        await taking.value
        #expect(navigator.path == [.book(id: "pad-2")])
    }

    @Test func keepsTheCardIfThePersonWorksWhileTheOfferIsBeingTaken() async throws {
        let (presenter, offer) = try await offered()
        let before = navigator.path
        // In another layout, the client asks the service for the state.
        presenter.place.device.layout = .regular
        pad.network.fault = .slow(0.5)
        let taking = Task { await presenter.take() }
        await settle(service)
        #expect(presenter.card?.isBeingTaken == true)
        presenter.place.noteNavigation()
        await service.advancingClock { await taking.value }
        #expect(navigator.path == before)
        #expect(presenter.card?.offer.place.id == offer.place.id)
        #expect(presenter.card?.isBeingTaken == false)
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

    @Test func datesTheOfferByItsAge() async throws {
        let (_, offer) = try await offered()
        var old = offer
        old.place.age = 90
        let now = Date(timeIntervalSinceReferenceDate: 1000)
        #expect(OfferCard(old, shownAt: now).date == Date(timeIntervalSinceReferenceDate: 910))
        old.place.age = -5
        #expect(OfferCard(old, shownAt: now).date == now)
    }

    @Test func namesTheDeviceOrItsKind() async throws {
        let (_, offer) = try await offered()
        var named = offer
        named.place.deviceName = "Anna's phone"
        named.place.deviceModel = "iPhone16,1"
        #expect(OfferCard(named, shownAt: Date()).device == "Anna's phone")
        named.place.deviceName = nil
        #expect(OfferCard(named, shownAt: Date()).device == "iPhone")
        named.place.deviceModel = "unknown"
        #expect(OfferCard(named, shownAt: Date()).device == nil)
    }

    @Test(arguments: [
        ("iPad13,1", "iPad"), ("Mac14,2", "Mac"), ("MacBookPro18,3", "Mac"), ("Watch6,1", "Apple Watch"),
        ("AppleTV11,1", "Apple TV"), ("RealityDevice14,1", "Apple Vision Pro"),
    ])
    func knowsTheKindOfModel(_ model: String, _ kind: String) { #expect(OfferCard.kind(ofModel: model) == kind) }

    private func next() -> KeptPlace {
        KeptPlace(pad.placekeeper.scene(), navigator: navigator, device: pad.options.device)
    }

    private func offered() async throws -> (OfferPresenter, Offer) {
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
            dataSource: "books", element: .init("other-\(isbn)", aliases: ["isbn:\(isbn)"]), role: .selected)
        return StateArchive(
            bundleVersion: "1", idiom: 0, references: [book],
            place: Place([
                .init(screen: "root", title: "Library"), .init(screen: "book", title: "Book \(isbn)", references: [0]),
            ]))
    }
}
