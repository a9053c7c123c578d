import PlacekeeperSystem
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests of the commands `user show`, `user export`, `user import` and `user erase`, beside a running service.
@Suite(.onOwnThreads) struct UserCommandTests {
    private let service: RunningService
    private let phone: RunningService.Device

    init() throws {
        service = try RunningService()
        let app = try service.createApp()
        phone = try service.register(app: app, idiom: "phone")
        for number in 0..<30 {
            let archive = try UniqueArchive(size: 4096)
            let stored = try service.request(
                "PUT", archive.path(in: "scene\(number % 3)"), token: phone.token, body: archive.bytes)
            #expect(stored.status == 201)
        }
        let declared = try service.request(
            "PUT", "/v1/data-sources/photos", token: phone.token, json: "{\"scope\": \"registered\"}")
        #expect(declared.status == 201)
        let items = "{\"upserts\": [{\"identifier\": \"p1\", \"aliases\": [\"a\"]}, {\"identifier\": \"p2\"}]}"
        let registered = try service.request(
            "PATCH", "/v1/data-sources/photos/items", token: phone.token, body: Array(items.utf8))
        #expect(registered.status == 200)
    }

    private func run(_ words: String..., data: TemporaryDirectory? = nil) throws -> ChildProcess.Outcome {
        try ChildProcess(words + ["--data", (data ?? service.data).path]).outcome()
    }

    /// Returns the lines of a file without the header.
    private func lines(_ path: String) throws -> ArraySlice<Substring> {
        String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self).split(separator: "\n").dropFirst()
    }

    @Test func exportsErasesAndImportsAUserIntoAnEmptyService() throws {
        let files = try TemporaryDirectory()
        let (first, second) = (files.path + "/first.ndjson", files.path + "/second.ndjson")
        let exported = try run("user", "export", "com.example.photos", "--user", phone.user, "--output", first)
        #expect(exported.end == .exit(0), "\(exported.error)")
        var status = stat()
        #expect(stat(first, &status) == 0 && status.st_mode & 0o777 == 0o600)
        let served = try service.request("GET", "/v1/export", token: phone.token)
        #expect(served.status == 200)
        #expect(try served.text.split(separator: "\n").dropFirst() == lines(first))

        let erased = try run("user", "erase", "com.example.photos", "--user", phone.user, "--yes")
        #expect(erased.end == .exit(0), "\(erased.error)")
        #expect(try run("user", "show", "com.example.photos", "--user", phone.user).end == .exit(1))

        let empty = try TemporaryDirectory()
        #expect(try run("app", "create", "com.example.photos", data: empty).end == .exit(0))
        let imported = try run("user", "import", "com.example.photos", first, data: empty)
        #expect(imported.end == .exit(0), "\(imported.error)")
        #expect(imported.output.contains("link code"))
        let again = try run(
            "user", "export", "com.example.photos", "--user", phone.user, "--output", second, data: empty)
        #expect(again.end == .exit(0), "\(again.error)")
        #expect(try lines(second) == lines(first))
        let repeated = try run("user", "import", "com.example.photos", first, data: empty)
        #expect(repeated.end == .exit(1) && repeated.error.contains("exists"))
    }

    @Test func showsAUser() throws {
        struct Shown: Decodable {
            struct Device: Decodable { var id: String }
            struct Scene: Decodable {
                var name: String
                var archives: Int
            }
            struct Registration: Decodable { var items: Int }
            var id: String
            var subject: String?
            var devices: [Device]
            var scenes: [Scene]
            var registrations: [Registration]
        }
        let shown = try run("user", "show", "com.example.photos", "--user", phone.user, "--json")
        #expect(shown.end == .exit(0), "\(shown.error)")
        let user = try JSONDecoder().decode(Shown.self, from: Data(shown.output.utf8))
        #expect(user.id == phone.user && user.subject == nil && user.devices.map(\.id) == [phone.device])
        #expect(user.scenes.map(\.name) == ["scene0", "scene1", "scene2"])
        #expect(user.scenes.allSatisfy { $0.archives == 10 } && user.registrations.map(\.items) == [2])
        let text = try run("user", "show", "com.example.photos", "--user", phone.user).output
        #expect(text.contains("anonymous") && text.contains("scene1"))
    }

    @Test func asksForOneNameOfTheUser() throws {
        for words in [[], ["anna", "--user", phone.user]] {
            let process = try ChildProcess(
                ["user", "show", "com.example.photos"] + words + ["--data", service.data.path])
            #expect(process.wait() == .exit(2))
        }
        #expect(try run("user", "show", "com.example.photos", "nobody").end == .exit(1))
        #expect(try run("user", "erase", "com.example.photos", "nobody", "--yes").end == .exit(1))
    }

    @Test func writesNoPartOfAnExportThatFails() throws {
        let files = try TemporaryDirectory()
        let path = files.path + "/export.ndjson"
        try Data("kept".utf8).write(to: URL(filePath: path))
        let refused = try run("user", "export", "com.example.photos", "--user", phone.user, "--output", path)
        #expect(refused.end == .exit(1) && refused.error.contains("exists"))
        #expect(try Data(contentsOf: URL(filePath: path)) == Data("kept".utf8))
        let imported = try run("user", "import", "com.example.photos", path)
        #expect(imported.end == .exit(1) && imported.error.contains("incomplete"), "\(imported.error)")
    }
}
