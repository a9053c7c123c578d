import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// The values of a window, which belong to its place.
@MainActor
final class KeptValueTests: LinkedDevicesTests {
    let navigators = [Shelf(), Shelf("pad-")].map { ValueNavigator<[Route]>(lists: [$0.list]) }

    private func place(_ device: VirtualDevice, _ index: Int? = nil) -> KeptPlace {
        KeptPlace(
            device.placekeeper.scene(), navigator: index.map { navigators[$0] }, device: device.configuration.device)
    }

    @Test(arguments: [true, false])
    func unsavedNoteReachesThePad(hasNavigator: Bool) async throws {
        let first = place(phone, hasNavigator ? 0 : nil)
        await first.launch()
        if hasNavigator {
            navigators[0].path = [.book("2")]
            first.noteNavigation()
        }
        first.setValue("Call me", forKey: "draft")
        try await phone.placekeeper.flush()

        let second = place(pad, hasNavigator ? 1 : nil)
        await second.launch()
        #expect(second.value(forKey: "draft") == "Call me")
        #expect(navigators[1].path == (hasNavigator ? [.book("pad-2")] : []))

        // And back, with the words that were added there.
        await service.advance(by: 60)
        second.setValue("Call me Ishmael", forKey: "draft")
        try await pad.placekeeper.flush()
        phone.kill()
        let third = place(phone, hasNavigator ? 0 : nil)
        let offer = try #require(await third.launch().offer)
        #expect(third.value(forKey: "draft") == "Call me")
        try await third.take(offer)
        #expect(third.value(forKey: "draft") == "Call me Ishmael")
    }

    @Test func comesBackOnTheSameDevice() async throws {
        let first = place(phone, 0)
        await first.launch()
        first.setValue("Call me", forKey: "draft")
        try await phone.placekeeper.flush()
        phone.kill()
        let next = place(phone, 0)
        await next.launch()
        #expect(next.value(forKey: "draft") == "Call me")
        // Nothing is different, so nothing is saved.
        next.save(isInteraction: true)
        try await phone.placekeeper.flush()
        #expect(try await phone.placekeeper.scene().history().count == 1)
    }

    @Test func keepsTheLastChangedValuesWithinTheLimitsOfThePlace() async throws {
        let first = place(phone, 0)
        await first.launch()
        for number in 1...4 {
            first.setValue(String(repeating: "\(number)", count: 45_000), forKey: "draft-\(number)")
        }
        let archive = first.archive()
        #expect(Set(archive.place?.values.keys.map { $0 } ?? []) == ["draft-3", "draft-4"])
        guard case .dictionary(let others)? = archive.application["placekeeper.values"] else {
            Issue.record("no other values")
            return
        }
        #expect(Set(others.keys) == ["draft-1", "draft-2"])
        #expect(first.omittedKeys.isEmpty)
        first.save()
        #expect(first.omittedKeys == ["draft-1", "draft-2"])
        try await phone.placekeeper.flush()
        phone.kill()
        // On a device with this layout, all of them come back.
        let next = place(phone, 0)
        await next.launch()
        #expect((1...4).allSatisfy { next.value(String.self, forKey: "draft-\($0)")?.count == 45_000 })
    }

    @Test func savesNoDeniedValueInThePlace() {
        let place = place(phone, 0)
        place.setValue("hunter2", forKey: "password")
        #expect(place.archive().place?.values == [:])
        #expect(place.archive().application == [:])
    }

    /// A state's own members are filtered in the same way.
    @Test func savesNoDeniedMemberOfAValueInThePlace() throws {
        struct Form: Codable, Equatable {
            var name: String
            var password: String?
        }
        let place = place(phone, 0)
        place.setValue(Form(name: "ann", password: "hunter2"), forKey: "form")
        let bytes = try place.archiveToSave().archive.encoded()
        let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self)
        #expect(text.contains("ann"))
        #expect(!text.contains("hunter2"))
        #expect(place.omittedKeys == ["password"])
        #expect(place.value(forKey: "form") == Form(name: "ann", password: "hunter2"))
    }

    /// The deny-list is for the names of values, and not for the titles of items.
    @Test func keepsAValueOfAnItemWhoseTitleReadsLikeASecret() {
        struct Novel: PlaceItem {
            let placeID = "1"
            let placeAliases = [ItemAlias("title", "the secret garden")]
        }
        let place = place(phone, 0)
        place.setValue("a note", forKey: Novel().storageKey("draft"))
        #expect(place.archiveToSave().archive.place?.values.count == 1)
    }

    @Test func carriesTheItemsOfAValueToAnotherDevice() async throws {
        struct Draft: Codable, Equatable {
            var text: String
            var books: [Book.Reference]
        }
        let first = place(phone, 0)
        await first.launch()
        first.setValue(Draft(text: "sea", books: [.init(placeID: "1"), .init(placeID: "3")]), forKey: "draft")
        try await phone.placekeeper.flush()
        let second = place(pad, 1)
        await second.launch()
        let there = Draft(text: "sea", books: [.init(placeID: "pad-1"), .init(placeID: "pad-3")])
        #expect(second.value(forKey: "draft") == there)
    }

    @Test func placeWithoutAValueClearsTheValueOfThePlaceBefore() async throws {
        let first = place(phone, 0)
        await first.launch()
        first.setValue("Call me", forKey: "draft")
        await first.restore(StateArchive(place: Place([.init(screen: "root")])), .place)
        #expect(first.value(String.self, forKey: "draft") == nil)
    }

    @Test func navigatorWithoutScreensKeepsTheValueForThisLayout() {
        let place = KeptPlace(phone.placekeeper.scene(), navigator: NoScreens(), device: phone.configuration.device)
        place.setValue("Call me", forKey: "draft")
        #expect(place.archive().place == nil)
        #expect(place.archive().application == ["placekeeper.values": .dictionary(["draft": .string("Call me")])])
    }
}

@MainActor
private final class NoScreens: PlainNavigator {
    var placeSteps: [RouteStep] { [] }
    func goToFirstScreen() {}
    func go(to step: PlaceStep) async -> Bool { false }
}
