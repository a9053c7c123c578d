import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperUI

/// Routes of an app for walks, whose parameters have names like those of secrets.
private enum Walk: Codable, PlaceRoute {
    case map(pin: String, token: Int)
    case game(secretSanta: String)
    case note(page: Int?, text: String?)
    case login(password: String)
    case door(pin: String)

    static let placeManifest = RouteManifest([
        .init("map", parameters: ["pin": .string, "token": .integer]),
        .init("game", parameters: ["secretSanta": .string]),
        .init("note", parameters: ["page": .integer.optional, "text": .string.optional]),
        .init("login", parameters: ["password": .string]),
        .init("door"),
    ])
}

/// What a filter or a limit takes away from a state is said, and the rest is kept.
@MainActor
final class OmissionTests: LinkedDevicesTests {
    private func window(_ device: VirtualDevice) -> (KeptPlace, RouteNavigator<Walk>) {
        let navigator = RouteNavigator<Walk>()
        let place = KeptPlace(device.placekeeper.scene(), navigator: navigator, device: device.options.device)
        return (place, navigator)
    }

    private func saved(_ path: [Walk], values: [String: String] = [:]) async throws -> KeptPlace {
        let (place, navigator) = window(phone)
        await place.launch()
        navigator.path = path
        for (key, value) in values { place.setValue(value, forKey: key) }
        place.save()
        try await phone.placekeeper.flush()
        return place
    }

    private func pathOnPad() async -> [Walk] {
        let (place, navigator) = window(pad)
        await place.launch()
        return navigator.path
    }

    @Test func keepsDeclaredParametersWhoseNamesOnlyMayBeThoseOfSecrets() async throws {
        let path: [Walk] = [.map(pin: "harbour", token: 7), .game(secretSanta: "Ann")]
        let place = try await saved(path)
        #expect(await pathOnPad() == path)
        #expect(place.omittedKeys.isEmpty && phone.placekeeper.status.omissions.isEmpty)
    }

    @Test func deniesADeclaredPasswordAndSaysSo() async throws {
        let place = try await saved([.map(pin: "harbour", token: 7), .login(password: "hunter2")])
        #expect(await pathOnPad() == [.map(pin: "harbour", token: 7)])
        #expect(place.omittedKeys == ["password"])
        let omission = try #require(phone.placekeeper.status.omissions.first)
        #expect(omission.screen == "login" && omission.name == "password" && omission.reason == .denied)
    }

    @Test func deniesAnUndeclaredParameterWithTheNameOfASecretAndSaysSo() async throws {
        let place = try await saved([.door(pin: "1234")])
        #expect(await pathOnPad() == [])
        #expect(place.omittedKeys == ["pin"])
        #expect(
            phone.placekeeper.status.omissions.map(\.description) == [
                "The scene main leaves out \"pin\" of the step \"door\": the deny-list denies the name. If it is no secret, "
                    + "rename it, or declare a parameter such as \"pin\" in the manifest."
            ])
    }

    @Test func saysAtOnceThatAValueOfTheWindowIsDenied() async throws {
        let (place, _) = window(phone)
        await place.launch()
        place.setValue("1234", forKey: "pin")
        #expect(place.omittedKeys == ["pin"])
        _ = await phone.placekeeper.drain()
        #expect(phone.placekeeper.status.omissions.map(\.name) == ["pin"])
    }

    @Test func keepsTheScreenOfALargeStepAndTheScreensAfterIt() async throws {
        let long = String(repeating: "x", count: 3000)
        let place = try await saved([.note(page: 3, text: long), .map(pin: "harbour", token: 7)])
        #expect(await pathOnPad() == [.note(page: 3, text: nil), .map(pin: "harbour", token: 7)])
        #expect(place.omissions.map(\.name) == ["text"] && place.omissions.first?.reason == .tooLarge)
        let omissions = phone.placekeeper.status.omissions
        #expect(omissions.map(\.screen) == ["note"] && omissions.map(\.name) == ["text"])
    }

    @Test func forgetsOmissionsOfEarlierStates() async throws {
        let (place, navigator) = window(phone)
        await place.launch()
        navigator.path = [.door(pin: "1234")]
        place.save()
        #expect(place.omittedKeys == ["pin"])
        navigator.path = []
        place.save()
        try await phone.placekeeper.flush()
        #expect(place.omittedKeys.isEmpty && phone.placekeeper.status.omissions.isEmpty)
    }

    @Test func findsInTheChecksOfAnAppWhatIsNeverSaved() async {
        let long = String(repeating: "x", count: 3000)
        let findings = await Walk.findings(in: [
            .map(pin: "harbour", token: 7), .game(secretSanta: "Ann"), .note(page: 1, text: long),
            .login(password: "hunter2"), .door(pin: "1234"),
        ])
        #expect(
            findings == [
                "The parameter \"password\" of the route \"login\" is never saved: the deny-list denies its name. Remove it "
                    + "from the place, or rename it if it is no secret.",
                "The place leaves out \"text\" of the route \"note\": a step has at most 2048 bytes.",
                "The manifest does not list the parameter \"pin\" of the route \"door\". Add it. If the value identifies an "
                    + "item, list it as an item: parameters are not translated. Until then, the deny-list leaves it out.",
            ])
    }

    /// A drawing that is too large for the service.
    @Test(arguments: [false, true])
    func restoresALargeStateOnItsOwnDeviceAndItsPlaceElsewhere(isOffline: Bool) async throws {
        let path: [Walk] = [.map(pin: "harbour", token: 7)]
        let drawing = String(repeating: "x", count: 2 << 20)
        _ = try await saved(path, values: ["drawing": drawing])
        let omission = try #require(phone.placekeeper.status.omissions.first)
        #expect(omission.name == "state" && omission.reason == .notSent)
        #expect(phone.placekeeper.status.problem == nil)

        phone.kill()
        phone.network.fault = isOffline ? .offline : nil
        let (own, navigator) = window(phone)
        _ = await service.advancingClock { await own.launch() }
        #expect(navigator.path == path)
        #expect(own.value(String.self, forKey: "drawing") == drawing)

        #expect(await pathOnPad() == path)
        let other = service.device(.phone)
        phone.network.fault = nil
        try await other.placekeeper.link(phone.placekeeper.linkCode().code)
        let launch = await other.placekeeper.scene().launch()
        #expect(launch.restore?.fidelity == .place)
        #expect(launch.restore?.archive.place?.steps.last?.screen == "map")
    }

    @Test func keepsThePlaceOfAStateThatIsTooLargeForTheDevice() async throws {
        let path: [Walk] = [.map(pin: "harbour", token: 7)]
        _ = try await saved(path, values: ["film": String(repeating: "x", count: 17 << 20)])
        #expect(phone.placekeeper.status.omissions.map(\.reason) == [.tooLarge])
        phone.kill()
        let (own, navigator) = window(phone)
        await own.launch()
        #expect(navigator.path == path)
        #expect(own.value(String.self, forKey: "film") == nil)
    }
}
