import Dispatch
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperService

/// The servers that a URL names, and which of them was the primary last. All connections of a store share it, so they
/// find a new primary together.
///
/// The last good server is tried first. If it fails, or hasn't answered within half a second, all others are tried at
/// the same time, and the first one that accepts writes and was not replaced is used (`KnownPrimary`). libpq itself would
/// wait for one host after the other, for each connection.
final class Servers: Sendable {
    private struct State {
        /// The host with the newest primary.
        var last: ServerHost?
        /// The number of hosts in the URL.
        var count = 1
        var isLooking = false
    }

    let primary: KnownPrimary
    private let configuration: PostgresStore.Configuration
    private let state = LockBox(State())
    private let lookups = NameLookups()
    private let queue = DispatchQueue(label: "placekeeper.postgres.primary")
    private let patience: Duration
    /// How often a waiting thread looks for what other threads have found.
    private static let slice: Duration = .milliseconds(100)

    /// - Parameter patience: how long only the last good server is tried.
    init(
        _ configuration: PostgresStore.Configuration, _ primary: KnownPrimary, patience: Duration = .milliseconds(500)
    ) {
        self.configuration = configuration
        self.primary = primary
        self.patience = patience
    }

    /// Whether the URL names several hosts. False before the first connection.
    var areSeveral: Bool { state.withLock { $0.count > 1 } }

    /// Connects to the primary, and records it.
    ///
    /// - Parameter options: further settings of the session (`ConnectionPool.Kind`).
    func connect(options: String = "") throws(StoreError) -> Connection {
        try open(options: options) { attempt throws(StoreError) in
            let connection = try Connection(attempt)
            // The server may freeze now, and another thread may find its successor.
            let (host, before) = (attempt.host, state.withLock(\.last))
            connection.mustStop = { [state] in state.withLock { $0.last != before && $0.last != host } }
            defer { connection.mustStop = { false } }
            try identify(connection, at: attempt.host, until: .now + configuration.readDeadline)
            return connection
        }
    }

    /// Opens connections until one is accepted.
    ///
    /// - Parameter accept: throws if the server may not be used.
    func open<Value>(
        options: String = "", _ accept: (ConnectionAttempt) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        var last = state.withLock(\.last)
        var search = try search(options: options, first: last)
        search.startFirst()
        let hurry = ContinuousClock.now + patience
        while true {
            // Another thread may have found the primary.
            let found = state.withLock(\.last)
            if let found, found != last { search.start(again: found) }
            last = found
            if search.isIdle || hurry <= .now { search.startAll() }
            if search.isIdle {
                if search.waiting.isEmpty { throw search.error }
                continue
            }
            let untilHurry = hurry - .now
            guard let attempt = search.wait(atMost: untilHurry > .zero ? min(untilHurry, Self.slice) : Self.slice)
            else { continue }
            do throws(StoreError) {
                return try accept(attempt)
            } catch {
                search.note(error, attempt.host)
            }
        }
    }

    /// Reads the identity of a server, and records it. Throws if the server may not be used.
    private func identify(
        _ connection: Connection, at host: ServerHost, until end: ContinuousClock.Instant
    ) throws(StoreError) {
        do throws(Failure) {
            connection.server = try connection.readIdentity(until: end)
        } catch {
            throw error.error
        }
        try primary.note(connection.server)
        // Another thread may have found the successor meanwhile.
        if primary.accepts(connection.server) { state.withLock { $0.last = host } }
    }
}

extension Servers {
    /// Looks for a new primary in the background, unless that is already being done. Asks all hosts at the same time,
    /// and asks hosts that failed again, because a standby may be promoted at any moment. Call this while a server
    /// doesn't respond.
    func lookForNewPrimary() {
        let mustStart = state.withLock { state in
            defer { state.isLooking = true }
            return !state.isLooking
        }
        guard mustStart else { return }
        queue.async { [self] in
            let pause: DispatchTimeInterval = (try? look()) == true ? .seconds(2) : .milliseconds(100)
            queue.asyncAfter(deadline: .now() + pause) { [self] in state.withLock { $0.isLooking = false } }
        }
    }

    /// Looks for at most three seconds. Returns whether the known primary, or a new one, answered.
    private func look() throws(StoreError) -> Bool {
        var search = try search(within: 3)
        let known = primary.newest
        var isAnswered = false
        var end = ContinuousClock.now + .seconds(3)
        var failed: [(host: ServerHost, next: ContinuousClock.Instant)] = []
        while ContinuousClock.now < end {
            search.startAll()
            let now = ContinuousClock.now
            for host in failed where host.next <= now { search.start(again: host.host) }
            failed.removeAll { $0.next <= now }
            if let attempt = search.wait(atMost: Self.slice) {
                do throws(StoreError) {
                    let connection = try Connection(attempt)
                    try identify(connection, at: attempt.host, until: .now + .seconds(1))
                    // Without identities, servers can't be compared.
                    if let server = connection.server, server != known { return true }
                    // The known primary works. Another one has been promoted only if it answers, too.
                    isAnswered = true
                    end = min(end, .now + patience)
                } catch {
                    search.note(error, attempt.host)
                }
            }
            let next = ContinuousClock.now + .milliseconds(250)
            for host in search.takeFailures() where !isAnswered { failed.append((host, next)) }
            if search.isIdle, search.waiting.isEmpty, failed.isEmpty { break }
        }
        return isAnswered
    }

    /// With these settings, the server notices within half a minute that this machine is gone, and ends the connection
    /// and its locks. By default that would take two hours. Compiling a statement (`jit`) takes longer than running it.
    private static let serverSettings =
        "-c jit=off -c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3"
        + " -c tcp_user_timeout=10000"

    /// Makes a search among the hosts of the URL.
    ///
    /// - Parameter seconds: the time for each host. `nil` for the time that the URL gives (`connect_timeout`).
    private func search(
        options: String = "", first: ServerHost? = nil, within seconds: Int? = nil
    ) throws(StoreError) -> ServerSearch {
        let libpq = try Libpq.shared
        // Later values win, so the URL may override any setting before it.
        let settings: [(String, String)] =
            [
                ("connect_timeout", "5"), ("keepalives", "1"), ("keepalives_idle", "1"), ("keepalives_interval", "1"),
                ("keepalives_count", "3"), ("tcp_user_timeout", "3000"), ("fallback_application_name", "placekeeper"),
                ("target_session_attrs", "read-write"),
                ("options", Self.serverSettings + options),
                ("dbname", configuration.url), ("client_encoding", "UTF8"),
            ] + (configuration.password.map { [("password", $0)] } ?? [])
        // With an invalid setting, libpq reads the URL, the service file and the environment, but connects to nothing.
        guard let probe = ConnectionAttempt.start(settings + [("target_session_attrs", "none")], libpq) else {
            throw StoreError(.unavailable, "There is no memory for a connection.")
        }
        let found = libpq.settings(of: probe)
        libpq.finish(probe)
        let hosts = ServerHost.split(
            names: found["host"]?.value, addresses: found["hostaddr"]?.value, ports: found["port"]?.value,
            usualPort: found["port"]?.usual)
        state.withLock { $0.count = hosts.count }
        let isBalanced = found["load_balance_hosts"]?.value == "random"
        let usual = found["connect_timeout"]?.value.flatMap { Int($0) } ?? 5
        return ServerSearch(
            libpq, settings, isBalanced ? hosts.shuffled() : hosts, first: isBalanced ? nil : first,
            within: seconds ?? (usual > 0 ? usual : 5), lookups)
    }
}
