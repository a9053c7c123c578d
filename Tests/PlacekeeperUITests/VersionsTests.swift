import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperUI

/// The routes of build 451.
enum OlderRoute: Codable, PlaceRoute {
    case find(text: String)
    case book(id: String)

    static let placeManifest = RouteManifest([
        .init("find", parameters: ["text": .string]), .init("book", items: ["id": "books"]),
    ])
}

/// The routes of build 452.
enum NewerRoute: Codable, PlaceRoute {
    case find(text: String)
    case book(id: String, edition: Int?)
    case audio(text: String)

    static let placeManifest = RouteManifest([
        .init("find", parameters: ["text": .string]),
        .init("book", items: ["id": "books"], parameters: ["edition": .integer.optional]),
        .init("audio", parameters: ["text": .string]),
    ])
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
        let navigator = RouteNavigator<NewerRoute>(lists: [Shelf()])
        let place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.options.device)
        await place.launch()
        navigator.path = path
        place.save()
        try await phone.placekeeper.flush()
    }

    @Test func opensThePlaceOfANewerBuildOnANewerSystem() async throws {
        try await save([.find(text: "sea"), .book(id: "2", edition: nil)])
        let navigator = RouteNavigator<OlderRoute>(lists: [Shelf()])
        let place = KeptPlace(pad.placekeeper.scene(), navigator: navigator, device: pad.options.device)
        #expect(await place.launch().restore?.fidelity == .place)
        #expect(navigator.path == [.find(text: "sea"), .book(id: "2")])
    }

    @Test(arguments: [
        (NewerRoute.audio(text: "sea"), PlaceRestoration.Reason(.unknownScreen)),
        (.book(id: "2", edition: 3), .init(.unknownParameter, parameter: "edition")),
    ])
    func endsThePlaceAtTheParentOfWhatIsUnknown(_ last: NewerRoute, _ reason: PlaceRestoration.Reason) async throws {
        try await save([.find(text: "sea"), last, .find(text: "sky")])
        let navigator = RouteNavigator<OlderRoute>(lists: [Shelf()])
        let place = KeptPlace(pad.placekeeper.scene(), navigator: navigator, device: pad.options.device)
        let served = try #require(await place.scene.launch(pad.options.device).restore)
        let result = try #require(await place.restore(served))
        #expect(navigator.path == [.find(text: "sea")])
        #expect(result.reached == ["root", "find"] && result.stopped == last.placeName && result.reason == reason)
    }

    @Test func keepsTheNewerPlaceAboveWhatTheOlderBuildSavesWithoutAnInteraction() async throws {
        try await save([.find(text: "sea"), .audio(text: "sea")])
        let navigator = RouteNavigator<OlderRoute>(lists: [Shelf()])
        let place = KeptPlace(pad.placekeeper.scene(), navigator: navigator, device: pad.options.device)
        await place.launch()
        service.clock.advance(by: 60)
        place.scene.save(place.archive(), interaction: .none)
        try await pad.placekeeper.flush()
        let heads = try await pad.placekeeper.places().filter(\.isLatest)
        #expect(heads.map(\.titles) == [["root", "find", "audio"]] && heads.allSatisfy { !$0.isOwn })

        phone.kill()
        let launch = await phone.placekeeper.scene().launch()
        #expect(launch.offer == nil && launch.restore?.archive.place?.steps.last?.screen == "audio")
        // The next launch of the pad shows the same part again.
        pad.kill()
        let next = RouteNavigator<OlderRoute>(lists: [Shelf()])
        await KeptPlace(pad.placekeeper.scene(), navigator: next, device: pad.options.device).launch()
        #expect(next.path == [.find(text: "sea")])
    }

    @Test(arguments: [false, true])
    func returnsToItsOwnPlaceAfterItWentBackToAnOlderBuild(isOffline: Bool) async throws {
        try await save([.find(text: "sea")])
        phone.options.device.bundleVersion = "451"
        phone.kill()
        phone.network.fault = isOffline ? .offline : nil
        let navigator = RouteNavigator<OlderRoute>(lists: [Shelf()])
        let place = KeptPlace(phone.placekeeper.scene(), navigator: navigator, device: phone.options.device)
        let launch = await service.advancingClock { await place.launch() }
        #expect(launch.restore?.fidelity == .place)
        #expect(navigator.path == [.find(text: "sea")])
    }

    @Test func doesNotShowAnActivityOfANewerStateVersion() async {
        let navigator = RouteNavigator<OlderRoute>(lists: [Shelf()])
        var device = pad.options.device
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
        var saved: RestorationContext
        var own: RestorationContext
        var hasPlace = true
        var code: String
        var values: [String?] = [nil, nil]
    }

    @Test(arguments: [
        // The pad would have got the place.
        Case(
            saved: .init(idiom: .phone, stateVersion: 2), own: .init(idiom: .pad, stateVersion: 1),
            code: "state-version-newer", values: ["2", "1"]),
        Case(
            saved: .init(idiom: .phone, bundleVersion: "452"), own: .init(idiom: .pad, bundleVersion: "451"),
            hasPlace: false, code: "no-place"),
        // The other phone would have got the full state.
        Case(
            saved: .init(idiom: .phone, bundleVersion: "452"), own: .init(idiom: .phone, bundleVersion: "451"),
            hasPlace: false, code: "bundle-version-newer", values: ["452", "451"]),
        Case(
            saved: .init(idiom: .phone, systemVersion: "27.0"), own: .init(idiom: .phone, systemVersion: "26.5"),
            hasPlace: false, code: "system-version-newer", values: ["27.0", "26.5"]),
    ])
    func saysWhatBlocked(_ example: Case) async throws {
        let service = try await TestService()
        let source = service.device(example.saved.idiom) { $0.device = example.saved }
        let device = service.device(example.own.idiom) { $0.device = example.own }
        source.placekeeper.scene().save(
            StateArchive(
                bundleVersion: example.saved.bundleVersion, idiom: example.saved.idiom.rawValue,
                systemVersion: example.saved.systemVersion, stateVersion: example.saved.stateVersion,
                application: ["draft": .string("sea")], place: example.hasPlace ? Place([.init(screen: "find")]) : nil))
        try await source.placekeeper.flush()
        try await device.placekeeper.link(source.placekeeper.linkCode().code)
        let launch = await device.placekeeper.scene().launch()
        #expect(launch.restore == nil && launch.reason.code.rawValue == example.code)
        #expect([launch.reason.archive, launch.reason.required] == example.values)
    }
}
