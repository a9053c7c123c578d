import PlacekeeperSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests of writes that fail because of the disk or another process. The service never acknowledges a write that it
/// loses, answers reads, and recovers without a restart.
@Suite(.onOwnThreads, .onSQLite) struct StorageFaultTests {
    let service: RunningService
    let phone: RunningService.Device
    let kept: UniqueArchive

    init() throws {
        service = try RunningService()
        phone = try service.register(app: try service.createApp(), idiom: "phone")
        kept = try UniqueArchive()
        try #require(try upload(kept).status == 201)
    }

    func upload(_ archive: UniqueArchive) throws -> Reply {
        try service.request("PUT", archive.path(in: "main"), token: phone.token, body: archive.bytes)
    }

    func code(of reply: Reply) throws -> String {
        struct Problem: Decodable { var code: String }
        return try reply.json(Problem.self).code
    }

    func expectReads() throws {
        for path in [kept.path(in: "main"), "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42"] {
            let reply = try service.request("GET", path, token: phone.token)
            #expect(reply.status == 200)
            #expect(reply.body == kept.bytes)
        }
        for path in ["/v1/manifest", "/v1/scenes/main/archives", "/v1/places", "/v1/changes", "/livez"] {
            #expect(try service.request("GET", path, token: phone.token).status == 200, "\(path)")
        }
    }

    @Test(.onLinux) func answers507WhileTheDiskIsFull() throws {
        // With a limit of 4 KB for each file, the system refuses the next page, as with a full disk or a quota.
        let refused = try UniqueArchive(size: 20_000)
        try limitFiles(to: "4096")
        for _ in 1...3 {
            let reply = try upload(refused)
            #expect(reply.status == 507)
            #expect(try code(of: reply) == "store-full")
            try expectReads()
        }
        #expect(try service.request("GET", refused.path(in: "main"), token: phone.token).status == 404)
        #expect(try service.request("GET", "/readyz").status == 507)

        try limitFiles(to: "unlimited")
        #expect(try upload(refused).status == 201)
        #expect(try service.request("GET", refused.path(in: "main"), token: phone.token).body == refused.bytes)
        #expect(try service.request("GET", "/readyz").status == 200)
        #expect(try DatabaseFile(of: service).findings() == [])
        #expect(service.stop() == .exit(0))
    }

    @Test func answers507AtTheMaximumSizeOfTheDatabase() throws {
        #expect(service.stop() == .exit(0))
        let bounded = try RunningService(data: service.data, options: ["--maximum-bytes", "1048576"])
        func upload(_ archive: UniqueArchive, to service: RunningService) throws -> Reply {
            try service.request("PUT", archive.path(in: "main"), token: phone.token, body: archive.bytes)
        }
        var refused: (archive: UniqueArchive, reply: Reply)?
        for _ in 1...20 where refused == nil {
            let archive = try UniqueArchive(size: 200_000)
            let reply = try upload(archive, to: bounded)
            if reply.status != 201 { refused = (archive, reply) }
        }
        let (archive, reply) = try #require(refused)
        #expect(reply.status == 507)
        #expect(try code(of: reply) == "store-full")
        #expect(try bounded.request("GET", kept.path(in: "main"), token: phone.token).body == kept.bytes)
        #expect(bounded.stop() == .exit(0))

        let raised = try RunningService(data: service.data, options: ["--maximum-bytes", "16777216"])
        #expect(try upload(archive, to: raised).status == 201)
        #expect(try DatabaseFile(of: raised).findings() == [])
    }

    @Test func answers503WhileTheDatabaseIsLocked() throws {
        let late = try UniqueArchive()
        try DatabaseFile(of: service).locked {
            let reply = try upload(late)
            #expect(reply.status == 503)
            #expect(try code(of: reply) == "store-unavailable")
            #expect(reply["Retry-After"].flatMap { Int($0) }.map { 1...60 ~= $0 } == true)
            try expectReads()
        }
        #expect(try upload(late).status == 201)
        #expect(try DatabaseFile(of: service).findings() == [])
    }

    @Test func waitsForAShortLock() throws {
        let archive = try UniqueArchive()
        let connection = try service.connect()
        try DatabaseFile(of: service).locked {
            let head =
                "PUT \(archive.path(in: "main")) HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer \(phone.token)\r\n"
                + "Content-Length: \(archive.bytes.count)\r\n\r\n"
            try connection.send(Array(head.utf8) + archive.bytes)
            try expectReads()
        }
        #expect(try connection.reply(to: "PUT").status == 201)
    }

    /// Sets the file size limit of the running service.
    private func limitFiles(to size: String) throws {
        let process = try ChildProcess(
            program: "/usr/bin/prlimit", ["--pid", "\(service.process.pid)", "--fsize=\(size):unlimited"])
        try #require(process.wait() == .exit(0), "\(process.standardError)")
    }
}
