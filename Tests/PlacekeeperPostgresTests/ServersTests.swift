import Foundation
import PlacekeeperCore
import PlacekeeperPostgresServer
import PlacekeeperService
import Testing

@testable import PlacekeeperPostgres

@Suite(.enabled(if: PostgresServer.isNeeded, "PostgreSQL is not installed"))
struct ServersTests {
    /// The folder of the socket in the URL of a test's database.
    private func folder(_ url: String) throws -> String {
        let start = try #require(url.range(of: "host=")?.upperBound)
        return String(url[start...].prefix { $0 != "&" })
    }

    /// The URL of a test's database with other hosts.
    ///
    /// - Parameter seconds: the time for each host.
    private func url(_ url: String, at hosts: [(name: String, port: Int)], within seconds: Int = 120) -> String {
        url.prefix { $0 != "?" } + "?user=test&connect_timeout=\(seconds)"
            + "&host=\(hosts.map(\.name).joined(separator: ","))"
            + "&port=\(hosts.map { String($0.port) }.joined(separator: ","))"
    }

    private func servers(
        _ url: String, _ primary: KnownPrimary = KnownPrimary(path: nil), patience: Duration = .milliseconds(500)
    ) -> Servers {
        Servers(PostgresServer.configuration(url), primary, patience: patience)
    }

    /// Runs work that blocks on a thread of its own.
    private func blocking<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
        }
    }

    /// Connects, and reads something. Returns the time that this took on the thread.
    @discardableResult private func read(_ servers: Servers) async throws -> Duration {
        try await blocking {
            let start = ContinuousClock.now
            let rows = try servers.connect().run(Batch([Statement("SELECT 7::bigint")]), until: nil)
            #expect(try rows[0].first { row throws(StoreError) in try row.key() } == 7)
            return .now - start
        }
    }

    @Test(arguments: [true, false]) func connectsAlthoughAnotherHostIsFrozen(isFirst: Bool) async throws {
        try await cluster().withDatabase { url in
            let frozen = try FrozenHost()
            let (dead, good) = (("127.0.0.1", frozen.port), (try folder(url), 5432))
            let servers = servers(self.url(url, at: isFirst ? [dead, good] : [good, dead]))
            #expect(try await read(servers) < .seconds(60))
            let store = try await PostgresStore(
                PostgresServer.configuration(self.url(url, at: isFirst ? [dead, good] : [good, dead])))
            #expect(try await store.apps().isEmpty)
            await store.close()
        }
    }

    /// Only the last good host is asked, for as long as it answers.
    @Test func triesTheLastGoodHostFirst() async throws {
        try await cluster().withDatabase { url in
            let frozen = try FrozenHost()
            let hosts = [("127.0.0.1", frozen.port), (try folder(url), 5432)]
            let primary = KnownPrimary(path: nil)
            let servers = servers(self.url(url, at: hosts), primary, patience: .seconds(600))
            servers.lookForNewPrimary()
            while primary.newest == nil { await Task.yield() }
            #expect(frozen.connections == 1)
            try await read(servers)
            #expect(frozen.connections == 1)
        }
    }

    /// The other host fails at first, as a standby does, and is asked again. Meanwhile, the thread that connects waits
    /// for the frozen host.
    @Test func leavesAFrozenHostWhenAnotherThreadFindsThePrimary() async throws {
        try await cluster().withDatabase { url in
            let frozen = try FrozenHost()
            let link = "/tmp/placekeeper-\(UUID().uuidString.prefix(8))"
            defer { try? FileManager.default.removeItem(atPath: link) }
            let hosts = [("127.0.0.1", frozen.port), (link, 5432)]
            let servers = servers(self.url(url, at: hosts, within: 300), patience: .zero)
            async let time = read(servers)
            while frozen.connections < 1 { await Task.yield() }
            servers.lookForNewPrimary()
            while frozen.connections < 2 { await Task.yield() }
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: folder(url))
            // On a slow machine, the first search may be over.
            servers.lookForNewPrimary()
            _ = try await time
        }
    }

    @Test func namesTheReasonOfEachHost() async throws {
        let (frozen, closed) = (try FrozenHost(), try FrozenHost(listens: false))
        let hosts = [
            ("localhost", frozen.port), ("127.0.0.1", closed.port), ("/nonexistent", 1), ("nowhere.invalid", 2),
        ]
        let servers = servers(url("postgres:///x", at: hosts, within: 2))
        let start = ContinuousClock.now
        let error = try await #require(throws: StoreError.self) { try await read(servers) }
        #expect(ContinuousClock.now - start < .seconds(120))
        #expect(error.code == .unavailable && error.message == ConnectionAttempt.unreachable)
        let cause = try #require(error.cause)
        for reason in [
            "server at \"localhost\" (127.0.0.1), port \(frozen.port) did not answer within 2 s",
            "\"127.0.0.1\", port \(closed.port) failed: Connection refused", "\"/nonexistent/.s.PGSQL.1\" failed",
            "server at \"nowhere.invalid\", port 2: its name ",
        ] {
            #expect(cause.contains(reason), "\(cause)")
        }
    }

    @Test func takesAnotherHostIfOneMayNotBeUsed() async throws {
        try await cluster().withDatabase { url in
            // Two names of one server.
            let (one, other) = (try folder(url), try folder(url) + "/.")
            let list = self.url(url, at: [(one, 5432), (other, 5432)])
            let servers = servers(list, patience: .seconds(600))
            let taken = try await blocking {
                try servers.open { attempt throws(StoreError) in
                    if attempt.host.name == one { throw StoreError(.unavailable, "It is old.") }
                    return attempt.host.name
                }
            }
            #expect(taken == other)

            let primary = KnownPrimary(path: nil)
            try await read(self.servers(list, primary))
            var next = try #require(primary.newest)
            next.timeline += 1
            try primary.note(next)
            let error = try await #require(throws: StoreError.self) { try await read(self.servers(list, primary)) }
            #expect(error.message.contains("old primary"))
            for name in [one, other] { #expect(error.cause?.contains("server at \"\(name)\", port 5432: ") == true) }
        }
    }

    @Test func findsANewPrimaryBehindAFrozenHost() async throws {
        try await cluster().withDatabase { url in
            let frozen = try FrozenHost()
            let list = self.url(url, at: [("127.0.0.1", frozen.port), (try folder(url), 5432)])
            let primary = KnownPrimary(path: nil)
            try await read(servers(list, primary))
            let found = try #require(primary.newest)
            let old = KnownPrimary(path: nil)
            try old.note(ServerIdentity(cluster: found.cluster, timeline: found.timeline - 1))
            // As if its predecessor were frozen.
            servers(list, old, patience: .seconds(600)).lookForNewPrimary()
            while old.newest != found { await Task.yield() }
            #expect(!old.accepts(ServerIdentity(cluster: found.cluster, timeline: found.timeline - 1)))
        }
    }
    /// A write on the old primary may or may not be committed, so it fails as such and isn't sent again.
    @Test func givesUpAStatementWhenItsServerWasReplaced() async throws {
        try await cluster().withStore { store in
            let pool = store.writing
            let statement = Task { try await Self.sleep(in: pool) }
            try await self.wait(until: 1, in: store)
            var next = try #require(store.pool.primary.newest)
            next.timeline += 1
            try store.pool.primary.note(next)
            let error = await #expect(throws: Failure.self) { try await statement.value }
            guard case .disconnected(mayBeCommitted: true)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
        }
    }

    private static func sleep(in pool: ConnectionPool) async throws {
        _ = try await pool.run(
            Batch([Statement("SELECT count(*) FROM pg_sleep(600)")]), until: .now + .seconds(600))
    }

    /// Waits until a number of connections sleep.
    private func wait(until count: Int64, in store: PostgresStore) async throws {
        let sleeping = """
            SELECT count(*) FROM pg_stat_activity
            WHERE query LIKE '%pg_sleep(600)%' AND state = 'active' AND datname = current_database()
                AND pid <> pg_backend_pid()
            """
        while try await store.rows(sleeping).first({ row throws(StoreError) in try row.key() }) != count {
            await Task.yield()
        }
    }

    /// libpq waits without a deadline for a server to which it sends a cancel request.
    @Test func cancelsAStatementWhileAFrozenHostHoldsUpAnotherRequest() async throws {
        try await cluster().withStore { store in
            let frozen = try FrozenHost()
            let libpq = try Libpq.shared
            let host = ServerHost(address: "127.0.0.1", port: String(frozen.port))
            let attempt = try ConnectionAttempt(to: host, [("dbname", store.configuration.url)], within: 600, libpq)
            let request = try #require(libpq.getCancel(attempt.handle))
            Cancellations.shared.perform(Cancellation(request: request, libpq: libpq), at: host)
            let url = store.configuration.url
            await #expect(throws: (any Error).self) {
                try await blocking {
                    let connection = try Connection(PostgresServer.configuration(url))
                    _ = try connection.run(
                        Batch([Statement("SELECT count(*) FROM pg_sleep(600)")]), until: .now + .milliseconds(500))
                }
            }
            try await wait(until: 0, in: store)
            withExtendedLifetime(frozen) {}
        }
    }
}
