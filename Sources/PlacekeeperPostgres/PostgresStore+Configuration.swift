import PlacekeeperCore
import PlacekeeperSystem

extension PostgresStore {
    package struct Configuration: Sendable {
        /// The URL of the database: `postgres://user@host:port/database`, or another form that libpq accepts. A
        /// password in the URL is visible to others; pass it in `password` or in a file named by PGPASSFILE instead.
        package var url: String
        package var password: String?
        /// The file that stores the newest known primary of the database (`KnownPrimary`). `nil` to store it nowhere.
        package var primaryFile: String?
        /// The maximum number of connections: half of them for writes, a quarter for reads, a quarter for reading
        /// users' versions, and at least one of each. One extra connection receives hints from other instances.
        package var connections = 4 * max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        /// The maximum number of users whose writes share a transaction. Use 1 for an engine that puts users on
        /// different machines; each connection for writes then has its own transaction.
        package var usersPerTransaction = 32
        /// The maximum number of requests waiting for a connection. Further requests are rejected.
        package var waitingRequests = 4096
        /// The maximum time for a write. A delta of items may take three times as long.
        package var deadline: Duration = .seconds(8)
        /// The maximum time for a read.
        package var readDeadline: Duration = .seconds(4)
        /// The maximum time for migrating the tables, which may include building indexes.
        package var migrationDeadline: Duration = .seconds(1800)
        /// The maximum time for recording that a device was served an archive. The device waits for it.
        package var servingDeadline: Duration = .seconds(2)
        /// How many times a write is attempted when other writes to the same data keep winning.
        package var attempts = 64

        /// Called before the tables are migrated to a schema version.
        package var willMigrate: @Sendable (_ version: Int) -> Void = { _ in }
        /// Logs a line about each damaged row that a read skipped.
        package var report: @Sendable (String) -> Void = { _ in }

        package init(url: String) { self.url = url }
    }
}

extension PostgresStore.Configuration {
    /// Throws `unusable` if libpq doesn't understand the URL. Reports no part of it, because it may contain a password.
    func checkURL() throws(StoreError) {
        let libpq = try Libpq.shared
        guard let options = libpq.parseURL(url, nil) else {
            throw StoreError(.unusable, "The URL of the database is not valid.")
        }
        libpq.freeOptions(options)
    }
}
