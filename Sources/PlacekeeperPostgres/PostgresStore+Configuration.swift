import PlacekeeperSystem

extension PostgresStore {
    package struct Configuration: Sendable {
        /// The URL of the database: `postgres://user@host:port/database`, or another form that libpq reads. A password
        /// in the URL is visible to others, so give it in `password` or in a file that the variable PGPASSFILE names.
        package var url: String
        package var password: String?
        /// The file that keeps the newest known primary of the database (`KnownPrimary`). Nil if nothing keeps it.
        package var primaryFile: String?
        /// The maximum number of connections: half of them for writes, a quarter for reads, and a quarter for reading the
        /// versions of users. There is at least one of each kind. One more connection receives the hints of other
        /// instances.
        package var connections = 4 * max(2, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        /// The maximum number of transactions of users' writes at the same time. Fewer transactions have more writes each.
        package var transactions = 2
        /// The maximum number of users whose writes share a transaction. 1 for an engine that keeps users on different
        /// machines. Then each connection for writes has a transaction of its own.
        package var usersPerTransaction = 32
        /// The maximum number of requests that wait for a connection. Further requests are refused.
        package var waitingRequests = 4096
        /// The maximum time of a write. A delta of items may take three times as long.
        package var deadline: Duration = .seconds(8)
        /// The maximum time of a read.
        package var readDeadline: Duration = .seconds(4)
        /// The maximum time of a migration of the tables, which may build indexes.
        package var migrationDeadline: Duration = .seconds(1800)
        /// The maximum time in which it is noted that a device was served an archive. The device waits for it.
        package var servingDeadline: Duration = .seconds(2)
        /// How often a write is decided again after another write to the same data was first.
        package var attempts = 64

        /// Receives a line for the log about each damaged row that was left out.
        package var report: @Sendable (String) -> Void = { _ in }

        package init(url: String) { self.url = url }
    }
}
