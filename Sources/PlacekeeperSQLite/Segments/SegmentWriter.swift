import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// Appends the bytes of larger archives to a segment, and keeps the counts of the table `segment`. The writer's
/// transactions use it on the writer's queue. The bytes of a transaction are on the disk before the transaction is
/// committed, so a place in the database always has its bytes.
final class SegmentWriter {
    let database: String
    /// The maximum size of the database and its segments together. Nil if only the disk limits the size.
    private let maximumBytes: Int?
    private let minimum: Int
    private let fullSize: Int64
    private var active: Active?
    /// Whether this transaction has compared the active segment with its row, or has inserted the row.
    private var isActiveChecked = false
    /// The changes of `segment.used` in this transaction, by segment.
    private var changes: [Int64: Int64] = [:]
    private var freedNow = 0
    /// The number of places that committed transactions freed and that no sweep has taken up yet.
    private var freed = 0
    /// Whether a commit failed after bytes were appended. If the power failed now, SQLite might find the commit complete
    /// in the log. So the bytes stay until the next commit is durable.
    private var isDoubtful = false

    /// The segment that gets the next bytes.
    private struct Active {
        let file: SegmentFile
        /// The end of the committed bytes. Nil if the segment's row is not committed yet: the row is inserted by each
        /// transaction that appends bytes, until one is committed.
        var committedEnd: Int64?
        var end: Int64

        var hasUncommittedBytes: Bool { end != committedEnd ?? 0 }
    }

    /// The number of the segment that gets the next bytes.
    var activeNumber: Int64? { active?.file.number }

    /// - Parameters:
    ///   - minimum: stored bytes of at least this number are in a segment.
    ///   - fullSize: a segment of at least this number of bytes gets no more bytes.
    init(
        database: String, maximumBytes: Int? = nil, minimum: Int = SegmentPlace.minimum,
        fullSize: Int64 = SegmentPlace.fullSegment
    ) {
        self.database = database
        self.maximumBytes = maximumBytes
        self.minimum = max(minimum, SegmentPlace.minimum)
        self.fullSize = fullSize
    }

    /// Whether bytes were appended or freed in this transaction.
    var hasChanges: Bool { !changes.isEmpty || active?.hasUncommittedBytes == true }

    /// The writer calls this method before a transaction begins.
    func prepare(_ connection: Connection) throws(StoreError) {
        guard isDoubtful else { return }
        // After this commit, the log no longer has the failed commit.
        try connection.commitNothing()
        isDoubtful = false
        rewind()
    }

    /// Appends bytes to a segment. Nil if the bytes belong in the database: they are few, or a segment would exceed the
    /// maximum size, and the database may still have free pages.
    func append(_ bytes: [UInt8], in connection: Connection) throws(StoreError) -> SegmentPlace? {
        guard bytes.count >= minimum, try hasRoom(for: Int64(bytes.count), in: connection) else { return nil }
        try checkActive(in: connection)
        var segment = if let active { active } else { try open(in: connection) }
        isActiveChecked = true
        let place = SegmentPlace(
            segment: segment.file.number, position: SegmentPlace.blocks(segment.end), size: Int64(bytes.count))
        segment.end = place.position + place.size
        active = segment
        changes[place.segment, default: 0] += place.usedBytes
        // If this fails, the transaction is rolled back, and the written part of the bytes is cut off.
        try segment.file.write(bytes, at: place.position)
        return place
    }

    /// Compares the active segment with its row, once in each transaction.
    private func checkActive(in connection: Connection) throws(StoreError) {
        guard !isActiveChecked, let segment = active else { return }
        guard let end = segment.committedEnd else {
            // If the file system has no locks, another process may have deleted the file.
            guard try segment.file.isAtItsPath() else { return active = nil }
            return try insertRow(of: segment.file.number, in: connection)
        }
        // If the file system has no locks, another process may have appended to the segment.
        if try connection.sizeOfSegment(segment.file.number) != end { active = nil }
    }

    /// Frees the place of a content that is about to be removed or replaced, if its bytes are in a segment.
    func free(_ content: Int64, in connection: Connection) throws(StoreError) {
        let insert = try connection.statement(.freePlace)
        insert.bind(content, at: 1)
        while try insert.step() {
            guard let place = try? insert.segmentPlace(0) else { continue }
            changes[place.segment, default: 0] -= place.usedBytes
            freedNow += 1
        }
    }

    /// Syncs the appended bytes and stores the counts. The transaction calls this method directly before its commit.
    func store(in connection: Connection) throws(StoreError) {
        if let segment = active, segment.hasUncommittedBytes { try segment.file.sync() }
        for (segment, change) in changes {
            let update = try connection.statement(.changeSegment)
            update.bind(segment, at: 1)
            update.bind(change, at: 2)
            update.bind(segment == activeNumber ? active?.end ?? 0 : 0, at: 3)
            try update.run()
        }
        try limitPages(of: connection)
        isDoubtful = true
    }

    /// The transaction calls this method after its commit.
    func commit() {
        isDoubtful = false
        if let end = active?.end, active?.committedEnd != nil || isActiveChecked {
            active?.committedEnd = end
            if end >= fullSize { active = nil }
        }
        freed += freedNow
        endTransaction()
    }

    /// Forgets the changes of a transaction that was rolled back.
    func rollBack(_ connection: Connection) {
        endTransaction()
        if !isDoubtful { rewind() }
        // If this fails, the old limit stays until the next call.
        _ = Result { () throws(StoreError) in try limitPages(of: connection) }
    }

    private func endTransaction() { (changes, freedNow, isActiveChecked) = ([:], 0, false) }

    /// Lets other processes append to the segment. The writer calls this method after its last commit.
    func close(_ connection: Connection) {
        // If this fails, the segment stays locked until the process ends.
        guard (try? prepare(connection)) != nil else { return }
        active = nil
    }

    /// Returns whether at least `count` places were freed since the last sweep, and then resets the count.
    func takeFreed(atLeast count: Int) -> Bool {
        guard freed >= count else { return false }
        freed = 0
        return true
    }

    /// Removes the rows of unused segments to which no process appends. The caller deletes the files after the commit.
    func dropUnused(in connection: Connection) throws(StoreError) -> [Int64] {
        var unused: [Int64] = []
        do {
            let select = try connection.statement(.unusedSegments)
            while try select.step() { unused.append(try select.key(0)) }
        }
        var dropped: [Int64] = []
        for number in unused where number != activeNumber {
            let file = try File.existing(SegmentPlace.path(of: number, beside: database), O_RDWR)
            guard file?.tryLock(LOCK_EX) ?? true else { continue }
            let delete = try connection.statement(.deleteSegment)
            delete.bind(number, at: 1)
            try delete.run()
            dropped.append(number)
        }
        return dropped
    }

    /// Opens a segment with room to which no other process appends, or creates a segment.
    private func open(in connection: Connection) throws(StoreError) -> Active {
        var known: [(number: Int64, size: Int64)] = []
        do {
            let select = try connection.statement(.segmentsWithRoom)
            select.bind(fullSize, at: 1)
            while try select.step() { known.append((try select.key(0), try select.number(1, .count))) }
        }
        for (number, size) in known {
            let file: SegmentFile?
            do throws(StoreError) {
                file = try SegmentFile(number, beside: database)
            } catch {
                continue
            }
            // A shorter file is damaged. A longer file has bytes of a process that ended. Housekeeping cuts off these bytes.
            guard let file, try file.size() == size else { continue }
            return Active(file: file, committedEnd: size, end: size)
        }
        return Active(file: try create(in: connection), committedEnd: nil, end: 0)
    }

    private func create(in connection: Connection) throws(StoreError) -> SegmentFile {
        let first = try connection.nextSegmentNumber()
        // A process that ended may have left a file.
        for number in first..<first + 1000 {
            guard let file = try SegmentFile.create(number, beside: database) else { continue }
            try insertRow(of: number, in: connection)
            return file
        }
        throw StoreError(.unavailable, "There are too many files with names of segments.")
    }

    private func insertRow(of segment: Int64, in connection: Connection) throws(StoreError) {
        for query in [Query.insertSegment, .noteSegment] {
            let write = try connection.statement(query)
            write.bind(segment, at: 1)
            try write.run()
        }
    }

    /// Removes the bytes after the committed bytes.
    private func rewind() {
        guard let segment = active, segment.hasUncommittedBytes else { return }
        let end = segment.committedEnd ?? 0
        // If the bytes stay, another segment gets the next bytes, and housekeeping cuts off these bytes.
        guard (try? segment.file.truncate(to: end)) != nil else { return active = nil }
        active?.end = end
    }

    private func hasRoom(for bytes: Int64, in connection: Connection) throws(StoreError) -> Bool {
        guard let maximumBytes else { return true }
        let select = try connection.statement(.pageCount)
        guard try select.step() else { throw .corrupt("The database does not report its number of pages.") }
        let pages = try select.number(0, .count) * Int64(Connection.pageSize)
        let used = try connection.usedBytesOfSegments() + changes.values.reduce(0, +)
        return pages + used + SegmentPlace.blocks(bytes) <= maximumBytes
    }

    /// Limits the pages of the database to the maximum size without the bytes that the segments use.
    func limitPages(of connection: Connection) throws(StoreError) {
        guard let maximumBytes else { return }
        let rest = Int64(maximumBytes) - (try connection.usedBytesOfSegments())
        try connection.execute("PRAGMA max_page_count = \(max(1, rest / Int64(Connection.pageSize)))")
    }
}

extension Connection {
    func usedBytesOfSegments() throws(StoreError) -> Int64 {
        let select = try statement(.usedBytesOfSegments)
        return try select.step() ? select.clampedNumber(0, .count) : 0
    }

    fileprivate func nextSegmentNumber() throws(StoreError) -> Int64 {
        let select = try statement(.lastSegmentNumber)
        return try select.step() ? select.number(0, .count) + 1 : 1
    }
}

extension Query {
    fileprivate static let freePlace = Query(
        """
        INSERT INTO freed SELECT segment, position, size FROM content WHERE id = ?1 AND segment IS NOT NULL
        RETURNING segment, position, size
        """)
    fileprivate static let changeSegment = Query(
        "UPDATE segment SET used = used + ?2, size = max(size, ?3) WHERE number = ?1")
    fileprivate static let insertSegment = Query("INSERT INTO segment (number, size, used) VALUES (?1, 0, 0)")
    fileprivate static let lastSegmentNumber = Query("SELECT last_segment FROM store")
    fileprivate static let noteSegment = Query("UPDATE store SET last_segment = max(last_segment, ?1)")
    fileprivate static let deleteSegment = Query("DELETE FROM segment WHERE number = ?1")
    fileprivate static let pageCount = Query("SELECT page_count FROM pragma_page_count")
    fileprivate static let segmentsWithRoom = Query(
        "SELECT number, size FROM segment WHERE number > 0 AND size >= 0 AND size < ?1 ORDER BY number DESC LIMIT 8")
    fileprivate static let unusedSegments = Query(
        """
        SELECT number FROM segment
        WHERE used = 0 AND NOT EXISTS (SELECT 1 FROM freed WHERE freed.segment = segment.number)
        """)
    fileprivate static let usedBytesOfSegments = Query(
        "SELECT coalesce(sum(min(max(used, 0), 1 << 40)), 0) FROM segment")
}
