import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperUI

/// Kept values that belong to every layout.
@MainActor
final class EveryLayoutTests: LinkedDevicesTests {
    let navigators = [RouteNavigator<Route>(lists: [Shelf()]), RouteNavigator<Route>(lists: [Shelf("pad-")])]

    private func place(_ device: VirtualDevice, _ index: Int? = nil) -> KeptPlace {
        KeptPlace(
            device.placekeeper.scene(), navigator: index.map { navigators[$0] }, device: device.options.device)
    }

    @Test(arguments: [true, false])
    func unsavedNoteReachesThePad(hasNavigator: Bool) async throws {
        let first = place(phone, hasNavigator ? 0 : nil)
        await first.launch()
        if hasNavigator {
            navigators[0].path = [.book(id: "2")]
            first.noteNavigation()
        }
        first.setValue("Call me", forKey: "draft", inEveryLayout: true)
        first.setValue("open", forKey: "drawer")
        try await phone.placekeeper.flush()

        let second = place(pad, hasNavigator ? 1 : nil)
        await second.launch()
        #expect(second.value(forKey: "draft") == "Call me")
        #expect(second.value(String.self, forKey: "drawer") == nil)
        #expect(navigators[1].path == (hasNavigator ? [.book(id: "pad-2")] : []))

        // And back, with the words that were added there.
        await service.advance(by: 60)
        second.setValue("Call me Ishmael", forKey: "draft", inEveryLayout: true)
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
        first.setValue("Call me", forKey: "draft", inEveryLayout: true)
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
            first.setValue(String(repeating: "\(number)", count: 700), forKey: "draft-\(number)", inEveryLayout: true)
        }
        let archive = first.archive()
        #expect(Set(archive.place?.values.keys.map { $0 } ?? []) == ["draft-3", "draft-4"])
        #expect(Set(archive.application.keys) == ["draft-1", "draft-2"])
        #expect(first.omittedKeys.isEmpty)
        first.save()
        #expect(first.omittedKeys == ["draft-1", "draft-2"])
        try await phone.placekeeper.flush()
        phone.kill()
        // On a device with this layout, all of them come back.
        let next = place(phone, 0)
        await next.launch()
        #expect((1...4).allSatisfy { next.value(String.self, forKey: "draft-\($0)")?.count == 700 })
    }

    @Test func savesNoDeniedValueInThePlace() {
        let place = place(phone, 0)
        place.setValue("hunter2", forKey: "password", inEveryLayout: true)
        #expect(place.archive().place?.values == [:])
        #expect(place.archive().application == [:])
    }

    @Test func placeWithoutAValueClearsTheValueOfThePlaceBefore() async throws {
        let first = place(phone, 0)
        await first.launch()
        first.setValue("Call me", forKey: "draft", inEveryLayout: true)
        await first.restore(StateArchive(place: Place([.init(screen: "root")])), .place)
        #expect(first.value(String.self, forKey: "draft") == nil)
    }

    @Test func navigatorWithoutScreensKeepsTheValueForThisLayout() {
        let place = KeptPlace(phone.placekeeper.scene(), navigator: NoScreens(), device: phone.options.device)
        place.setValue("Call me", forKey: "draft", inEveryLayout: true)
        #expect(place.archive().place == nil)
        #expect(place.archive().application == ["draft": .string("Call me")])
    }
}

@MainActor
private final class NoScreens: PlaceNavigator {
    var placeSteps: [RouteStep] { [] }
    func goToFirstScreen() {}
    func go(to step: PlaceStep) async -> Bool { false }
}
