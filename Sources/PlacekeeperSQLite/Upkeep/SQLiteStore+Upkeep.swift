package import PlacekeeperCore
package import PlacekeeperService

extension SQLiteStore {
    package func latestTime(of owner: UserKey) async throws(StoreError) -> Timestamp? {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.latestTime, owner)
            guard try select.step(), !select.isNull(0) else { return nil }
            return try select.time(0)
        }
    }

    /// Reads the users in small parts, so other tasks can run in between. Skips damaged times.
    package func latestTime() async throws(StoreError) -> Timestamp? {
        var latest: Timestamp?
        var last: Int64? = 0
        while let above = last {
            last = try readers.read { connection throws(StoreError) -> Int64? in
                let select = try connection.statement(.latestTimeOfUsers, above)
                guard try select.step(), !select.isNull(0) else { return nil }
                if !select.isNull(1) {
                    let time = try select.time(1)
                    latest = max(latest ?? time, time)
                }
                return try select.key(0)
            }
            await Task.yield()
        }
        return latest
    }

    package func add(_ counts: [Counter: Int]) async throws(StoreError) {
        guard !counts.isEmpty else { return }
        try await writer.write { transaction throws(StoreError) in
            for (counter, count) in counts {
                try transaction.connection.run(
                    .addCount, counter.hour, OrNoBytes(counter.app), counter.name, counter.labelAndGroup, count)
            }
        }
    }

    package func counts(from start: Timestamp, to end: Timestamp) async throws(StoreError) -> [Counter: Int] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.counts, start.hour, end.hour)
            var sums = CounterSums(from: start.hour)
            try select.add(to: &sums, leavingOut: damaged, label: 2) { row throws(StoreError) in
                row.withBytes(1) { $0.isEmpty } ? nil : try row.id(1)
            }
            return sums.counts
        }
    }

    package func counts(
        of app: AppID?, named name: String?, from start: Timestamp, to end: Timestamp, each hours: Int
    ) async throws(StoreError) -> [Counter: Int] {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(name == nil ? .countsOfApp : .namedCountsOfApp, start.hour, end.hour)
            select.bind(OrNoBytes(app), at: 3)
            if let name { select.bind(name, at: 4) }
            var sums = CounterSums(from: start.hour, each: hours)
            try select.add(to: &sums, leavingOut: damaged, label: 1) { _ in app }
            return sums.counts
        }
    }

    package func dropCounts(named name: String, after time: Timestamp) async throws(StoreError) {
        try await writer.write { transaction throws(StoreError) in
            try transaction.connection.run(.dropCounts, time.hour, name)
        }
    }

    /// Returns the size of all used pages in the database and its write-ahead log, in bytes.
    package func usedBytes() async throws(StoreError) -> Int {
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.usedPages)
            guard try select.step() else { throw .corrupt("The database does not report its number of pages.") }
            return try select.count(0) * Connection.pageSize
        }
    }

    package func fileSizes() async throws(StoreError) -> FileSizes? {
        let sizes = fileBytes
        return FileSizes(database: sizes.database, log: sizes.log)
    }

    package func check() async throws(StoreError) {
        guard !writer.hasFailedSync else {
            throw StoreError(
                .unavailable, "The disk did not store all pages of the database. Restart the service on a sound disk.")
        }
        try readers.read { connection throws(StoreError) in
            let select = try connection.statement(.storeRow)
            guard try select.step() else { throw .corrupt("The database's row of store settings is missing.") }
        }
        // This write fails if the disk is full.
        try await writer.write { transaction throws(StoreError) in
            try transaction.connection.touch()
        }
    }

    package var metrics: [Metric] {
        [
            Metric("waiting_writes", .gauge, "The writes that wait for a transaction.", writer.waitingWrites),
            Metric("transactions_total", .counter, "The committed transactions.", writer.commits),
            Metric("database_bytes", .gauge, "The size of the database's file.", fileBytes.database),
            Metric("log_bytes", .gauge, "The size of the write-ahead log's file.", fileBytes.log),
        ]
    }

    package func userVersion(of owner: UserKey) async throws(StoreError) -> UserVersion {
        versions.userVersion(of: owner)
    }
    package func knownUserVersion(of owner: UserKey) -> UserVersion? { versions.userVersion(of: owner) }

    package func externalInvalidations(following owners: [UserKey]) async throws(StoreError) -> Invalidations {
        let committed = try await writer.write(invalidations: { $0 ? .foreign : .none }) {
            transaction throws(StoreError) in
            try transaction.noticeExternalCommits()
        }
        // The other process may have erased a user whose data is still in the log.
        if committed.value { writer.wantEmptyLog() }
        return committed.invalidations
    }

    /// Reports damage to the database, references to missing rows, invalid values, and wrong counts of usage. Empty for
    /// an intact database. Reads the whole database.
    package func findings() async throws(StoreError) -> [String] {
        try readers.read { connection throws(StoreError) in
            let damage = try connection.values("PRAGMA integrity_check").filter { $0 != "ok" }
            let dangling = try connection.values("PRAGMA foreign_key_check").map {
                "A row of \($0) refers to a missing row."
            }
            return damage + dangling + (try connection.wrongRows()) + (try connection.wrongCounts())
        }
    }
}

extension Statement {
    /// Adds up counters: the hour, the app if any, the name from the column `label`, the label, and the count.
    fileprivate func add(
        to sums: inout CounterSums, leavingOut damaged: DamagedRows, label: Int32,
        app: (borrowing Statement) throws(StoreError) -> AppID?
    ) throws(StoreError) {
        _ = try rows(leavingOut: damaged, named: { _ in "a counter" }) { row throws(StoreError) in
            sums.add(
                try row.count(label + 2), hour: try row.number(0, .hour), app: try app(row), name: row.text(label),
                labelAndGroup: row.text(label + 1))
        }
    }
}

extension Connection {
    /// Writes a page without changing the data. SQLite doesn't write an unchanged page, so `last_registry` is raised
    /// and lowered again.
    func touch() throws(StoreError) {
        for step in [1, -1] as [Int64] {
            try run(.touch, step)
        }
    }
}

extension Query {
    fileprivate static let usedPages = Query(
        "SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count")
    fileprivate static let latestTime = Query("SELECT latest_time FROM user WHERE app = ?1 AND uuid = ?2")
    fileprivate static let latestTimeOfUsers = Query(
        """
        SELECT max(id), max(latest_time) FILTER (
            WHERE latest_time BETWEEN \(StoredNumber.time.range.lowerBound) AND \(StoredNumber.time.range.upperBound))
        FROM (SELECT id, latest_time FROM user WHERE id > ?1 ORDER BY id LIMIT 5000)
        """)
    fileprivate static let storeRow = Query("SELECT id FROM store")
    fileprivate static let touch = Query("UPDATE store SET last_registry = last_registry + ?1")
    fileprivate static let addCount = Query(
        """
        INSERT INTO counter VALUES (?1, ?2, ?3, ?4, ?5)
        ON CONFLICT DO UPDATE SET count = count + excluded.count
        """)
    fileprivate static let dropCounts = Query("DELETE FROM counter WHERE hour > ?1 AND name = ?2")
    fileprivate static let counts = Query(
        "SELECT hour, app, name, label, count FROM counter WHERE hour BETWEEN ?1 AND ?2")
    /// Searches the primary key once for each hour, so counts of other apps aren't read.
    fileprivate static let countsOfApp = Query(countsByHour)
    fileprivate static let namedCountsOfApp = Query(countsByHour + " AND name = ?4")
    private static let countsByHour = """
        WITH RECURSIVE hours(hour) AS (
            SELECT ?1 WHERE ?1 <= ?2 UNION ALL SELECT hour + 1 FROM hours WHERE hour < ?2)
        SELECT counter.hour, name, label, count
        FROM hours CROSS JOIN counter ON counter.hour = hours.hour AND app = ?3
        """
}
