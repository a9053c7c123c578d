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

    /// Keeps the server's connection open.
    private let attempt: ConnectionAttempt

    /// Uses a connection that has been opened.
    init(_ attempt: ConnectionAttempt) throws(StoreError) {
        self.attempt = attempt
        libpq = attempt.libpq
        handle = attempt.handle
        guard libpq.serverVersion(handle) >= 130_000 else {
            throw StoreError(.unusable, "The database server is older than PostgreSQL 13.")
        }
        // Drop the server's notices: they may quote stored values.
        _ = libpq.setNoticeReceiver(handle, { _, _ in }, nil)
        guard libpq.setNonBlocking(handle, 1) == 0, libpq.enterPipelineMode(handle) == 1 else {
            throw StoreError(.unavailable, "The connection to the database cannot be set up.")
        }
    }

    /// Connects to the first server of the URL that answers, without a check of its identity.
    convenience init(_ configuration: PostgresStore.Configuration, options: String = "") throws(StoreError) {
        let servers = Servers(configuration, KnownPrimary(path: nil))
        try self.init(servers.open(options: options) { $0 })
    }

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
        Cancellations.shared.perform(Cancellation(request: request, libpq: libpq), at: attempt.host)
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
