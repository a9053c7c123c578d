import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperUI

/// Ann and Ben use one phone, and each has another device at home.
@MainActor
struct AccountChangeTests {
    let service: TestService
    let phone: VirtualDevice
    let shelf = Shelf()
    let navigator: RouteNavigator<Route>
    let place: KeptPlace

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone)
        navigator = RouteNavigator(lists: [shelf], rootTitle: "Library")
        place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.options.device)
    }

    private func signIn(_ device: VirtualDevice, _ name: String) async throws {
        try await device.placekeeper.signIn { TestService.signInToken(of: name) }
    }

    private func signOut() async throws { try await phone.placekeeper.signOut(pending: .sendFirst(deadline: 5)) }

    /// Waits until the window has launched again.
    private func relaunch(_ place: KeptPlace? = nil) async {
        await service.settle()
        await (place ?? self.place).launching?.value
    }

    /// Ann signs in on the phone, and writes a draft.
    private func annWrites() async throws {
        try await signIn(phone, "ann")
        await place.launch()
        navigator.path = [.book(id: "1")]
        place.setValue("Ann's draft", forKey: "draft")
        place.save()
    }

    /// What another device of an account finds.
    private func stored(for name: String) async throws -> [[String]] {
        let other = service.device(.phone)
        try await signIn(other, name)
        return try await other.placekeeper.scene().history().map(\.titles)
    }

    /// Registers a device for a user, which ends the registrations of the user's other devices.
    private func revoke(_ user: [String: String]) async throws {
        let body = user.merging(["app": service.key, "idiom": "phone"]) { first, _ in first }
        let json = [TransportRequest.Field("Content-Type", "application/json")]
        let registered = try await service.answer(
            TransportRequest("POST", "/v1/devices", fields: json, body: [UInt8](JSONEncoder().encode(body))))
        let token = try JSONDecoder().decode(Registered.self, from: Data(registered.body)).token
        let fields = [TransportRequest.Field("Authorization", "Bearer " + token)]
        let list = try await service.answer(TransportRequest("GET", "/v1/devices", fields: fields))
        let devices = try JSONDecoder().decode(DeviceList.self, from: Data(list.body)).items
        for device in devices where !device.isSelf {
            _ = try await service.answer(TransportRequest("DELETE", "/v1/devices/\(device.id)", fields: fields))
        }
    }

    private struct DeviceList: Decodable {
        struct Device: Decodable {
            var id: String
            var isSelf: Bool
        }

        var items: [Device]
    }

    private struct Registered: Decodable {
        var token: String
    }

    /// Whether the window has nothing in memory.
    private var isEmpty: Bool {
        place.value(String.self, forKey: "draft") == nil && navigator.path.isEmpty
            && place.archive().application.isEmpty
    }

    // MARK: - Windows

    @Test func draftStaysWithThePersonWhoSignedOut() async throws {
        try await annWrites()
        try await signOut()
        #expect(place.value(String.self, forKey: "draft") == nil)
        await relaunch()
        #expect(isEmpty)
        try await signIn(phone, "ben")
        await relaunch()
        place.setValue("Ben's draft", forKey: "draft")
        try await phone.placekeeper.flush()
        #expect(try await stored(for: "ben") == [["Library"]])
        let other = service.device(.phone)
        try await signIn(other, "ann")
        let annsPlace = KeptPlace(other.placekeeper.scene(), device: other.options.device)
        await annsPlace.launch()
        #expect(annsPlace.value(String.self, forKey: "draft") == "Ann's draft")
    }

    @Test func windowShowsThePlaceOfTheNextPerson() async throws {
        let bens = service.device(.phone)
        try await signIn(bens, "ben")
        bens.placekeeper.scene().save(.book("2", draft: "Ben's draft"))
        try await bens.placekeeper.flush()
        try await annWrites()
        try await signOut()
        await relaunch()
        try await signIn(phone, "ben")
        await relaunch()
        #expect(navigator.path == [.book(id: "2")])
        #expect(place.value(forKey: "draft") == "Ben's draft")
    }

    @Test func workBeforeTheSignInGoesAlong() async throws {
        let anns = service.device(.phone)
        try await signIn(anns, "ann")
        anns.placekeeper.scene().save(.book("2", draft: "earlier"))
        try await anns.placekeeper.flush()
        await service.advance(by: 60)
        await place.launch()
        place.setValue("before the sign-in", forKey: "draft")
        try await signIn(phone, "ann")
        await relaunch()
        #expect(place.value(forKey: "draft") == "before the sign-in")
        try await phone.placekeeper.flush()
        let other = service.device(.phone)
        try await signIn(other, "ann")
        let next = KeptPlace(other.placekeeper.scene(), device: other.options.device)
        await next.launch()
        #expect(next.value(forKey: "draft") == "before the sign-in")
    }

    @Test func nothingIsRegisteredAfterASignOutUntilSomebodyWorks() async throws {
        try await annWrites()
        try await phone.placekeeper.flush()
        try await signOut()
        await relaunch()
        await service.advance(by: 60)
        #expect(phone.placekeeper.status.account == .signedOut)
        #expect(phone.network.requests.last == "POST /v1/devices/self/sign-out")
        place.setValue("a guest's draft", forKey: "draft")
        await service.advance(by: 60)
        #expect(phone.placekeeper.status.account == .anonymous)
        #expect(try await stored(for: "ann").count == 1)
    }

    @Test func launchOnItsWayIsForTheNextPerson() async throws {
        try await annWrites()
        try await phone.placekeeper.flush()
        phone.network.fault = .slow(0.4)
        let next = RouteNavigator<Route>(lists: [shelf])
        let window = KeptPlace(phone.placekeeper.scene(), navigator: next, device: phone.options.device)
        let launch = Task { await window.launch() }
        await Task.yield()
        let leaving = Task { try await signOut() }
        try await service.advancingClock { try await leaving.value }
        phone.network.repair()
        _ = await service.advancingClock { await launch.value }
        await relaunch(window)
        #expect(next.path == [])
        #expect(window.value(String.self, forKey: "draft") == nil)
    }

    @Test func restoreThatIsUnderWayShowsNothingToTheNextPerson() async throws {
        try await annWrites()
        navigator.path = [.book(id: "1"), .book(id: "2")]
        place.save()
        try await phone.placekeeper.flush()
        phone.kill()
        let next = RouteNavigator<Route>(lists: [shelf])
        let window = KeptPlace(phone.placekeeper.scene(), navigator: next, device: phone.options.device)
        let gate = Gate()
        next.lists = [SlowShelf(gate)]
        let launch = Task { await window.launch() }
        await gate.reached()
        try await signOut()
        gate.open()
        _ = await launch.value
        await relaunch(window)
        #expect(next.path == [])
        #expect(window.value(String.self, forKey: "draft") == nil)
        try await signIn(phone, "ben")
        await relaunch(window)
        window.setValue("Ben's", forKey: "draft")
        try await phone.placekeeper.flush()
        #expect(try await stored(for: "ben") == [["root"]])
    }

    @Test func placeThatWaitsForAnItemIsForgotten() async throws {
        try await annWrites()
        try await phone.placekeeper.flush()
        phone.kill()
        let next = RouteNavigator<Route>(lists: [Shelf("", [])], rootTitle: "Library")
        let window = KeptPlace(phone.placekeeper.scene(), navigator: next, device: phone.options.device)
        await window.launch()
        #expect(window.archive().place?.steps.map(\.screen) == ["root", "book"])
        try await signOut()
        await relaunch(window)
        #expect(window.archive().place?.steps.map(\.screen) == ["root"])
        next.lists = [shelf]
        await window.lookAgain()
        #expect(next.path == [])
    }

    @Test func letterOfTheLastMomentIsNotSavedForTheNextPerson() async throws {
        try await annWrites()
        phone.network.fault = .slow(0.2)
        let leaving = Task { try await signOut() }
        await Task.yield()
        for count in 0..<6 {
            place.setValue("Ann's letter \(count)", forKey: "draft")
            await service.advance(by: 0.1)
        }
        phone.network.repair()
        try await service.advancingClock { try await leaving.value }
        await relaunch()
        try await signIn(phone, "ben")
        await relaunch()
        await service.advance(by: 10)
        #expect(isEmpty)
        #expect(try await stored(for: "ben") == [])
    }

    @Test func stackThatStillShowsTheOldPathSavesNothing() async throws {
        try await signIn(phone, "ann")
        let window = RouteWindow<Route>(phone.placekeeper.scene(), [shelf], title: nil, phone.options.device, .standard)
        await window.launch(showing: [])
        window.note([.book(id: "1")])
        try await signOut()
        // The person taps before the stack has shown the first screen.
        window.note([.book(id: "1"), .book(id: "2")])
        await relaunch(window.place)
        window.note([.book(id: "1"), .book(id: "3")])
        #expect(window.restoredPath() == [])
        window.note([.search(text: "a guest's")])
        #expect(window.place.archive().place?.steps.map(\.screen) == ["root", "search"])
    }

    @Test func activityThatCannotBeShownBringsNoOldPlaceBack() async throws {
        try await annWrites()
        let gate = Gate()
        navigator.lists = [SlowShelf(gate)]
        var archive = StateArchive.book("9", draft: "")
        archive.place?.steps.removeFirst()
        let activity = PlaceActivity(scene: "main", archive: archive)
        let continuing = Task { await place.continue(activity) }
        await gate.reached()
        try await signOut()
        gate.open()
        #expect(await continuing.value == false)
        await relaunch()
        #expect(isEmpty)
    }

    // MARK: - Offers

    /// Ann's other device has a newer place than the phone.
    private func annIsOffered() async throws -> Offer {
        try await annWrites()
        try await phone.placekeeper.flush()
        await service.advance(by: 60)
        let pad = service.device(.pad)
        try await signIn(pad, "ann")
        pad.placekeeper.scene().save(.book("2", draft: "Ann's later draft"))
        try await pad.placekeeper.flush()
        return try #require(await phone.placekeeper.scene().launch().offer)
    }

    @Test func offerOfThePersonBeforeIsWithdrawn() async throws {
        let offer = try await annIsOffered()
        let presenter = OfferPresenter(place)
        presenter.show(offer)
        #expect(presenter.card != nil)
        try await signOut()
        #expect(presenter.card == nil)
        presenter.show(offer)
        #expect(presenter.card == nil)
        try await signIn(phone, "ben")
        await relaunch()
        let error = await #expect(throws: PlacekeeperError.self) { try await place.take(offer) }
        #expect(error?.code == .accountChanged)
        place.scene.dismiss(offer)
        #expect(isEmpty)
    }

    @Test func takeOnItsWayShowsNothingToTheNextPerson() async throws {
        let offer = try await annIsOffered()
        // For this layout, the client asks the service.
        place.device.layout = .compact
        phone.network.fault = .slow(0.4)
        let taking = Task { try? await place.take(offer) }
        await Task.yield()
        let leaving = Task { try await phone.placekeeper.signOut(pending: .keepForThisUser) }
        try await service.advancingClock { try await leaving.value }
        phone.network.repair()
        _ = await service.advancingClock { await taking.value }
        await relaunch()
        try await signIn(phone, "ben")
        await relaunch()
        #expect(isEmpty)
        try await phone.placekeeper.flush()
        #expect(try await stored(for: "ben") == [])
    }

    // MARK: - Other orders

    @Test func erasureClearsTheWindow() async throws {
        try await annWrites()
        try await phone.placekeeper.eraseMe()
        await relaunch()
        #expect(isEmpty)
        #expect(phone.placekeeper.status.account == .signedOut)
        place.save()
        try await signIn(phone, "ben")
        await relaunch()
        #expect(try await stored(for: "ben") == [])
        #expect(try await stored(for: "ann") == [])
    }

    @Test func linkTakesTheContentAlong() async throws {
        let pad = service.device(.pad)
        await place.launch()
        place.setValue("a draft", forKey: "draft")
        try await phone.placekeeper.link(pad.placekeeper.linkCode().code)
        await relaunch()
        #expect(place.value(forKey: "draft") == "a draft")
        try await phone.placekeeper.flush()
        #expect(try await pad.placekeeper.scene().history().count == 1)
    }

    @Test func linkAfterASignOutTakesNothingOfThePersonBefore() async throws {
        let bens = service.device(.pad)
        try await signIn(bens, "ben")
        try await annWrites()
        try await signOut()
        try await phone.placekeeper.link(bens.placekeeper.linkCode().code)
        await relaunch()
        place.save()
        try await phone.placekeeper.flush()
        #expect(isEmpty)
        #expect(try await bens.placekeeper.scene().history() == [])
    }

    @Test func revokedAnonymousDeviceKeepsNothingForItsNextUser() async throws {
        await place.launch()
        place.setValue("a draft", forKey: "draft")
        try await phone.placekeeper.flush()
        try await revoke(["linkCode": phone.placekeeper.linkCode().code])
        place.setValue("another draft", forKey: "draft")
        try? await phone.placekeeper.flush()
        await relaunch()
        #expect(isEmpty)
        try? await phone.placekeeper.flush()
        #expect(try await phone.placekeeper.scene().history() == [])
    }

    @Test func personWhoMustSignInAgainKeepsTheWindow() async throws {
        try await annWrites()
        try await phone.placekeeper.flush()
        try await revoke(["signInToken": TestService.signInToken(of: "ann")])
        place.setValue("Ann's next draft", forKey: "draft")
        try? await phone.placekeeper.flush()
        await relaunch()
        #expect(place.value(forKey: "draft") == "Ann's next draft")
        try await signIn(phone, "ann")
        await relaunch()
        #expect(place.value(forKey: "draft") == "Ann's next draft")
        try await phone.placekeeper.flush()
        #expect(try await stored(for: "ann").count == 2)
    }

    // MARK: - Scenes, storages and lists

    @Test func sceneSavesForTheNextPersonAfterItsNextLaunch() async throws {
        let scene = phone.placekeeper.scene()
        try await signIn(phone, "ann")
        _ = await scene.launch()
        scene.save(.book("1", draft: "Ann's"))
        try await signOut()
        try await signIn(phone, "ben")
        scene.save(.book("1", draft: "Ann's, later"))
        phone.placekeeper.scene("editor").save(.book("1", draft: "Ann's, elsewhere"))
        let error = await #expect(throws: PlacekeeperError.self) { try await phone.placekeeper.waitUntilSaved() }
        #expect(error?.code == .accountChanged)
        #expect(await scene.launch().isFresh)
        scene.save(.book("2", draft: "Ben's"))
        try? await phone.placekeeper.flush()
        #expect(try await stored(for: "ben") == [["Library", "Book 2"]])
        #expect(try await phone.placekeeper.scene("editor").history() == [])
    }

    @Test func storageOfTheRuntimeBelongsToOnePerson() async throws {
        let scene = phone.placekeeper.scene()
        try await signIn(phone, "ann")
        let anns = KeptSceneStorage(scene, await scene.launch())
        anns.writeArchive(try StateArchive.book("1", draft: "Ann's").encoded())
        #expect(anns.readArchive() != nil)
        try await signOut()
        #expect(anns.readArchive() == nil)
        let bens = KeptSceneStorage(scene, await scene.launch())
        anns.writeArchive(try StateArchive.book("1", draft: "Ann's, later").encoded())
        scene.noteInteraction()
        bens.writeArchive(try StateArchive.book("2", draft: "Ben's").encoded())
        try await signIn(phone, "ben")
        try? await phone.placekeeper.flush()
        #expect(try await stored(for: "ben") == [["Library", "Book 2"]])
    }
}

/// Lets a test wait until another task has come to a point, and lets the task go on.
@MainActor
private final class Gate {
    private var hasCome = false
    private var isOpen = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func reached() async { while !hasCome { await withCheckedContinuation { waiters.append($0) } } }

    func pass() async {
        hasCome = true
        wake()
        while !isOpen { await withCheckedContinuation { waiters.append($0) } }
    }

    func open() {
        isOpen = true
        wake()
    }

    private func wake() {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume() }
    }
}

/// A list that loads each item when the test lets it. The item `9` does not exist.
@MainActor
private final class SlowShelf: ModelAssociation {
    let dataSourceName = "books"
    private let gate: Gate
    private var loaded: Set<String> = []

    init(_ gate: Gate) { self.gate = gate }

    func containsElement(withModelIdentifier identifier: String) -> Bool { loaded.contains(identifier) }
    func reveal(elementWithModelIdentifier identifier: String) async -> Bool {
        await gate.pass()
        if identifier != "9" { loaded.insert(identifier) }
        return identifier != "9"
    }
}

extension StateArchive {
    /// The state of a window that shows a book and has a draft.
    fileprivate static func book(_ id: String, draft: String) -> StateArchive {
        let book = ModelReference(dataSource: "books", element: .init(id), role: .selected)
        return StateArchive(
            bundleVersion: "1", idiom: 0, application: ["draft": .string(draft)], references: [book],
            place: Place([
                .init(screen: "root", title: "Library"), .init(screen: "book", title: "Book \(id)", references: [0]),
            ]))
    }
}
