import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite(.onOwnThreads) struct GenerateTests {
    struct User: Decodable {
        var id: String
        var devices: Int
    }

    let data: TemporaryDirectory

    init() throws { data = try TemporaryDirectory() }

    private func run(_ line: String...) throws -> ChildProcess.Outcome {
        try ChildProcess(line + ["--data", data.path]).outcome()
    }

    @Test func fillsAnAppThatTheOtherCommandsRead() throws {
        let generated = try run("generate", "com.example.demo", "--users", "30", "--archives", "300", "--hostile")
        #expect(generated.end == .exit(0))
        #expect(generated.output == "added 30 users with 300 archives to com.example.demo\n")
        #expect(generated.error.isEmpty)
        let again = try run("generate", "com.example.demo", "--users", "1", "--archives", "1")
        #expect(again.end == .exit(1))
        #expect(again.error == "placekeeper: the app com.example.demo has users already; choose another app\n")
        let users = try JSONDecoder().decode(
            [User].self, from: Data(run("users", "com.example.demo", "--json").output.utf8))
        #expect(users.count == 30)
        let user = try #require(users.first { $0.devices > 1 })
        let explained = try run(
            "explain", "com.example.demo", "--user", user.id, "--idiom", "phone", "--bundle-version", "43")
        #expect(explained.end == .exit(0))
        #expect(explained.output.contains("RESTORES"))
        let exported = try ChildProcess([
            "user", "export", "com.example.demo", "--user", user.id, "--data", data.path,
        ])
        #expect(exported.wait() == .exit(0))
        #expect(exported.outputBytes.split(separator: 0x0A).count > 10)
    }

    @Test func declaresTheDataSourceOfAnAppThatExists() throws {
        #expect(try run("app", "create", "com.example.demo").end == .exit(0))
        #expect(try run("generate", "com.example.demo", "--users", "1", "--archives", "1").end == .exit(0))
        let sources = try run("app", "data-sources", "com.example.demo")
        #expect(sources.output.contains("albums"))
    }

    @Test func refusesMoreArchivesThanTheUsersCanHave() throws {
        let refused = try run("generate", "com.example.demo", "--users", "1", "--archives", "401")
        #expect(refused.end == .exit(2))
        #expect(refused.error.contains("a user has at most 400 generated archives"))
    }
}
