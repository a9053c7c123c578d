import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperTesting
import PlacekeeperRuntime
import Testing

@testable import PlacekeeperKit

@MainActor
struct ShownItemsTests {
    let shelf = Shelf()
    let phone: VirtualDevice
    let place: KeptPlace
    let navigator: ValueNavigator<[Route]>

    init() async throws {
        phone = try await TestService().device(.phone)
        navigator = ValueNavigator(lists: [shelf.list])
        place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
    }

    private func update(_ items: inout ShownItems, _ shown: [String]) -> [String]? {
        items.update(shown, forKey: "selection", in: shelf.list, place)
    }

    private func archive(_ selection: [String]) -> StateArchive {
        let other = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        other.setIdentifiers(selection, of: shelf.list, forKey: "selection")
        return other.archive()
    }

    @Test(arguments: [RestorationFidelity.full, .place])
    func clearsTheSelectionAfterTheRestoreOfAPlaceWithoutOne(_ fidelity: RestorationFidelity) async {
        var items = ShownItems()
        #expect(update(&items, ["1"]) == nil)
        place.setIdentifiers(["1"], of: shelf.list, forKey: "selection")
        await place.restore(archive([]), fidelity)
        #expect(update(&items, ["1"]) == [])
        #expect(update(&items, []) == nil)
    }

    @Test func showsTheRestoredSelection() async {
        var items = ShownItems()
        #expect(update(&items, ["1"]) == nil)
        await place.restore(archive(["2"]), .full)
        #expect(update(&items, ["1"]) == ["2"])
        #expect(update(&items, ["2"]) == nil)
    }

    @Test func viewThatAppearsKeepsTheSelectionThatTheAppChose() async {
        await place.restore(archive([]), .full)
        var items = ShownItems()
        #expect(update(&items, ["1"]) == nil)
    }

    @Test func dataThatArrivesClearsNothing() async {
        var items = ShownItems()
        #expect(update(&items, ["1"]) == nil)
        #expect(update(&items, ["1"]) == nil)
    }

    @Test func savesEachItemOfALargeSelection() throws {
        let isbns = (1...400).map { "\($0)" }
        let large = Shelf("", isbns)
        place.setIdentifiers(isbns, of: large.list, forKey: "selection")
        #expect(place.archive().references.count == 400)
        #expect(try StateArchive(reading: place.archive().encoded()).references.count == 400)
    }

    @Test func saysThatASelectionCannotBeSavedAndSavesNoPartOfIt() async {
        await place.launch()
        let isbns = ["2", "e" + String(repeating: "\u{301}", count: 300)]
        place.setIdentifiers(isbns, of: Shelf("", isbns).list, forKey: "selection")
        place.setValue("note", forKey: "draft")
        place.save()
        #expect(place.omittedKeys == ["selection"])
        #expect(place.archive().application == [:])
        #expect(place.archive().place?.values == ["draft": .string("note")])
        place.setIdentifiers(["1"], of: shelf.list, forKey: "selection")
        place.save()
        #expect(place.omittedKeys.isEmpty)
    }
}
