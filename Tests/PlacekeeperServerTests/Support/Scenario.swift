import HTTPCodec
import PlacekeeperAPI

/// A request for a route about the owner's resources.
struct Scenario {
    var route: Route
    var target: String
    var body: [UInt8] = []
    var fields: [String] = []
    /// The status of the response to the owner.
    var expected: Int

    var method: HTTPCodec.Method {
        switch route.method {
        case .get: .get
        case .put: .put
        case .post: .post
        case .patch: .patch
        case .delete: .delete
        }
    }

    /// Returns a scenario for each route.
    ///
    /// - Parameters:
    ///   - device: a device that may be revoked.
    ///   - code: a link code of another user.
    static func all(device: String, app: String, code: String) throws -> [Scenario] {
        let scene = "/v1/scenes/main"
        let archive = scene + "/archives/" + ServerFixture.id(1)
        func json(_ members: [String: String]) throws -> [UInt8] { try JSONText.object(members) }
        return [
            Scenario(route: .listDevices, target: "/v1/devices", expected: 200),
            Scenario(route: .readOwnDevice, target: "/v1/devices/self", expected: 200),
            Scenario(route: .listArchives, target: scene + "/archives", expected: 200),
            Scenario(route: .readArchive, target: archive, expected: 200),
            Scenario(
                route: .readLatest, target: scene + "/archives/latest?idiom=phone&bundleVersion=42&systemVersion=17",
                expected: 200),
            Scenario(route: .explainLatest, target: scene + "/archives/latest/explanation", expected: 200),
            Scenario(
                route: .readRestorable, target: archive + "/restorable?idiom=phone&bundleVersion=42&systemVersion=17",
                expected: 200),
            Scenario(route: .storeSnapshot, target: archive + "/snapshot", body: Samples.png, expected: 204),
            Scenario(route: .readSnapshot, target: archive + "/snapshot", expected: 200),
            Scenario(
                route: .reportOutcome, target: archive + "/outcomes",
                body: try json(["result": "restored", "idiom": "phone"]), expected: 204),
            Scenario(
                route: .makeHead, target: archive + "/head", body: try json(["id": ServerFixture.id(7)]), expected: 201),
            Scenario(
                route: .declareDataSource, target: "/v1/data-sources/photos",
                body: try json(["scope": "registered"]), expected: 201),
            Scenario(route: .listDataSources, target: "/v1/data-sources", expected: 200),
            Scenario(route: .readDataSource, target: "/v1/data-sources/photos", expected: 200),
            Scenario(
                route: .changeItems, target: "/v1/data-sources/photos/items",
                body: Array("{\"upserts\": [{\"identifier\": \"p1\", \"aliases\": [\"a\"]}]}".utf8), expected: 200),
            Scenario(route: .listItems, target: "/v1/data-sources/photos/items", expected: 200),
            Scenario(
                route: .resolveIdentifiers, target: "/v1/data-sources/photos/resolve",
                body: Array("{\"device\": \"\(device)\", \"identifiers\": [\"p1\"]}".utf8), expected: 200),
            Scenario(route: .listPlaces, target: "/v1/places", expected: 200),
            Scenario(route: .readManifest, target: "/v1/manifest", expected: 200),
            Scenario(route: .listChanges, target: "/v1/changes", expected: 200),
            Scenario(route: .exportUser, target: "/v1/export", expected: 200),
            Scenario(route: .streamEvents, target: "/v1/events", expected: 200),
            Scenario(
                route: .registerDevice, target: "/v1/devices", body: try json(["app": app, "idiom": "pad"]),
                expected: 201),
            Scenario(
                route: .describeOwnDevice, target: "/v1/devices/self", body: try json(["name": "Sea"]), expected: 200),
            Scenario(route: .replaceToken, target: "/v1/devices/self/token", expected: 201),
            Scenario(route: .createLinkCode, target: "/v1/link-codes", expected: 201),
            Scenario(route: .readLimits, target: "/v1/limits", expected: 200),
            Scenario(route: .readLiveness, target: "/livez", expected: 200),
            Scenario(route: .readReadiness, target: "/readyz", expected: 200),
            Scenario(route: .readVersion, target: "/version", expected: 200),
            Scenario(route: .readDescription, target: "/openapi.yaml", expected: 200),
            Scenario(
                route: .storeArchive, target: scene + "/archives/" + ServerFixture.id(2), body: try Samples.archive(2),
                expected: 201),
            Scenario(route: .revokeDevice, target: "/v1/devices/\(device)", expected: 204),
            Scenario(route: .deleteArchive, target: archive, expected: 204),
            Scenario(route: .forgetScene, target: scene, expected: 204),
            Scenario(
                route: .linkOwnDevice, target: "/v1/devices/self/link", body: try json(["code": code]), expected: 200),
            Scenario(
                route: .signIn, target: "/v1/devices/self/sign-in", body: try json(["token": "subject anna"]),
                expected: 200),
            Scenario(
                route: .signOut, target: "/v1/devices/self/sign-out", body: try json(["next": "unknown"]),
                expected: 422),
            Scenario(route: .revokeOwnDevice, target: "/v1/devices/self", expected: 204),
        ]
    }
}
