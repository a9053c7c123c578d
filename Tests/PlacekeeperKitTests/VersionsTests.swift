import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// The screens of build 451.
enum OlderRoute: Codable, Hashable, BookScreen {
    case find(text: String)
    case book(Book.Reference)
}

/// The screens of build 452.
enum NewerRoute: Codable, Hashable {
    case find(text: String)
    case book(Book.Reference, edition: Int?)
    case audio(text: String)
}

extension ItemReference<Book> {
    /// The second book, whose identifier is the same on both devices.
    fileprivate static var second: Book.Reference { Book.Reference(placeID: "2") }
}

/// A phone with this year's system and a new build of the app, and last year's pad, which has neither.
@MainActor
struct VersionsTests {
    let service: TestService
    let phone: VirtualDevice
    let pad: VirtualDevice

    init() async throws {
        service = try await TestService()
        phone = service.device(.phone) {
            $0.device = .init(idiom: .phone, bundleVersion: "452", systemVersion: "27.0.1", layout: .compact)
        }
        pad = service.device(.pad) {
            $0.device = .init(idiom: .pad, bundleVersion: "451", systemVersion: "26.5", layout: .regular)
        }
        try await pad.placekeeper.link(phone.placekeeper.linkCode().code)
    }

    private func save(_ path: [NewerRoute]) async throws {
        let navigator = ValueNavigator<[NewerRoute]>(lists: [Shelf().list])
        let place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        await place.launch()
        navigator.path = path
        place.save()
        try await phone.placekeeper.flush()
    }

    @Test func opensThePlaceOfANewerBuildOnANewerSystem() async throws {
        try await save([.find(text: "sea"), .book(.second, edition: nil)])
        let navigator = ValueNavigator<[OlderRoute]>(lists: [Shelf().list])
        let place = KeptPlace(pad.placekeeper.scene(), navigator: navigator, device: pad.configuration.device)
        #expect(await place.launch().restore?.fidelity == .place)
        #expect(navigator.path == [.find(text: "sea"), .book("2")])
    }

    @Test(arguments: [
        (NewerRoute.audio(text: "sea"), "audio", PlaceRestoration.Reason(.unknownScreen)),
        (.book(.second, edition: 3), "book", .init(.unknownParameter, parameter: "edition")),
    ])
    func endsThePlaceAtTheParentOfWhatIsUnknown(
        _ last: NewerRoute, _ name: String, _ reason: PlaceRestoration.Reason
    ) async throws {
        try await save([.find(text: "sea"), last, .find(text: "sky")])
        let navigator = ValueNavigator<[OlderRoute]>(lists: [Shelf().list])
        let place = KeptPlace(pad.placekeeper.scene(), navigator: navigator, device: pad.configuration.device)
        let served = try #require(await place.scene.launch(pad.configuration.device).restore)
        let result = try #require(await place.restore(served))
        #expect(navigator.path == [.find(text: "sea")])
        #expect(result.reached == ["root", "find"] && result.stopped == name && result.reason == reason)
    }

    @Test func keepsTheNewerPlaceAboveWhatTheOlderBuildSavesWithoutAnInteraction() async throws {
        try await save([.find(text: "sea"), .audio(text: "sea")])
        let navigator = ValueNavigator<[OlderRoute]>(lists: [Shelf().list])
        let place = KeptPlace(pad.placekeeper.scene(), navigator: navigator, device: pad.configuration.device)
        await place.launch()
        service.clock.advance(by: 60)
        place.scene.save(place.archive(), interaction: .viewing)
        try await pad.placekeeper.flush()
        let heads = try await pad.placekeeper.places().filter(\.isLatest)
        #expect(heads.map(\.device.isThisDevice) == [false])

        phone.kill()
        let launch = await phone.placekeeper.scene().launch()
        #expect(launch.offer == nil && launch.restore?.archive.place?.steps.last?.screen == "audio")
        // The next launch of the pad shows the same part again.
        pad.kill()
        let next = ValueNavigator<[OlderRoute]>(lists: [Shelf().list])
        await KeptPlace(pad.placekeeper.scene(), navigator: next, device: pad.configuration.device).launch()
        #expect(next.path == [.find(text: "sea")])
    }

    @Test(arguments: [false, true])
    func returnsToItsOwnPlaceAfterItWentBackToAnOlderBuild(isOffline: Bool) async throws {
        try await save([.find(text: "sea")])
        phone.configuration.device.bundleVersion = "451"
        phone.kill()
        phone.network.fault = isOffline ? .offline : nil
        let navigator = ValueNavigator<[OlderRoute]>(lists: [Shelf().list])
        let place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.configuration.device)
        let launch = await service.advancingClock { await place.launch() }
        #expect(launch.restore?.fidelity == .place)
        #expect(navigator.path == [.find(text: "sea")])
    }

    @Test func doesNotShowAnActivityOfANewerStateVersion() async {
        let navigator = ValueNavigator<[OlderRoute]>(lists: [Shelf().list])
        var device = pad.configuration.device
        device.stateVersion = 1
        let place = KeptPlace(pad.placekeeper.scene(), navigator: navigator, device: device)
        await place.launch()
        let step = Place.Step(screen: "find", parameters: ["text": .string("sea")])
        var archive = StateArchive(stateVersion: 2, place: Place([.init(screen: "root"), step]))
        #expect(await !place.continue(PlaceActivity(scene: "main", archive: archive)))
        archive.stateVersion = 1
        #expect(await place.continue(PlaceActivity(scene: "main", archive: archive)))
        #expect(navigator.path == [.find(text: "sea")])
    }
}

/// The reason of a launch that restores nothing: the one that blocked what the person would have got.
struct RefusalReasonTests {
    struct Case: Sendable {
        var saved: (device: VirtualDevice.Idiom, context: RestorationContext)
        var own: (device: VirtualDevice.Idiom, context: RestorationContext)
        var hasPlace = true
        var code: String
        var values: [String?] = [nil, nil]
    }

    @Test(arguments: [
        // The pad would have got the place.
        Case(
            saved: (.phone, .init(idiom: .phone, stateVersion: 2)), own: (.pad, .init(idiom: .pad, stateVersion: 1)),
            code: "state-version-newer", values: ["2", "1"]),
        Case(
            saved: (.phone, .init(idiom: .phone, bundleVersion: "452")),
            own: (.pad, .init(idiom: .pad, bundleVersion: "451")),
            hasPlace: false, code: "no-place"),
        // The other phone would have got the full state.
        Case(
            saved: (.phone, .init(idiom: .phone, bundleVersion: "452")),
            own: (.phone, .init(idiom: .phone, bundleVersion: "451")),
            hasPlace: false, code: "bundle-version-newer", values: ["452", "451"]),
        Case(
            saved: (.phone, .init(idiom: .phone, systemVersion: "27.0")),
            own: (.phone, .init(idiom: .phone, systemVersion: "26.5")),
            hasPlace: false, code: "system-version-newer", values: ["27.0", "26.5"]),
    ])
    func saysWhatBlocked(_ example: Case) async throws {
        let (service, saved) = (try await TestService(), example.saved.context)
        let source = service.device(example.saved.device) { $0.device = saved }
        let device = service.device(example.own.device) { $0.device = example.own.context }
        source.placekeeper.scene().save(
            StateArchive(
                bundleVersion: saved.bundleVersion, idiom: saved.idiom.rawValue,
                systemVersion: saved.systemVersion, stateVersion: saved.stateVersion,
                application: ["draft": .string("sea")], place: example.hasPlace ? Place([.init(screen: "find")]) : nil))
        try await source.placekeeper.flush()
        try await device.placekeeper.link(source.placekeeper.linkCode().code)
        let launch = await device.placekeeper.scene().launch()
        #expect(launch.restore == nil && launch.reason.code.rawValue == example.code)
        #expect([launch.reason.archive, launch.reason.required] == example.values)
    }
}
