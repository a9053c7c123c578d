import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import Testing

@testable import PlacekeeperKit

/// Screens of an app for walks, whose values have names like those of secrets.
private enum Walk: Codable, Hashable {
    case map(pin: String, token: Int)
    case game(secretSanta: String)
    case note(page: Int?, text: String?)
    case login(password: String)
    case form(Form)

    struct Form: Codable, Hashable {
        var name: String
        var password: String?
    }
}

/// What a filter or a limit takes away from a state is said, and the rest is kept.
@MainActor
final class OmissionTests: LinkedDevicesTests {
    private func window(_ device: VirtualDevice) -> (KeptPlace, ValueNavigator<[Walk]>) {
        let navigator = ValueNavigator<[Walk]>()
        let place = KeptPlace(device.placekeeper.scene(), navigator: navigator, device: device.configuration.device)
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

    @Test func keepsValuesWhoseNamesOnlyMayBeThoseOfSecrets() async throws {
        let path: [Walk] = [.map(pin: "harbour", token: 7), .game(secretSanta: "Ann")]
        let place = try await saved(path)
        #expect(await pathOnPad() == path)
        #expect(place.omittedKeys.isEmpty && phone.placekeeper.status.omissions.isEmpty)
    }

    @Test func deniesAPasswordAndSaysSo() async throws {
        let place = try await saved([.map(pin: "harbour", token: 7), .login(password: "hunter2")])
        #expect(await pathOnPad() == [.map(pin: "harbour", token: 7)])
        #expect(place.omittedKeys == ["password"])
        let omission = try #require(phone.placekeeper.status.omissions.first)
        #expect(omission.screen == "login" && omission.name == "password" && omission.reason == .denied)
    }

    @Test func deniesAPasswordInsideAValueAndKeepsTheRest() async throws {
        let place = try await saved([.form(.init(name: "ann", password: "hunter2"))])
        #expect(await pathOnPad() == [.form(.init(name: "ann", password: nil))])
        #expect(place.omittedKeys == ["password"])
        #expect(
            phone.placekeeper.status.omissions.map { [$0.screen, $0.name, $0.reason.rawValue] }
                == [["form", "password", "denied"]])
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
        let long = String(repeating: "x", count: 140_000)
        let place = try await saved([.note(page: 3, text: long), .map(pin: "harbour", token: 7)])
        #expect(await pathOnPad() == [.note(page: 3, text: nil), .map(pin: "harbour", token: 7)])
        #expect(place.omissions.map(\.name) == ["text"] && place.omissions.first?.reason == .tooLarge)
        let omissions = phone.placekeeper.status.omissions
        #expect(omissions.map(\.screen) == ["note"] && omissions.map(\.name) == ["text"])
    }

    @Test func forgetsOmissionsOfEarlierStates() async throws {
        let (place, navigator) = window(phone)
        await place.launch()
        navigator.path = [.login(password: "1234")]
        place.save()
        #expect(place.omittedKeys == ["password"])
        navigator.path = []
        place.save()
        try await phone.placekeeper.flush()
        #expect(place.omittedKeys.isEmpty && phone.placekeeper.status.omissions.isEmpty)
    }

    @Test func findsInTheChecksOfAnAppWhatIsNeverSaved() {
        let long = String(repeating: "x", count: 140_000)
        let findings = SavedForm.findings(in: [
            Walk.map(pin: "harbour", token: 7), .game(secretSanta: "Ann"), .note(page: 1, text: long),
            .login(password: "hunter2"), .form(.init(name: "ann", password: "hunter2")),
        ])
        #expect(
            findings == [
                "\"text\" of the screen \"note\" is too large, or can't be saved.",
                "\"password\" of the screen \"login\" is never saved: the name denotes a secret.",
                "\"password\" of the screen \"form\" is never saved: the name denotes a secret.",
            ])
    }

    /// A drawing that is too large for the service.
    @Test(arguments: [false, true])
    func restoresALargeStateOnItsOwnDeviceAndItsPlaceElsewhere(isOffline: Bool) async throws {
        let path: [Walk] = [.map(pin: "harbour", token: 7)]
        let drawing = String(repeating: "x", count: 2 << 20)
        _ = try await saved(path, values: ["drawing": drawing])
        let omissions = phone.placekeeper.status.omissions
        #expect(omissions.map(\.name) == ["drawing", "state"] && omissions.map(\.reason) == [.tooLarge, .notSent])
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
        let omissions = phone.placekeeper.status.omissions
        #expect(omissions.map(\.name) == ["film", "state"] && omissions.allSatisfy { $0.reason == .tooLarge })
        phone.kill()
        let (own, navigator) = window(phone)
        await own.launch()
        #expect(navigator.path == path)
        #expect(own.value(String.self, forKey: "film") == nil)
    }
}
