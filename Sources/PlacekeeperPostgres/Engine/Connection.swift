import Dispatch
import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// A connection to the server in pipeline mode. It runs one batch of statements at a time, and blocks the one thread
/// that uses it.
final class Connection {
    let libpq: Libpq
    let handle: OpaquePointer
    /// Whether to stop waiting for the server, because the store is closed or the server was replaced.
    var mustStop: @Sendable () -> Bool = { false }
    /// The connected server (`KnownPrimary`).
    var server: ServerIdentity?
    /// The names of the statements prepared on this connection, by their text.
    var prepared: [String: String] = [:]

    /// With these settings, the server notices within half a minute that this machine is gone, and ends the connection
    /// and its locks. By default that would take two hours.
    private static let serverSettings =
        "-c tcp_keepalives_idle=10 -c tcp_keepalives_interval=5 -c tcp_keepalives_count=3 -c tcp_user_timeout=10000"

    /// Connects to the server. Resolving its name may block for a long time.
    ///
    /// - Parameters:
    ///   - plansOnce: whether the server plans each statement only once, instead of for each set of parameters.
    ///   - endsIdleTransactions: whether the server ends a transaction that waits three seconds for its next statement.
    ///     An instance that is frozen in a transaction would otherwise block other instances' writes for its users.
    init(
        _ configuration: PostgresStore.Configuration, plansOnce: Bool = false, endsIdleTransactions: Bool = false
    ) throws(StoreError) {
        let libpq = try Libpq.shared
        // Later values win, so the URL may override any setting before it.
        let settings: [(String, String)] =
            [
                ("connect_timeout", "5"), ("keepalives", "1"), ("keepalives_idle", "1"), ("keepalives_interval", "1"),
                ("keepalives_count", "3"), ("tcp_user_timeout", "3000"), ("fallback_application_name", "placekeeper"),
                ("target_session_attrs", "read-write"),
                (
                    "options",
                    Self.serverSettings + (plansOnce ? " -c plan_cache_mode=force_generic_plan" : "")
                        + (endsIdleTransactions ? " -c idle_in_transaction_session_timeout=3000" : "")
                ),
                ("dbname", configuration.url), ("client_encoding", "UTF8"),
            ] + (configuration.password.map { [("password", $0)] } ?? [])
        let opened = Self.withTexts(settings.map(\.0)) { keys in
            Self.withTexts(settings.map(\.1)) { values in libpq.connect(keys, values, 1) }
        }
        guard let opened else { throw StoreError(.unavailable, "There is no memory for a connection.") }
        self.libpq = libpq
        handle = opened
        guard libpq.status(handle) == Libpq.connectionIsGood else {
            // Before the first statement, the message names the server and the user, but no stored values.
            let cause = libpq.errorMessage(handle).map { String(cString: $0) }
            throw StoreError(
                .unavailable, "The database cannot be reached, or refuses the connection.",
                cause: cause?.split(separator: "\n").first.map { String($0.prefix(300)) })
        }
        guard libpq.serverVersion(handle) >= 130_000 else {
            throw StoreError(.unavailable, "The database server is older than PostgreSQL 13.")
        }
        // Drop the server's notices: they may quote stored values.
        _ = libpq.setNoticeReceiver(handle, { _, _ in }, nil)
        guard libpq.setNonBlocking(handle, 1) == 0, libpq.enterPipelineMode(handle) == 1 else {
            throw StoreError(.unavailable, "The connection to the database cannot be set up.")
        }
    }

    deinit { libpq.finish(handle) }

    /// Whether the connection is still open. Between batches, the server sends data only when it ends the connection.
    var isOpen: Bool {
        var entry = pollfd(fd: libpq.socket(handle), events: Int16(POLLIN), revents: 0)
        guard entry.fd >= 0, libpq.status(handle) == Libpq.connectionIsGood else { return false }
        guard poll(&entry, 1, 0) != 0 else { return true }
        return libpq.consumeInput(handle) == 1 && libpq.status(handle) == Libpq.connectionIsGood
    }

    /// Asks the server for its identity. Returns `nil` if the server doesn't provide one: some engines that speak
    /// PostgreSQL's protocol lack these functions or reject them.
    func readIdentity(until deadline: ContinuousClock.Instant) throws(Failure) -> ServerIdentity? {
        do throws(Failure) {
            // The name of a write-ahead log file begins with the timeline, as eight hexadecimal digits.
            let rows = try run(
                Batch([
                    Statement(
                        """
                        SELECT system_identifier,
                            ('x00000000' || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8))::bit(64)::bigint
                        FROM pg_control_system()
                        """)
                ]), until: deadline)
            return try? rows.first?.first { row throws(StoreError) in
                ServerIdentity(cluster: try row.key(), timeline: try row.key())
            }
        } catch {
            // The function doesn't exist, isn't permitted, or isn't supported.
            guard case .store(let cause) = error,
                ["42883", "42501", "0A000"].contains(where: { cause.cause == "PostgreSQL error \($0)" })
            else { throw error }
            return nil
        }
    }

    /// Asks the server, in the background, to cancel the statements in progress. Don't call this during a transaction
    /// that writes: if its commit is waiting for a standby, the request ends the wait, and the commit becomes visible
    /// although the standby doesn't have it.
    func cancel() {
        guard let request = libpq.getCancel(handle) else { return }
        let work = Cancellation(request: request, libpq: libpq)
        Self.cancellations.async { work.perform() }
    }

    private static let cancellations = DispatchQueue(label: "placekeeper.postgres.cancel")

    /// `@unchecked Sendable`: libpq allows another thread to send the request.
    private struct Cancellation: @unchecked Sendable {
        let request: OpaquePointer
        let libpq: Libpq

        func perform() {
            var message = [CChar](repeating: 0, count: 256)
            _ = libpq.cancel(request, &message, Int32(message.count))
            libpq.freeCancel(request)
        }
    }

    /// Calls a closure with pointers to the texts, followed by a null pointer.
    static func withTexts<Result>(_ texts: [String], _ body: (Libpq.Texts) -> Result) -> Result {
        let copies = texts.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        let pointers = copies.map { $0.map { UnsafePointer($0) } } + [nil]
        return pointers.withUnsafeBufferPointer { buffer in
            // The list ends with a null pointer, so it's never empty.
            guard let start = buffer.baseAddress else { preconditionFailure("The list has at least one element.") }
            return body(start)
        }
    }
}
