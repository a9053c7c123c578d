import PlacekeeperAPI
import PlacekeeperCompression
import PlacekeeperCore
import PlacekeeperService
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.timeLimit(.minutes(20))) struct ProtocolTests {
    @Test func answers304ForMatchingEntityTags() async throws {
        try await withService { service in
            let person = try await service.person()
            let phone = try await person.device(.phone)
            let upload = try await phone.upload("Albums")
            let query = phone.query
            for target in [
                "/v1/scenes/main/archives/latest?\(query)", upload.path, upload.path + "/restorable?\(query)",
                "/v1/manifest", "/v1/scenes/main/archives", "/v1/places?\(query)", "/openapi.yaml",
            ] {
                let tag = try #require(try await phone.request("GET", target)["ETag"], "\(target)")
                for condition in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
                    for method in ["GET", "HEAD"] {
                        let answer = try await phone.request(method, target, fields: [("If-None-Match", condition)])
                        #expect(answer.status == 304, "\(method) \(target) \(condition)")
                        #expect(answer["ETag"] == tag)
                        #expect(answer.body.isEmpty)
                    }
                }
                #expect(try await phone.request("GET", target, fields: [("If-None-Match", "\"other\"")]).status == 200)
            }
        }
    }

    @Test func changesTheEntityTagOfTheLatestWithTheServedArchive() async throws {
        try await withDevices(.phone, .pad) { _, phone, pad in
            let first = try await phone.upload("Albums")
            let tag = try #require(try await phone.latest()["ETag"])
            let condition = [("If-None-Match", tag)]
            #expect(try await pad.latest(fields: condition).served == .place(first))
            #expect(try await phone.running { $0.bundleVersion = "43" }.latest(fields: condition).status == 200)
            let second = try await phone.upload("Albums")
            #expect(try await phone.latest(fields: condition).served == .full(second))
            // The first archive is served again, now below the head.
            _ = try await phone.report(.crashed, of: second)
            #expect(try await phone.latest(fields: condition).served == .full(first, supersededBy: second))
            #expect(try await phone.request("DELETE", second.path).status == 204)
            #expect(try await phone.latest(fields: condition).status == 304)
        }
    }

    @Test func answersHEADWithTheFieldsOfGET() async throws {
        try await withDevice { _, phone in
            let upload = try await phone.upload("Albums")
            for target in [
                "/v1/scenes/main/archives/latest?\(phone.query)", "/v1/scenes/main/archives/latest?idiom=tv",
                "/v1/scenes/main/archives/latest/explanation?\(phone.query)", upload.path, "/v1/scenes/main/archives",
                "/v1/devices", "/v1/devices/self", "/v1/places", "/v1/manifest", "/v1/changes", "/v1/limits", "/livez",
                "/readyz", "/version", "/openapi.yaml", "/none", "/v1/scenes/none/archives/latest",
            ] {
                for coding in [[], [("Accept-Encoding", "gzip")]] {
                    let get = try await phone.request("GET", target, fields: coding)
                    let head = try await phone.request("HEAD", target, fields: coding)
                    #expect(head.status == get.status, "\(target)")
                    #expect(head.withoutRequestID.fields == get.withoutRequestID.fields, "\(target)")
                    #expect(head.body.isEmpty)
                    #expect(get["Content-Length"] == "\(get.body.count)", "\(target)")
                }
            }
        }
    }

    @Test func answersOPTIONSWithTheMethodsOfThePath() async throws {
        try await withDevice { _, phone in
            for (target, allowed) in [
                ("/v1/scenes/main/archives/\(UUID().uuidString)", ["DELETE", "GET", "HEAD", "OPTIONS", "PUT"]),
                ("/v1/scenes/main/archives/latest", ["GET", "HEAD", "OPTIONS"]),
                ("/v1/link-codes", ["OPTIONS", "POST"]),
                ("/v1/devices/self", ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH"]),
                ("/v1/scenes/main", ["DELETE", "OPTIONS"]),
                ("/livez", ["GET", "HEAD", "OPTIONS"]),
            ] {
                let options = try await phone.request("OPTIONS", target)
                #expect(options.status == 204)
                #expect(options.allowed == allowed, "\(target)")
                for method in Set(["GET", "POST", "PUT", "DELETE"]).subtracting(allowed) {
                    let refused = try await phone.request(method, target)
                    #expect(refused.status == 405, "\(method) \(target)")
                    #expect(refused.allowed == allowed, "\(method) \(target)")
                }
            }
        }
    }

    @Test func acceptsAndSendsGzip() async throws {
        try await withDevice { _, phone in
            let gzip = Compressor(.gzip, level: 6)
            var upload = try phone.capture("Albums")
            let coded = try #require(gzip.deflate(upload.bytes))
            let fields = upload.fields + [("Content-Encoding", "gzip")]
            let stored = try await phone.request("PUT", upload.path, fields: fields, body: coded)
            #expect(stored.status == 201)
            upload.revision = try #require(stored.revision)
            // The archive is stored without its content coding.
            #expect(try await phone.put(upload).status == 200)
            #expect(try await phone.latest(fields: [("Accept-Encoding", "gzip")]).body == upload.bytes)

            for _ in 0..<4 { _ = try await phone.upload("Albums") }
            let plain = try await phone.request("GET", "/v1/scenes/main/archives")
            #expect(plain["Content-Encoding"] == nil)
            let small = try await phone.request(
                "GET", "/v1/scenes/main/archives", fields: [("Accept-Encoding", "br, gzip;q=0.5")])
            #expect(small["Content-Encoding"] == "gzip")
            #expect(small["Vary"]?.contains("Accept-Encoding") == true)
            #expect(small["ETag"] != plain["ETag"])
            #expect(small.body.count < plain.body.count)
            #expect(try gzip.inflate(small.body, count: plain.body.count) == plain.body)
            let refused = try await phone.request(
                "GET", "/v1/scenes/main/archives", fields: [("Accept-Encoding", "gzip;q=0")])
            #expect(refused["Content-Encoding"] == nil)
        }
    }

    @Test func rejectsABodyThatDoesNotMatchItsContentCoding() async throws {
        try await withDevice { _, phone in
            let gzip = Compressor(.gzip, level: 9)
            let upload = try phone.capture("Albums")
            let whole = try #require(gzip.deflate(upload.bytes))
            let bomb = try #require(gzip.deflate([UInt8](repeating: 0, count: 1 << 20)))
            let large = try #require(gzip.deflate((0..<(1 << 20) + 1).map { UInt8(truncatingIfNeeded: $0 / 7) }))
            for (coding, body, status) in [
                ("br", whole, 415), ("gzip, gzip", whole, 415), ("gzip", upload.bytes, 400),
                ("gzip", Array(whole.dropLast(4)), 400), ("gzip", bomb, 413), ("gzip", large, 413),
                ("identity", upload.bytes, 201),
            ] {
                let reply = try await phone.request(
                    "PUT", upload.path, fields: [("Content-Encoding", coding)], body: body)
                #expect(reply.status == status, "\(coding): \(reply.text)")
            }
        }
    }

    @Test func rejectsArchivesAboveOneMebibyte() async throws {
        try await withDevice { service, phone in
            let path = "/v1/scenes/main/archives/\(UUID().uuidString)"
            let tooLarge = [UInt8](repeating: 0, count: (1 << 20) + 1)
            let line = try Line(port: phone.app.address.port)
            let head = "PUT \(path) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(phone.token)\r\n"
            // The service refuses the request because of the declared length, before the client sends the body.
            try await line.send(Array((head + "Content-Length: \(tooLarge.count)\r\n\r\n").utf8))
            let refused = try await line.reply(to: "PUT")
            #expect(refused.status == 413)
            #expect(refused["Connection"]?.lowercased() == "close")
            #expect(try await phone.request("PUT", path, body: Array(tooLarge.dropLast())).code == "archive-unreadable")
        }
    }

    @Test func rejectsAQueryThatContradictsTheArchive() async throws {
        try await withDevice { _, phone in
            let upload = try phone.capture("Albums")
            let contradicted = try await phone.put(upload, query: "?idiom=pad")
            #expect(contradicted.status == 422)
            #expect(contradicted.code == "context-contradicted")
            #expect(try await phone.put(upload, query: "?bundleVersion=41").code == "context-contradicted")
            #expect(try await phone.put(upload, query: "?\(phone.query)&layout=compact").status == 201)
            #expect(try await phone.history().first?.context.layout == .compact)
        }
    }

    @Test func echoesValidRequestIDs() async throws {
        try await withDevice { _, phone in
            let kept = try await phone.request("GET", "/v1/manifest", fields: [("X-Request-ID", "a.b_c-9")])
            #expect(kept["X-Request-ID"] == "a.b_c-9")
            for strange in ["a b", "\"", String(repeating: "a", count: 65), ""] {
                let made = try await phone.request("GET", "/none", fields: [("X-Request-ID", strange)])
                #expect(made["X-Request-ID"] != strange)
                #expect(made["X-Request-ID"]?.isEmpty == false)
            }
        }
    }
}

extension Reply {
    /// The methods in the field `Allow`, sorted.
    fileprivate var allowed: [String] {
        (self["Allow"] ?? "").split(separator: ",").map { String($0.drop { $0 == " " }) }.sorted()
    }
}
