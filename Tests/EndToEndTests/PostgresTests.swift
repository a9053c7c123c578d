import PlacekeeperSystem
import PlacekeeperPostgresServer
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The service and its commands on a PostgreSQL database.
@Suite(.onOwnThreads, .enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct PostgresTests {
    /// A new, empty database.
    private struct Database {
        let url: String
        var options: [String] { ["--database", url] }

        init() throws {
            url = try TestDatabase.makeDatabase()
        }

        func createApp(_ data: TemporaryDirectory) throws -> String {
            struct Created: Decodable { var publishableKey: String }
            let (end, output, error) = try ChildProcess.run(
                "app", "create", "com.example.photos", "--data", data.path, "--database", url, "--json")
            guard end == .exit(0) else { throw ChildProcess.Failure(description: "app create: \(error)") }
            return try JSONDecoder().decode(Created.self, from: Data(output.utf8)).publishableKey
        }
    }

    @Test func servesFromTwoInstancesWithOneDatabase() throws {
        let database = try Database()
        let (one, other) = (
            try RunningService(options: database.options), try RunningService(options: database.options)
        )
        let key = try database.createApp(one.data)
        let phone = try one.register(app: key, idiom: "phone")
        let code = try one.linkCode(token: phone.token)
        let pad = try other.register(app: key, idiom: "pad", linkCode: code)
        #expect(pad.user == phone.user)
        let archive = try UniqueArchive(size: 10_000)
        #expect(
            try one.request("PUT", archive.path(in: "main"), token: phone.token, body: archive.bytes).status == 201)
        // The device asks the other instance, which did not see the upload.
        let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42"
        #expect(try other.request("GET", latest, token: phone.token).body == archive.bytes)
        let next = try UniqueArchive(size: 3000)
        #expect(
            try other.request("PUT", next.path(in: "main"), token: phone.token, body: next.bytes).status == 201)
        #expect(try one.request("GET", latest, token: phone.token).body == next.bytes)
        // A revoked token is refused by both instances at once.
        #expect(try one.request("DELETE", "/v1/devices/\(phone.device)", token: pad.token).status == 204)
        #expect(try other.request("GET", latest, token: phone.token).status == 401)
        #expect(try one.request("GET", latest, token: phone.token).status == 401)
    }

    @Test func keepsDataWhenTheServiceIsKilled() throws {
        let database = try Database()
        let service = try RunningService(options: database.options)
        let key = try database.createApp(service.data)
        let phone = try service.register(app: key, idiom: "phone")
        let archive = try UniqueArchive()
        #expect(
            try service.request("PUT", archive.path(in: "main"), token: phone.token, body: archive.bytes).status == 201)
        service.kill()
        let again = try RunningService(data: service.data, options: database.options)
        let latest = "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42"
        #expect(try again.request("GET", latest, token: phone.token).body == archive.bytes)
        #expect(try again.request("GET", "/readyz").text.contains("PostgreSQL client"))
        #expect(again.stop() == .exit(0))
    }

    @Test(.onLinux, .onSQLite) func loadsNoLibraryOfPostgreSQLForSQLite() throws {
        func maps(_ service: RunningService) throws -> String {
            #expect(try service.request("GET", "/livez").status == 200)
            let file = open("/proc/\(service.process.pid)/maps", O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 4096)
            while case let count = read(file, &piece, piece.count), count > 0 { bytes += piece.prefix(count) }
            return String(decoding: bytes, as: UTF8.self)
        }
        let sqlite = try maps(RunningService())
        #expect(sqlite.contains("libsqlite3") && !sqlite.contains("libpq"))
        #expect(try maps(RunningService(options: Database().options)).contains("libpq"))
    }

    @Test func opensAsManyConnectionsAsItsSettingAllows() throws {
        let service = try RunningService(
            options: try Database().options + ["--database-connections", "9", "--metrics"])
        let page = try service.request("GET", "/metrics").text
        for (use, number) in [("reads", 2), ("versions", 2), ("writes", 5)] {
            #expect(page.contains("\nplacekeeper_store_connections_limit{use=\"\(use)\"} \(number)\n"), "\(page)")
        }
        #expect(page.contains("\nplacekeeper_store_commit_seconds_bucket{le=\"+Inf\"} "))
        #expect(page.contains("# TYPE placekeeper_store_commit_seconds histogram\n"))
    }

    @Test func refusesUnusableURLs() throws {
        for (url, text) in [
            ("mysql://localhost/x", "is not a URL like postgres://"),
            ("postgres://user:secret@localhost/x", "--database-password-file"),
            ("postgres:///x?host=/nonexistent", "The database cannot be reached"),
        ] {
            let data = try TemporaryDirectory()
            let (end, _, error) = try ChildProcess.run("app", "list", "--data", data.path, "--database", url)
            #expect(end != .exit(0))
            #expect(error.lowercased().contains(text.lowercased()), "\(error)")
            #expect(!error.contains("secret"))
        }
    }
}
