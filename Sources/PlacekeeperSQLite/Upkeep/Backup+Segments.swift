import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperService
import PlacekeeperSystem

extension Backup {
    /// Stops sweeps of the segments until the returned file is closed. Waits for the end of a sweep, which takes
    /// milliseconds.
    static func lockSegments(of database: String) throws(StoreError) -> File {
        let start = ContinuousClock.now
        while ContinuousClock.now - start < .seconds(10) {
            if let lock = try SegmentSweep.lock(database, LOCK_SH) { return lock }
            usleep(1000)
        }
        throw StoreError(.unavailable, "The segments are locked by another process.")
    }

    /// Moves the bytes that a copy of a database has in the segments of `source` into the copy, so that the copy is a
    /// single file. A row whose bytes are missing gets none, and the check of the archives' bytes reports it.
    static func takeIn(
        segmentsOf source: String, to copy: String, report: Report
    ) throws(StoreError) {
        let connection = try open(copy)
        guard try Migrations.version(of: connection) > 0 else { return }
        // The copy is synced at its end, and is written anew after a failure.
        try connection.execute("PRAGMA synchronous = OFF")
        guard try connection.number("SELECT count(*) FROM segment") > 0 else { return }
        let count = try connection.number("SELECT count(*) FROM content WHERE segment IS NOT NULL")
        try connection.execute("BEGIN")
        var (taken, last) = (0, Int64(0))
        while let (row, place) = try connection.nextContent(above: last) {
            let update = try connection.statement(.takeInBytes)
            update.bind(row, at: 1)
            // A backup with a damaged archive is better than none.
            let bytes = try? place?.read(beside: source)
            try update.run(binding: bytes ?? [], at: 2)
            (taken, last) = (taken + 1, row)
            if taken.isMultiple(of: 64) { report(.copying(min(1, Double(taken) / Double(max(count, 1))))) }
        }
        try connection.execute("DELETE FROM freed; DELETE FROM segment; COMMIT")
    }

    /// Deletes the segments of a database that was replaced.
    static func deleteSegments(of database: String) throws(StoreError) {
        let directory = FileNames.directory(of: database)
        for name in try File.names(in: directory) {
            let path = directory + "/" + name
            if path.hasPrefix(SegmentPlace.prefix(beside: database)) { unlink(path) }
        }
        unlink(database + "-segments")
    }
}

extension Connection {
    /// The next row of `content` whose bytes are in a segment. The place is nil if it is damaged.
    fileprivate func nextContent(above row: Int64) throws(StoreError) -> (row: Int64, place: SegmentPlace?)? {
        let select = try statement(.nextContentInSegment)
        select.bind(row, at: 1)
        return try select.step() ? (try select.key(0), try? select.segmentPlace(1)) : nil
    }
}

extension Query {
    fileprivate static let nextContentInSegment = Query(
        "SELECT id, segment, position, size FROM content WHERE id > ?1 AND segment IS NOT NULL ORDER BY id LIMIT 1")
    fileprivate static let takeInBytes = Query(
        "UPDATE content SET bytes = ?2, segment = NULL, position = NULL, size = NULL WHERE id = ?1")
}
