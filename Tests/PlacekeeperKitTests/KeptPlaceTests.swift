import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperKit

@MainActor
final class KeptPlaceTests: LinkedDevicesTests {
    @Test func bringsThePlaceToAnotherDeviceUnderItsIdentifiers() async throws {
        let (place, navigator) = window(phone, Shelf("phone-"))
        await place.launch()
        navigator.path = [.search(text: "sea"), .book("phone-2")]
        place.setValue("note", forKey: "draft")
        place.save()
        try await phone.placekeeper.flush()

        let (other, otherNavigator) = window(pad, Shelf("pad-"))
        #expect(await other.launch().reason.code == .freshInstallation)
        #expect(otherNavigator.path == [.search(text: "sea"), .book("pad-2")])
        #expect(other.value(String.self, forKey: "draft") == "note")
    }

    @Test func bringsValuesAndItemsBackOnTheSameDevice() async throws {
        let shelf = Shelf()
        let (place, _) = window(phone, shelf)
        await place.launch()
        place.setValue("note", forKey: "draft")
        place.setValue("hunter2", forKey: "password")
        place.setIdentifiers(["2", "3"], of: shelf.list, forKey: "selection")
        try await phone.placekeeper.waitUntilSaved()
        phone.kill()

        let (next, _) = window(phone, shelf)
        await next.launch()
        #expect(next.value(String.self, forKey: "draft") == "note")
        #expect(next.value(String.self, forKey: "password") == nil)
        #expect(next.identifiers(forKey: "selection", in: shelf.list) == ["2", "3"])
        #expect(next.value(Int.self, forKey: "selection") == nil)
    }

    @Test func keepsItemsAsTheyAreIfOnlyTheirOrderDiffers() {
        let shelf = Shelf()
        let (place, _) = window(phone, shelf)
        place.setIdentifiers(["2", "3"], of: shelf.list, forKey: "selection")
        place.setIdentifiers(["3", "2"], of: shelf.list, forKey: "selection")
        #expect(place.identifiers(forKey: "selection", in: shelf.list) == ["2", "3"])
        place.setIdentifiers([], of: shelf.list, forKey: "selection")
        #expect(place.archive().application.isEmpty)
    }

    /// A view that scrolls by the identifier of its first item shows the neighbor until the item arrives.
    @Test func showsTheNeighborUntilTheItemArrives() async {
        let shelf = Shelf()
        let (place, _) = window(phone, shelf)
        await place.launch()
        let late = ModelReference(
            dataSource: "Book", element: .init(nil, aliases: ["isbn:9"]), role: .firstVisible,
            resolution: .init(step: .pending, confidence: 0, neighbor: "2"))
        let archive = StateArchive(application: ["scroll": .array([.reference(0)])], references: [late])
        await place.restore(archive, .full)
        #expect(place.identifiers(forKey: "scroll", in: shelf.list) == ["2"])
        // The view scrolls there, and reports its position.
        place.setIdentifiers(["2"], of: shelf.list, role: .firstVisible, forKey: "scroll")
        #expect(place.archive().references.map(\.element) == [.init(nil, aliases: ["isbn:9"])])
        #expect(place.archive().references.map(\.after) == [[.init("2")]])
        shelf.isbns.append("9")
        #expect(place.identifiers(forKey: "scroll", in: shelf.list) == ["9"])
        place.setIdentifiers(["3"], of: shelf.list, role: .firstVisible, forKey: "scroll")
        #expect(place.identifiers(forKey: "scroll", in: shelf.list) == ["3"], "the person has scrolled")
    }

    @Test func savesNoDeniedValue() {
        let (place, navigator) = window(phone, Shelf())
        navigator.path = [.login(name: "ann", password: "hunter2")]
        place.setValue("hunter2", forKey: "userPassword")
        place.setValue("note", forKey: "draft")
        let archive = place.archive()
        #expect(archive.application == [:])
        #expect(archive.place?.values == ["draft": .string("note")])
        #expect(archive.place?.steps.last?.parameters == ["name": .string("ann")])
        #expect(place.value(String.self, forKey: "userPassword") == "hunter2")
    }

    @Test func savesNothingBeforeTheLaunchHasEnded() async throws {
        let (place, navigator) = window(phone, Shelf())
        navigator.path = [.book("1")]
        place.save()
        try await phone.placekeeper.flush()
        #expect(try await phone.placekeeper.scene().history().isEmpty)
    }

    @Test func savesNothingWhileTheDeviceIsLocked() async throws {
        phone.reboot(isLocked: true)
        let (place, navigator) = window(phone, Shelf())
        #expect(await place.launch().reason.code == .locked)
        navigator.path = [.book("1")]
        place.save()
        phone.unlock()
        try await phone.placekeeper.flush()
        #expect(try await phone.placekeeper.scene().history().isEmpty)
    }

    @Test func savesManyChangesOnce() async throws {
        let (place, _) = window(phone, Shelf())
        await place.launch()
        for count in 0..<50 { place.setValue(count, forKey: "count") }
        await service.advance(by: KeptPlace.saveDelay)
        #expect(phone.placekeeper.status.unsentCount == 1)
        place.save()
        try await phone.placekeeper.flush()
        #expect(try await phone.placekeeper.scene().history().count == 1)
    }

    @Test func doesNotSaveTheStateThatItRestored() async throws {
        try await phoneReads([.book("phone-2")])
        let (place, navigator) = window(pad, Shelf("pad-"))
        await place.launch()
        #expect(navigator.path == [.book("pad-2")])
        place.setNeedsSave()
        try await pad.placekeeper.flush()
        #expect(try await pad.placekeeper.scene().history().map(\.device.isThisDevice) == [false])
    }

    @Test func restoresNothingIfThePersonNavigatedBefore() async throws {
        try await phoneReads([.book("phone-2")])
        let (place, navigator) = window(pad, Shelf("pad-"))
        let launch = Task { await place.launch() }
        // The launch runs on the main actor until it waits for the client.
        await Task.yield()
        navigator.path = [.search(text: "own")]
        place.noteNavigation()
        _ = await launch.value
        #expect(navigator.path == [.search(text: "own")])
        try await pad.placekeeper.flush()
        #expect(try await pad.placekeeper.scene().history().first?.device.isThisDevice == true)
    }

    @Test func restoresNothingIfALinkWasOpened() async throws {
        try await phoneReads([.book("phone-2")])
        let (place, navigator) = window(pad, Shelf("pad-"))
        navigator.path = [.search(text: "link")]
        place.noteNavigation()
        await place.launch()
        #expect(navigator.path == [.search(text: "link")])
    }

    @Test func waitsForAnItemThatHasNotArrived() async throws {
        try await phoneReads([.book("phone-1"), .book("phone-2"), .search(text: "sea")])
        let shelf = Shelf("pad-", ["1"])
        let (place, navigator) = window(pad, shelf)
        await place.launch()
        #expect(navigator.path == [.book("pad-1")])
        // The complete place is saved again meanwhile.
        #expect(place.archive().place?.steps.map(\.screen) == ["root", "book", "book", "search"])
        #expect(place.archive().references.allSatisfy { $0.resolution == nil })
        await place.lookAgain()
        #expect(navigator.path == [.book("pad-1")])
        shelf.isbns = ["1", "2"]
        navigator.lists = [shelf.list]
        await place.lookAgain()
        // The first book has another neighbor now, so the place no longer waits.
        #expect(navigator.path == [.book("pad-1"), .book("pad-2"), .search(text: "sea")])
        #expect(place.archive().place?.steps.map(\.screen) == ["root", "book", "book", "search"])
    }

    @Test func waitsNoLongerAfterThePersonHasNavigated() async throws {
        try await phoneReads([.book("phone-2")])
        let shelf = Shelf("pad-", [])
        let (place, navigator) = window(pad, shelf)
        await place.launch()
        navigator.path = [.search(text: "own")]
        #expect(place.archive().place?.steps.map(\.screen) == ["root", "search"])
        shelf.isbns = ["2"]
        navigator.lists = [shelf.list]
        await place.lookAgain()
        #expect(navigator.path == [.search(text: "own")])
    }

    @Test func savesAtMostAsManyStepsAsAnArchiveHolds() {
        let (place, navigator) = window(phone, Shelf())
        navigator.path = Array(repeating: .book("1"), count: 100)
        #expect(place.archiveToSave().archive.place?.steps.count == Place.maximumStepCount)
        #expect(place.omittedKeys == ["steps"])
        #expect(throws: Never.self) { try place.archive().encoded() }
    }

    @Test func leavesOutAValueThatCannotBeSaved() {
        let (place, _) = window(phone, Shelf())
        let marks = "e" + String(repeating: "\u{301}", count: 300)
        place.setValue(marks, forKey: "draft")
        place.setValue("note", forKey: "title")
        place.setIdentifiers([marks], of: Shelf().list, forKey: "selection")
        #expect(place.archiveToSave().archive.place?.values == ["title": .string("note")])
        #expect(place.archive().application == [:])
        #expect(place.omittedKeys == ["draft", "selection"])
        #expect(throws: Never.self) { try place.archive().encoded() }
    }

    private func window(_ device: VirtualDevice, _ shelf: Shelf) -> (KeptPlace, ValueNavigator<[Route]>) {
        let navigator = ValueNavigator<[Route]>(lists: [shelf.list], title: "Library")
        let place = KeptPlace(device.placekeeper.scene(), navigator: navigator, device: device.configuration.device)
        return (place, navigator)
    }

    /// Saves and sends a place of the phone.
    private func phoneReads(_ path: [Route]) async throws {
        let (place, navigator) = window(phone, Shelf("phone-"))
        await place.launch()
        navigator.path = path
        place.save()
        try await phone.placekeeper.flush()
    }

    @Test func windowThatWasLaunchedWhileLockedLaunchesAgain() async throws {
        let (place, navigator) = window(phone, Shelf())
        await place.launch()
        navigator.path = [.book("2")]
        place.noteNavigation()
        try await phone.placekeeper.flush()
        await service.advance(by: 60)
        phone.reboot(isLocked: true)
        let (next, nextNavigator) = window(phone, Shelf())
        #expect(await next.launch().reason.code == .locked)
        phone.unlock()
        await next.launch()
        #expect(nextNavigator.path == [.book("2")])
    }

    /// The person's other device has a newer version of the app.
    @Test func activityThatCannotBeShownDoesNotCostTheOwnPlace() async throws {
        phone.configuration.device.stateVersion = 1
        let (place, navigator) = window(phone, Shelf())
        await place.launch()
        navigator.path = [.book("2")]
        place.noteNavigation()
        try await phone.placekeeper.flush()
        await service.advance(by: 60)
        phone.kill()
        let (next, nextNavigator) = window(phone, Shelf())
        var newer = place.archive()
        newer.stateVersion = 2
        let launching = Task { await next.launch() }
        await Task.yield()
        #expect(await !next.continue(PlaceActivity(scene: "main", archive: newer)))
        #expect(await launching.value.restore != nil)
        #expect(nextNavigator.path == [.book("2")])
    }
}
