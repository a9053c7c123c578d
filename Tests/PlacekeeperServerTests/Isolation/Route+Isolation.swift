import PlacekeeperAPI
import PlacekeeperHTTP

@testable import PlacekeeperServer

/// The kind of protection that a route needs. A new route fails the tests until it is classified and has
/// a probe.
enum Isolation {
    /// The response is the same for every caller, with or without a token.
    case open
    /// The path or the body names a resource of the caller's user. For another user's resource, the response is 404.
    case named
    /// The request concerns the caller's own device or user, or a scene or item list of the user.
    case userWide
    /// The request has a secret, and the secret gives access to the data of its user.
    case secret
    /// The request concerns data that all users of an app share.
    case appWide
    /// The route belongs to the admin API, which has a matrix of its own (`AdminMatrixTests`).
    case administrative
}

extension Route {
    /// The routes outside the admin API.
    static let ofDevices = all.filter { !$0.isAdministrative }

    var isolation: Isolation {
        switch operation {
        case _ where isAdministrative: .administrative
        case "registerDevice", "readLimits", "readLiveness", "readReadiness", "readMetrics", "readVersion",
            "readDescription":
            .open
        case "revokeDevice", "readArchive", "deleteArchive", "readRestorable", "reportOutcome", "makeHead",
            "storeScreenshot",
            "readScreenshot":
            .named
        case "listDevices", "readOwnDevice", "describeOwnDevice", "revokeOwnDevice", "signOut", "replaceToken",
            "createLinkCode", "eraseUser", "exportUser", "listArchives", "forgetScene", "storeArchive", "readLatest",
            "explainLatest",
            "changeItems", "listItems", "resolveIdentifiers", "listPlaces", "readManifest", "listChanges",
            "streamEvents":
            .userWide
        case "linkOwnDevice", "signIn": .secret
        case "listDataSources", "declareDataSource", "readDataSource": .appWide
        default: .open
        }
    }

    /// The probes of the route. The owner has the archive 1 in the scene `main`, the item `p1` in the data source
    /// `photos`, and declared the data source `albums`. All apps have the data source `photos`.
    func probes(_ names: ProbeNames) throws -> [Probe] {
        let scene = "/v1/scenes/main"
        let archives = scene + "/archives"
        let archive = archives + "/" + ServerFixture.id(1)
        let context = "idiom=phone&bundleVersion=42&systemVersion=17"
        let sources = "/v1/data-sources"
        switch operation {
        case "registerDevice": return try registrations(names)
        case "listDevices": return [probe("/v1/devices", 200)]
        case "readOwnDevice": return [probe("/v1/devices/self", 200)]
        case "describeOwnDevice": return [try probe("/v1/devices/self", ["name": "Sea"], 200)]
        case "revokeOwnDevice": return [probe("/v1/devices/self", 204)]
        case "linkOwnDevice":
            return [
                try probe("/v1/devices/self/link", ["code": names.linkCode], 200, .admitted(200, otherApp: 422))
            ]
        case "signIn":
            return [
                try probe("/v1/devices/self/sign-in", ["token": "subject anna"], 200, .admitted(200, otherApp: 200))
            ]
        case "signOut":
            return [
                try probe("/v1/devices/self/sign-out", ["next": "none"], 204, .asIfMissing(409)),
                try probe("/v1/devices/self/sign-out", ["next": "anonymous"], 201, .asIfMissing(409)),
            ]
        case "replaceToken":
            return [
                probe("/v1/devices/self/token", 201),
                try probe("/v1/devices/self/token", ["access": "readOnly"], 201),
            ]
        case "revokeDevice": return [probe("/v1/devices/" + names.device, 204, .asIfMissing(404))]
        case "createLinkCode": return [probe("/v1/link-codes", 201)]
        case "eraseUser": return [probe("/v1/users/self", 204)]
        case "exportUser": return [probe("/v1/export", 200)]

        case "listArchives":
            return [probe(archives, 200), probe(archives + "?cursor=1750000000001.99..99", 200)]
        case "forgetScene": return [probe(scene, 204)]
        case "storeArchive":
            return [
                probe(archives + "/" + ServerFixture.id(2), 201, body: try Samples.archive(2)),
                // Other bytes under the id of the owner's archive.
                probe(archive, 409, .asIfMissing(201), body: try Samples.archive(2)),
                probe(archive, 200, .asIfMissing(201), body: try Samples.archive(1)),
                probe(
                    archives + "/" + ServerFixture.id(2), 201, .asIfMissing(201), body: try Samples.archive(2),
                    fields: ["Restored-From: 3"]),
            ]
        case "readArchive":
            return [
                probe(archive, 200, .asIfMissing(404)),
                probe(archive, 304, .asIfMissing(404), fields: ["If-None-Match: " + names.entityTag]),
            ]
        case "deleteArchive": return [probe(archive, 204, .asIfMissing(404))]
        case "readLatest":
            return [
                probe(archives + "/latest?" + context, 200, .asIfMissing(404)),
                probe(archives + "/latest?device=\(names.device)&" + context, 200, .asIfMissing(404)),
                probe(
                    archives + "/latest?" + context, 304, .asIfMissing(404),
                    fields: ["If-None-Match: " + names.entityTag]),
            ]
        case "explainLatest":
            return [
                probe(archives + "/latest/explanation?" + context, 200),
                probe(archives + "/latest/explanation?device=\(names.device)&" + context, 200),
            ]
        case "readRestorable": return [probe(archive + "/restorable?" + context, 200, .asIfMissing(404))]
        case "reportOutcome":
            return [try probe(archive + "/outcomes", ["result": "restored", "idiom": "phone"], 204, .asIfMissing(404))]
        case "makeHead":
            return [try probe(archive + "/head", ["id": ServerFixture.id(7)], 201, .asIfMissing(404))]
        case "storeScreenshot":
            return [probe(archive + "/screenshot", 204, .asIfMissing(404), body: Samples.png)]
        case "readScreenshot": return [probe(archive + "/screenshot", 200, .asIfMissing(404))]

        case "listDataSources": return [probe(sources, 200, .admitted(200, otherApp: 200))]
        case "declareDataSource":
            return [
                try probe(sources + "/notes", ["scope": "registered"], 201, .admitted(201, otherApp: 201)),
                try probe(sources + "/albums", ["scope": "registered"], 200, .admitted(200, otherApp: 201)),
            ]
        case "readDataSource":
            return [
                probe(sources + "/albums", 200, .admitted(200, otherApp: 404)), probe(sources + "/photos", 200),
            ]
        case "changeItems":
            return [
                probe(
                    sources + "/photos/items", 200,
                    body: Array(#"{"upserts": [{"identifier": "p1", "aliases": ["b"]}]}"#.utf8)),
                probe(sources + "/photos/items", 200, body: Array(#"{"removals": ["p1"]}"#.utf8)),
            ]
        case "listItems": return [probe(sources + "/photos/items", 200)]
        case "resolveIdentifiers":
            return [
                probe(
                    sources + "/photos/resolve", 200, .asIfMissing(404),
                    body: Array(#"{"device": "\#(names.device)", "identifiers": ["p1"]}"#.utf8))
            ]

        case "listPlaces": return [probe("/v1/places?" + context, 200)]
        case "readManifest": return [probe("/v1/manifest", 200)]
        case "listChanges": return [probe("/v1/changes", 200), probe("/v1/changes?after=1", 200)]
        case "streamEvents": return [probe("/v1/events", 200)]

        case "readLimits": return [probe("/v1/limits", 200, .sameForAll)]
        case "readLiveness": return [probe("/livez", 200, .sameForAll)]
        case "readReadiness": return [probe("/readyz", 200, .sameForAll)]
        case "readMetrics": return [probe("/metrics", 404, .sameForAll)]
        case "readVersion": return [probe("/version", 200, .sameForAll)]
        case "readDescription": return [probe("/openapi.yaml", 200, .sameForAll)]
        // A route without a probe fails `classifiesEachRoute`.
        default: return []
        }
    }

    /// The probes of `registerDevice`. The route needs no token, so every caller gets the same response. The response
    /// depends on the secrets in the body.
    private func registrations(_ names: ProbeNames) throws -> [Probe] {
        let installation = Wire.Installation(id: names.installation.id, secret: names.installation.secret)
        return [
            try probe("/v1/devices", ["app": names.app, "idiom": "pad"], 201, .sameForAll),
            // A link code and an installation of the owner, for the other app.
            try probe(
                "/v1/devices", ["app": names.otherApp, "idiom": "pad", "linkCode": names.linkCode], 422, .sameForAll),
            probe(
                "/v1/devices", 201, .sameForAll,
                body: try JSONText.value(
                    Wire.Registration(app: names.otherApp, idiom: .pad, installation: installation))),
        ]
    }

    private func probe(
        _ target: String, _ owner: Int, _ others: Probe.Others? = nil, body: [UInt8] = [], fields: [String] = []
    ) -> Probe {
        Probe(
            method: requestMethod, target: target, body: body, fields: fields, owner: owner,
            others: others ?? .asIfMissing(owner))
    }

    private func probe(
        _ target: String, _ members: [String: String], _ owner: Int, _ others: Probe.Others? = nil
    ) throws -> Probe {
        probe(target, owner, others, body: try JSONText.object(members))
    }

    private var requestMethod: PlacekeeperHTTP.Method {
        switch method {
        case .get: .get
        case .put: .put
        case .post: .post
        case .patch: .patch
        case .delete: .delete
        }
    }
}
