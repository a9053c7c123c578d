import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(20))) struct PrivacyTests {
    /// Compares responses about another user's resources with responses about missing resources.
    @Test func answersForOtherUsersResourcesAsIfTheyDidNotExist() async throws {
        try await withService { service in
            let app = try await service.createApp()
            try await service.set(app) { $0.allowsScreenshots = true }
            let (owner, stranger) = (try await app.person().device(.phone), try await app.person().device(.phone))
            let upload = try await owner.upload("Secret")
            let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            #expect(try await owner.request("PUT", upload.path + "/screenshot", body: png).status == 204)
            let deleted = try await owner.upload("Gone")
            #expect(try await owner.request("DELETE", deleted.path).status == 204)
            let nobodys = UUID().uuidString.lowercased()

            struct Question {
                var method: String
                var target: String
                var body: [UInt8] = []
            }
            func questions(archive: String, device: String) throws -> [Question] {
                let path = "/v1/scenes/main/archives/\(archive)"
                return [
                    Question(method: "GET", target: path), Question(method: "HEAD", target: path),
                    Question(method: "DELETE", target: path),
                    Question(method: "GET", target: path + "/restorable?" + stranger.query),
                    Question(method: "GET", target: path + "/screenshot"),
                    Question(method: "PUT", target: path + "/screenshot", body: png),
                    Question(method: "POST", target: path + "/head", body: try Wire.NewHead(id: nobodys).json),
                    Question(
                        method: "POST", target: path + "/outcomes",
                        body: try Wire.Outcome(result: .crashed, idiom: .phone).json),
                    Question(method: "DELETE", target: "/v1/devices/\(device)"),
                    Question(
                        method: "GET", target: "/v1/scenes/main/archives/latest?\(stranger.query)&device=\(device)"),
                ]
            }
            for archive in [upload.id, deleted.id] {
                let theirs = try questions(archive: archive, device: owner.id)
                let none = try questions(archive: nobodys, device: nobodys)
                for (own, other) in zip(theirs, none) {
                    let first = try await stranger.request(own.method, own.target, body: own.body)
                    let second = try await stranger.request(other.method, other.target, body: other.body)
                    #expect(first.status == 404, "\(own.method) \(own.target)")
                    #expect(first.withoutRequestID == second.withoutRequestID, "\(own.method) \(own.target)")
                }
            }
            #expect(try await stranger.history().isEmpty)
            #expect(try await stranger.places().isEmpty)
            #expect(try await stranger.manifest().scenes.isEmpty)
            #expect(try await owner.latest().served == .full(upload))
            #expect(try await owner.request("GET", upload.path + "/screenshot").body == png)
        }
    }

    @Test func separatesUsersWithTheSameIDsAndScenes() async throws {
        try await withService { service in
            let app = try await service.createApp()
            let (phone, other) = (try await app.person().device(.phone), try await app.person().device(.phone))
            let upload = try await phone.upload("Mine")
            let same = try await other.upload("Theirs") { $0.id = upload.id }
            #expect(try await phone.read(upload).body == upload.bytes)
            #expect(try await other.read(same).body == same.bytes)
            #expect(try await other.request("DELETE", same.path).status == 204)
            #expect(try await other.request("DELETE", "/v1/scenes/main").status == 204)
            #expect(try await phone.latest().served == .full(upload))
        }
    }

    @Test func answersARevokedTokenLikeAnUnknownOne() async throws {
        try await withDevices(.phone, .pad) { service, phone, pad in
            let upload = try await pad.upload("Albums")
            #expect(try await phone.request("DELETE", "/v1/devices/\(pad.id)").status == 204)
            let targets = [
                ("GET", "/v1/scenes/main/archives/latest?idiom=pad"), ("GET", upload.path), ("PUT", upload.path),
                ("GET", "/v1/devices/self"), ("POST", "/v1/link-codes"), ("GET", "/v1/events"),
            ]
            for (method, target) in targets {
                var strange = pad
                strange.token = String(pad.token.dropLast()) + (pad.token.last == "A" ? "B" : "A")
                let answer = try await pad.request(method, target)
                #expect(answer.status == 401)
                #expect(answer["WWW-Authenticate"] == "Bearer")
                #expect(try await strange.request(method, target).withoutRequestID == answer.withoutRequestID)
                // The service refuses a request without a token before it reads the body. The response has the same
                // body, but the connection closes.
                let stranger = try await phone.app.address.request(method, target)
                #expect(stranger.status == 401 && stranger.body == answer.body)
            }
            #expect(try await phone.request("DELETE", "/v1/devices/\(pad.id)").code == "device-not-found")
            // The archives are kept, without their device.
            #expect(try await phone.latest().served == .place(upload))
            let place = try #require(try await phone.places().first)
            #expect(place.device == nil)

            try await service.restart()
            #expect(try await pad.request("GET", "/v1/devices/self").status == 401)
            #expect(try await phone.request("DELETE", "/v1/devices/self").status == 204)
            #expect(try await phone.request("GET", "/v1/devices/self").status == 401)
        }
    }

    @Test func refusesAnUploadThatBeganBeforeTheRevocation() async throws {
        try await withService { service in
            let person = try await service.person()
            let (phone, stolen) = (try await person.device(.phone), try await person.device(.phone))
            let code = try await stolen.linkCode()
            let upload = try stolen.capture("Albums")
            let line = try await stolen.begin(upload)
            #expect(try await phone.request("DELETE", "/v1/devices/\(stolen.id)").status == 204)
            #expect(try await stolen.finish(upload, on: line).status == 401)
            #expect(try await person.app.register(.phone, code: code).code == "link-code-invalid")
            #expect(try await phone.read(upload).status == 404)
            #expect(try await phone.request("GET", "/v1/devices").json(Wire.Page<Wire.Device>.self).items.count == 1)
        }
    }

    @Test func returnsNoTokenInLaterResponses() async throws {
        try await withDevices(.phone, .pad) { _, phone, pad in
            _ = try await phone.upload("Albums")
            for target in ["/v1/devices", "/v1/devices/self", "/v1/places", "/v1/manifest", "/v1/changes"] {
                let text = try await pad.request("GET", target).text
                #expect(!text.contains("pkd_"), "\(target)")
            }
        }
    }
}

/// A reply without the request id and the date.
struct AnonymousReply: Equatable {
    var status: Int
    var fields: [String]
    var body: [UInt8]
}

extension Reply {
    var withoutRequestID: AnonymousReply {
        let fields = fields.filter { !["x-request-id", "date"].contains($0.name.lowercased()) }
        return AnonymousReply(status: status, fields: fields.map { "\($0.name): \($0.value)" }, body: body)
    }
}
