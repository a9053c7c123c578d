import PlacekeeperAPI
import Testing

@Suite(.timeLimit(.minutes(20))) struct HeadTests {
    @Test func refusesAnUploadIfTheHeadMoved() async throws {
        try await withDevices(.phone, .phone) { _, phone, other in
            let first = try await phone.upload { $0.ifHead = "none" }
            let second = try await other.upload { $0.ifHead = "\(first.revision)" }
            for stale in ["\(first.revision)", "none"] {
                let upload = try phone.capture { $0.ifHead = stale }
                let reply = try await phone.put(upload)
                #expect(reply.status == 412)
                #expect(reply.code == "head-moved")
                #expect(reply.headRevision == second.revision)
                #expect(try reply.json(Wire.Problem.self).head == second.revision)
                #expect(try await phone.read(upload).status == 404)
            }
            #expect(try await phone.latest().served == .full(second))
        }
    }

    @Test func storesOneOfConcurrentUploadsWithTheSamePrecondition() async throws {
        try await withDevice { _, phone in
            let head = try await phone.upload()
            let statuses = try await withThrowingTaskGroup { group in
                for _ in 0..<8 {
                    let upload = try phone.capture { $0.ifHead = "\(head.revision)" }
                    group.addTask { try await phone.put(upload).status }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(statuses.sorted() == [201, 412, 412, 412, 412, 412, 412, 412])
            #expect(try await phone.history().count == 2)
        }
    }

    @Test func servesAnUploadToPipelinedRequests() async throws {
        try await withDevice { _, phone in
            let upload = try phone.capture("Albums")
            let authorization = "Host: h\r\nAuthorization: Bearer \(phone.token)\r\n"
            let put = "PUT \(upload.path) HTTP/1.1\r\n\(authorization)Content-Length: \(upload.bytes.count)\r\n\r\n"
            let get = "GET /v1/scenes/main/archives/latest?\(phone.query) HTTP/1.1\r\n\(authorization)\r\n"
            let line = try Line(port: phone.app.address.port)
            try await line.send(Array(put.utf8) + upload.bytes + Array((get + get).utf8))
            #expect(try await line.reply(to: "PUT").status == 201)
            for _ in 0..<2 { #expect(try await line.reply().served == .full(upload)) }
        }
    }

    @Test func namesTheHeadInEveryResponseAboutAScene() async throws {
        try await withService { service in
            let person = try await service.person()
            let phone = try await person.device(.phone)
            let old = try await phone.upload()
            let deleted = try await phone.upload()
            let head = try await phone.upload()
            let tag = try #require(try await phone.latest()["ETag"])
            var other = try phone.capture()
            other.id = old.id
            let strict = try phone.capture { $0.ifHead = "none" }
            let answers = [
                (204, try await phone.request("DELETE", deleted.path)), (200, try await phone.latest()),
                (304, try await phone.latest(fields: [("If-None-Match", tag)])),
                (406, try await phone.running { $0.bundleVersion = "1" }.latest()),
                (404, try await phone.latest(of: phone.id.replacing(phone.id.prefix(8), with: "00000000"))),
                (400, try await phone.request("GET", "/v1/scenes/main/archives/latest?idiom=fridge")),
                (200, try await phone.request("GET", "/v1/scenes/main/archives/latest/explanation")),
                (200, try await phone.read(old)), (200, try await phone.restorable(old)),
                (410, try await phone.read(deleted)), (404, try await phone.read(strict)),
                (200, try await phone.put(old)), (409, try await phone.put(other)), (410, try await phone.put(deleted)),
                (412, try await phone.put(strict)), (422, try await phone.put(Upload(bytes: []))),
                (409, try await person.device(.phone).report(.crashed, of: old)),
                (204, try await phone.report(.restored, of: head)),
                (200, try await phone.request("GET", "/v1/scenes/main/archives")),
                (404, try await phone.request("GET", head.path + "/screenshot")),
                (403, try await phone.request("PUT", head.path + "/screenshot")),
            ]
            for (number, (status, answer)) in answers.enumerated() {
                #expect(answer.status == status, "\(number): \(answer.text)")
                #expect(answer.headRevision == head.revision, "\(number)")
            }
        }
    }

    @Test func keepsAHeadForEachScene() async throws {
        try await withDevice { _, phone in
            let main = try await phone.upload("Albums")
            let editor = try await phone.upload("Editor") { $0.scene = "editor" }
            #expect(try await phone.latest().served == .full(main))
            #expect(try await phone.latest(in: "editor").served == .full(editor))
            #expect(try await phone.manifest().scenes.map(\.name).sorted() == ["editor", "main"])
        }
    }
}
