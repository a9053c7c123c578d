import Foundation
import Observation
import PlacekeeperClient
import PlacekeeperConcurrency
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// The state of an app without `keepsPlace`.
private struct Reading: Codable, Hashable {
    var book: Book.Reference?
    var page = 0
    var search: String?
}

/// `Placekeeper.Scene` on a phone and a pad of one person.
@MainActor
final class SceneTests: LinkedDevicesTests {
    private let books = (phone: Shelf("phone-").placeItems, pad: Shelf("pad-").placeItems)

    private func scene(_ device: VirtualDevice) -> Placekeeper.Scene<Reading> {
        device.placekeeper.scene(Reading.self)
    }

    private func reading(_ book: Book, _ page: Int) -> Reading { Reading(book: book.reference, page: page) }

    /// The phone reads the second book, and the pad has read the first one before.
    private func phoneContinues() async throws {
        scene(pad).save(reading(books.pad[0], 1), items: books.pad)
        try await pad.placekeeper.flush()
        await service.advance(by: .seconds(60))
        scene(phone).save(reading(books.phone[1], 2), items: books.phone)
        try await phone.placekeeper.flush()
        await service.settle()
    }

    // MARK: - Restoring

    @Test func restoresTheStateUnderTheOtherDevicesIdentifiers() async throws {
        let here = scene(phone)
        #expect(here.name == "main")
        #expect(await here.restore(items: books.phone).value == nil)
        here.save(reading(books.phone[1], 42), items: books.phone, title: "Moby-Dick")
        try await phone.placekeeper.flush()
        let restored = await scene(pad).restore(items: books.pad)
        #expect(restored.value == reading(books.pad[1], 42))
        #expect(restored.reason.code == .freshInstallation && restored.offer == nil)
        #expect(try await scene(pad).history().map(\.titles) == [["Moby-Dick"]])
    }

    @Test(arguments: [false, true])
    func restoresItsOwnStateInTheNextProcess(isOffline: Bool) async throws {
        phone.network.fault = isOffline ? .offline : nil
        scene(phone).save(reading(books.phone[0], 7), items: books.phone)
        try await phone.placekeeper.waitUntilSaved()
        phone.kill()
        let start = service.elapsed
        let next = scene(phone)
        let restored = await service.advancingClock { await next.restore(items: books.phone) }
        #expect(restored.value == reading(books.phone[0], 7))
        #expect(restored.reason.code == (isOffline ? .offline : .ownState))
        #expect(service.elapsed - start <= .seconds(1))
    }

    @Test func sendsWhatWasSavedOfflineWhenTheConnectionIsBack() async throws {
        phone.network.fault = .offline
        scene(phone).save(reading(books.phone[0], 7), items: books.phone)
        await service.advance(by: .seconds(5))
        #expect(phone.placekeeper.status.unsentCount == 1)
        phone.network.repair()
        await service.advance(by: .seconds(120))
        #expect(phone.placekeeper.status.unsentCount == 0)
        #expect(await scene(pad).restore(items: books.pad).value == reading(books.pad[0], 7))
    }

    @Test func titlesAPlaceByItsFirstItem() async throws {
        scene(phone).save(reading(books.phone[1], 2), items: books.phone)
        try await phone.placekeeper.flush()
        #expect(try await scene(phone).history().map(\.titles) == [["Book 2"]])
    }

    @Test func keepsPathsThatEndBeforeAScreenOfAnotherVersion() async throws {
        enum Older: Codable, Hashable { case book(Book.Reference) }
        phone.placekeeper.scene([Route].self).save(
            [.book("phone-1"), .search(text: "sea"), .book("phone-2")], items: books.phone)
        try await phone.placekeeper.flush()
        let path = await pad.placekeeper.scene([Older].self).restore(items: books.pad).value
        #expect(path == [.book(books.pad[0].reference)])
    }

    @Test func keepsScenesApart() async throws {
        let (main, side) = (scene(phone), phone.placekeeper.scene(Reading.self, "side"))
        main.save(reading(books.phone[0], 1))
        side.save(reading(books.phone[1], 2))
        try await phone.placekeeper.flush()
        phone.kill()
        #expect(await scene(phone).restore(items: books.phone).value?.page == 1)
        #expect(await phone.placekeeper.scene(Reading.self, "side").restore(items: books.phone).value?.page == 2)
    }

    @Test func findsAnItemThatLoadsAfterTheRestore() async throws {
        scene(phone).save(reading(books.phone[1], 42), items: books.phone)
        try await phone.placekeeper.flush()
        let here = scene(pad)
        let restored = try #require(await here.restore(items: [Book]()).value)
        let reference = try #require(restored.book)
        #expect(restored.page == 42)
        #expect(reference.placeID == nil && [Book]()[reference] == nil)
        #expect(books.pad[reference] == books.pad[1])
        // The state that is saved meanwhile still names the book.
        here.save(restored, items: books.pad)
        try await pad.placekeeper.flush()
        phone.kill()
        #expect(await scene(phone).restore(items: books.phone).value?.book == books.phone[1].reference)
    }

    @Test func loadsAnItemThatIsNotInMemory() async throws {
        scene(phone).save(reading(books.phone[1], 42), items: books.phone)
        try await phone.placekeeper.flush()
        let shelf = Shelf("pad-", ["1"])
        shelf.stored = ["2"]
        #expect(await scene(pad).restore(items: shelf).value?.book == books.pad[1].reference)
    }

    /// The person went back to a version of the app that can't read what the later one saved.
    @Test func offersAnEarlierStateIfThisVersionCannotReadTheNewest() async throws {
        struct Later: Codable {
            var page: String
        }
        let own = reading(books.phone[0], 7)
        scene(phone).save(own, items: books.phone)
        try await phone.placekeeper.flush()
        await service.advance(by: .seconds(60))
        phone.placekeeper.scene(Later.self).save(Later(page: "seven"))
        try await phone.placekeeper.flush()
        await service.advance(by: .seconds(60))
        phone.kill()
        #expect(await scene(phone).restore(items: books.phone).value == nil)
        try await phone.placekeeper.flush()
        phone.kill()
        let next = scene(phone)
        let offer = try #require(await next.restore(items: books.phone).offer)
        #expect(offer.place.device.isThisDevice && offer.place.titles == ["Book 1"])
        #expect(try await next.restore(offer.place, items: books.phone) == own)
    }

    @Test func savesNothingForAStateThatItOnlyShows() async throws {
        scene(phone).save(reading(books.phone[1], 2), items: books.phone)
        try await phone.placekeeper.flush()
        let here = scene(pad)
        let value = try #require(await here.restore(items: books.pad).value)
        here.save(value, items: books.pad)
        try await pad.placekeeper.flush()
        phone.kill()
        #expect(await scene(phone).restore(items: books.phone).offer == nil)
    }

    // MARK: - Offers and history

    @Test func offersANewerPlaceAndRestoresIt() async throws {
        try await phoneContinues()
        pad.kill()
        let here = scene(pad)
        let restored = await here.restore(items: books.pad)
        #expect(restored.value == reading(books.pad[0], 1))
        let offer = try #require(restored.offer)
        #expect(offer.place.titles == ["Book 2"])
        #expect(try await here.restore(offer.place, items: books.pad) == reading(books.pad[1], 2))
        await service.settle()
        #expect(here.offer == nil)
    }

    @Test func tellsAnOfferThatComesLater() async throws {
        scene(pad).save(reading(books.pad[0], 1), items: books.pad)
        try await pad.placekeeper.flush()
        let here = scene(pad)
        _ = await here.restore(items: books.pad)
        var offers = here.offers.makeAsyncIterator()
        #expect(await offers.next() == .some(nil))
        await service.advance(by: .seconds(60))
        scene(phone).save(reading(books.phone[1], 2), items: books.phone)
        try await phone.placekeeper.flush()
        await settle(service)
        #expect(await offers.next()??.place.titles == ["Book 2"])
        #expect(here.offer?.place.titles == ["Book 2"])
        here.save(reading(books.pad[2], 1), items: books.pad)
        try await pad.placekeeper.flush()
        await settle(service)
        #expect(here.offer == nil)
    }

    @Test func dismissesAnOfferForGood() async throws {
        try await phoneContinues()
        let here = scene(pad)
        let offer = try #require(await here.restore(items: books.pad).offer)
        await settle(service)
        #expect(here.offer == offer)
        here.dismiss(offer)
        await settle(service)
        #expect(here.offer == nil)
        try await pad.placekeeper.waitUntilSaved()
        pad.kill()
        #expect(await scene(pad).restore(items: books.pad).offer == nil)
    }

    @Test func leavesEverythingIfAPlaceCannotBeFetched() async throws {
        try await phoneContinues()
        let here = scene(pad)
        _ = await here.restore(items: books.pad)
        let place = try #require(try await here.history().last)
        pad.network.fault = .offline
        let gone = Placekeeper.Place(
            UUID().uuidString.lowercased(), scene: "main", titles: [], device: place.device, date: place.date,
            isLatest: false, owner: place.owner)
        await #expect(throws: PlacekeeperError.self) { try await here.restore(gone, items: self.books.pad) }
        pad.network.repair()
        // The restore has ended well.
        await service.advance(by: .seconds(6))
        pad.kill()
        #expect(await scene(pad).restore(items: books.pad).value == reading(books.pad[0], 1))
    }

    @Test func restoresAStateOfTheHistory() async throws {
        let here = scene(phone)
        for page in 1...3 {
            here.save(reading(books.phone[0], page), items: books.phone, title: "Page \(page)")
            try await phone.placekeeper.flush()
            await service.advance(by: .seconds(3600))
        }
        let history = try await here.history()
        #expect(history.map(\.titles) == [["Page 3"], ["Page 2"], ["Page 1"]])
        #expect(history.map(\.isLatest) == [true, false, false])
        let earlier = try #require(history.last)
        #expect(try await here.restore(earlier, items: books.phone) == reading(books.phone[0], 1))
    }

    @Test func deletesTheSceneEverywhere() async throws {
        try await phoneContinues()
        try await scene(phone).delete()
        await service.settle()
        pad.kill()
        phone.kill()
        #expect(await scene(phone).restore(items: books.phone).value == nil)
        #expect(await scene(pad).restore(items: books.pad).value == nil)
        #expect(try await scene(pad).history().isEmpty)
    }

    @Test func deletesNothingWithoutAConnection() async throws {
        scene(phone).save(reading(books.phone[0], 7), items: books.phone)
        try await phone.placekeeper.flush()
        phone.network.fault = .offline
        let here = scene(phone)
        await #expect(throws: PlacekeeperError.self) {
            try await self.service.advancingClock { try await here.delete() }
        }
        phone.network.repair()
        phone.kill()
        #expect(await scene(phone).restore(items: books.phone).value?.page == 7)
    }

    // MARK: - Accounts

    @Test func savesNothingOfTheAccountBeforeForTheNext() async throws {
        let shared = service.device(.phone)
        try await shared.placekeeper.signIn { TestService.signInToken(of: "ann") }
        let here = shared.placekeeper.scene(Reading.self)
        _ = await here.restore(items: books.phone)
        here.save(reading(books.phone[0], 1), items: books.phone, title: "Ann's")
        try await shared.placekeeper.signOut(unsent: .send(within: .seconds(5)))
        here.save(reading(books.phone[1], 2), items: books.phone, title: "Ann's, later")
        try await shared.placekeeper.signIn { TestService.signInToken(of: "ben") }
        here.save(reading(books.phone[1], 3), items: books.phone, title: "Ann's, much later")
        try? await shared.placekeeper.flush()
        #expect(try await here.history().isEmpty)
        #expect(await here.restore(items: books.phone).value == nil)
        here.save(reading(books.phone[2], 4), items: books.phone, title: "Ben's")
        try await shared.placekeeper.flush()
        #expect(try await here.history().map(\.titles) == [["Ben's"]])
        #expect(here.offer == nil)
    }

    @Test func restoresTheStateOfTheNextAccount() async throws {
        let bens = service.device(.pad)
        try await bens.placekeeper.signIn { TestService.signInToken(of: "ben") }
        scene(bens).save(reading(books.pad[1], 2), items: books.pad)
        try await bens.placekeeper.flush()
        let shared = service.device(.phone)
        try await shared.placekeeper.signIn { TestService.signInToken(of: "ann") }
        let here = scene(shared)
        here.save(reading(books.phone[0], 1), items: books.phone)
        try await shared.placekeeper.signOut(unsent: .send(within: .seconds(5)))
        try await shared.placekeeper.signIn { TestService.signInToken(of: "ben") }
        #expect(await here.restore(items: books.phone).value == reading(books.phone[1], 2))
        await settle(service)
        here.save(reading(books.phone[1], 3), items: books.phone)
        try await shared.placekeeper.flush()
        bens.kill()
        #expect(await scene(bens).restore(items: books.pad).offer?.place.titles == ["Book 2"])
    }

    @Test func offerOfTheAccountBeforeCannotBeRestored() async throws {
        try await phoneContinues()
        let here = scene(pad)
        let offer = try #require(await here.restore(items: books.pad).offer)
        try await pad.placekeeper.signIn { TestService.signInToken(of: "ann") }
        try await pad.placekeeper.signOut(unsent: .keep)
        await settle(service)
        #expect(here.offer == nil)
        let error = await #expect(throws: PlacekeeperError.self) { try await here.restore(offer.place) }
        #expect(error?.code == .accountChanged)
    }

    // MARK: - Observation

    @Test func offerIsObserved() async throws {
        scene(pad).save(reading(books.pad[0], 1), items: books.pad)
        try await pad.placekeeper.flush()
        let here = scene(pad)
        _ = await here.restore(items: books.pad)
        await settle(service)
        let changes = Changes()
        withObservationTracking {
            #expect(here.offer == nil)
        } onChange: {
            changes.note()
        }
        #expect(changes.count == 0)
        await service.advance(by: .seconds(60))
        scene(phone).save(reading(books.phone[1], 2), items: books.phone)
        try await phone.placekeeper.flush()
        await settle(service)
        #expect(changes.count == 1)
        #expect(here.offer?.place.titles == ["Book 2"])
    }

    @Test func statusIsObserved() async throws {
        phone.network.fault = .offline
        await settle(service)
        let changes = Changes()
        withObservationTracking {
            #expect(phone.placekeeper.status.unsentCount == 0)
        } onChange: {
            changes.note()
        }
        scene(phone).save(reading(books.phone[0], 1), items: books.phone)
        await settle(service)
        #expect(changes.count == 1)
        #expect(phone.placekeeper.status.unsentCount == 1)
    }

    /// The stream of offers keeps no scene.
    @Test func sceneIsReleased() async throws {
        weak var released: Placekeeper.Scene<Reading>?
        do {
            let here = scene(phone)
            _ = await here.restore(items: books.phone)
            _ = here.offer
            await settle(service)
            released = here
        }
        await settle(service)
        #expect(released == nil)
    }
}

/// Counts the calls of an observer, on any thread.
private final class Changes: Sendable {
    private let box = LockBox(0)
    var count: Int { box.withLock { $0 } }
    func note() { box.withLock { $0 += 1 } }
}
