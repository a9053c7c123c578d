import CLibrary
import RestorationService

/// Appends the bytes of larger archives to a segment, and keeps the counts of the table `segment`. The writer's
/// transactions use it on the writer's queue. The bytes of a transaction are on the disk before the transaction is
/// committed, so a place in the database always has its bytes.
final class SegmentWriter {
    private let database: String
    /// The maximum size of the database and its segments together. Nil if only the disk limits the size.
    private let maximumBytes: Int?
    private let minimum: Int
    private var active: Active?
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
        /// The end of the committed bytes. Nil if the segment's row is not committed yet.
        var committedEnd: Int64?
        var end: Int64
        var syncedEnd: Int64
    }

    /// - Parameter minimum: stored bytes of at least this number are in a segment.
    init(database: String, maximumBytes: Int?, minimum: Int = SegmentPlace.minimum) {
        self.database = database
        self.maximumBytes = maximumBytes
        self.minimum = minimum
    }

    /// Whether bytes were appended or freed in this transaction.
    var hasChanges: Bool { !changes.isEmpty || active.map { $0.end != $0.committedEnd } ?? false }

    /// The writer calls this method before a transaction begins.
    func prepare(_ connection: Connection) throws(StoreError) {
        guard isDoubtful else { return }
        // After this commit, the log no longer has the failed commit.
        try connection.commitNothing()
        isDoubtful = false
        rewind()
    }

    /// Appends bytes to a segment. Nil if the bytes are so few that they belong into the database.
    func append(_ bytes: [UInt8], in connection: Connection) throws(StoreError) -> SegmentPlace? {
        guard bytes.count >= minimum else { return nil }
        var segment = if let active { active } else { try open(in: connection) }
        // The segment stays open if the bytes cannot be written.
        active = segment
        if let maximumBytes, try !hasRoom(for: Int64(bytes.count), within: maximumBytes, in: connection) {
            throw StoreError(.full, "The database has its maximum size.")
        }
        let place = SegmentPlace(
            segment: segment.file.number, position: SegmentPlace.blocks(segment.end), size: Int64(bytes.count))
        try segment.file.write(bytes, at: place.position)
        segment.end = place.position + place.size
        active = segment
        changes[place.segment, default: 0] += place.usedBytes
        return place
    }

    /// Frees the place of a content that is about to be removed or replaced, if its bytes are in a segment.
    func free(_ content: Int64, in connection: Connection) throws(StoreError) {
        let insert = try connection.statement(.freePlace)
        insert.bind(content, at: 1)
        while try insert.step() {
            guard let place = try insert.segmentPlace(0) else { continue }
            changes[place.segment, default: 0] -= place.usedBytes
            freedNow += 1
        }
    }

    /// Syncs the appended bytes and stores the counts. The transaction calls this method directly before its commit.
    func store(in connection: Connection) throws(StoreError) {
        guard hasChanges else { return }
        if let segment = active, segment.end > segment.syncedEnd {
            try segment.file.sync()
            active?.syncedEnd = segment.end
        }
        for (segment, change) in changes {
            let update = try connection.statement(.changeSegment)
            update.bind(segment, at: 1)
            update.bind(change, at: 2)
            update.bind(segment == active?.file.number ? active?.end ?? 0 : 0, at: 3)
            try update.run()
        }
        try limitPages(of: connection)
        isDoubtful = true
    }

    /// The transaction calls this method after its commit.
    func commit() {
        isDoubtful = false
        if let end = active?.end {
            active?.committedEnd = end
            if end >= SegmentPlace.fullSegment { active = nil }
        }
        freed += freedNow
        (changes, freedNow) = ([:], 0)
    }

    /// Forgets the changes of a transaction that is rolled back.
    func rollBack() {
        (changes, freedNow) = ([:], 0)
        if !isDoubtful { rewind() }
    }

    /// Lets other processes append to the segment. The writer calls this method after its last commit.
    func close() { active = nil }

    /// Returns whether a sweep has something to do, and counts anew.
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
            while try select.step() { unused.append(select.integer(0)) }
        }
        var dropped: [Int64] = []
        for number in unused where number != active?.file.number {
            let file = try File.existing(SegmentPlace.path(of: number, beside: database), O_RDWR)
            guard file?.tryLock(LOCK_EX) ?? true else { continue }
            let delete = try connection.statement(.deleteSegment)
            delete.bind(number, at: 1)
            try delete.run()
            dropped.append(number)
        }
        return dropped
    }

    /// Deletes files that the database does not know, and cuts off bytes that no commit has. A process leaves both if it
    /// ends during a transaction. The transaction must have the lock for writing, so that no other process makes a segment.
    func deleteRemains(in connection: Connection) throws(StoreError) {
        var sizes: [Int64: Int64] = [:]
        do {
            let select = try connection.statement(.segments)
            while try select.step() { sizes[select.integer(0)] = select.integer(1) }
        }
        let prefix = SegmentPlace.prefix(beside: database)
        let directory = File.directory(of: database)
        for name in try File.names(in: directory) {
            let path = directory + "/" + name
            guard path.hasPrefix(prefix), let number = Int64(path.dropFirst(prefix.count)),
                number != active?.file.number, let file = try File.existing(path, O_RDWR), file.tryLock(LOCK_EX)
            else { continue }
            if let size = sizes[number] {
                if try file.size() > size { try file.truncate(to: Int(size)) }
            } else {
                unlink(path)
            }
        }
    }

    /// Opens a segment with room to which no other process appends, or creates a segment.
    private func open(in connection: Connection) throws(StoreError) -> Active {
        var known: [(number: Int64, size: Int64)] = []
        do {
            let select = try connection.statement(.segmentsWithRoom)
            select.bind(SegmentPlace.fullSegment, at: 1)
            while try select.step() { known.append((select.integer(0), try select.number(1))) }
        }
        for (number, size) in known {
            let file: SegmentFile?
            do throws(StoreError) {
                file = try SegmentFile(number, beside: database)
            } catch {
                continue
            }
            // A file that is too short is damaged.
            guard let file, try file.size() >= size else { continue }
            // A process that ended left bytes that were not committed.
            if try file.size() > size { try file.truncate(to: size) }
            return Active(file: file, committedEnd: size, end: size, syncedEnd: size)
        }
        let insert = try connection.statement(.insertSegment)
        try insert.run()
        let file = try SegmentFile.create(connection.lastInsertedRow, beside: database)
        return Active(file: file, committedEnd: nil, end: 0, syncedEnd: 0)
    }

    /// Gives up the bytes after the committed bytes.
    private func rewind() {
        // The file of a segment without a row is not deleted here, because another process may already use its number.
        guard let end = active?.committedEnd else { return active = nil }
        active?.end = end
        active?.syncedEnd = end
    }

    private func hasRoom(
        for bytes: Int64, within maximumBytes: Int, in connection: Connection
    ) throws(StoreError) -> Bool {
        let select = try connection.statement(.usedPages)
        guard try select.step() else { throw .corrupt("The database does not report its number of pages.") }
        let pages = try select.number(0) * Int64(Connection.pageSize)
        return pages + (try usedBytes(in: connection)) + bytes <= maximumBytes
    }

    /// The bytes that the segments use, with the changes of this transaction.
    private func usedBytes(in connection: Connection) throws(StoreError) -> Int64 {
        try connection.usedBytesOfSegments() + changes.values.reduce(0, +)
    }

    /// Lets the database grow by what the segments leave of the maximum.
    func limitPages(of connection: Connection) throws(StoreError) {
        guard let maximumBytes else { return }
        let rest = Int64(maximumBytes) - (try connection.usedBytesOfSegments())
        try connection.execute("PRAGMA max_page_count = \(max(1, rest / Int64(Connection.pageSize)))")
    }
}

extension Connection {
    func usedBytesOfSegments() throws(StoreError) -> Int64 {
        let select = try statement(.usedBytesOfSegments)
        return try select.step() ? try select.number(0) : 0
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
    fileprivate static let insertSegment = Query("INSERT INTO segment (size, used) VALUES (0, 0)")
    fileprivate static let deleteSegment = Query("DELETE FROM segment WHERE number = ?1")
    fileprivate static let segments = Query("SELECT number, size FROM segment")
    fileprivate static let segmentsWithRoom = Query(
        "SELECT number, size FROM segment WHERE size < ?1 ORDER BY number DESC LIMIT 8")
    fileprivate static let unusedSegments = Query(
        """
        SELECT number FROM segment
        WHERE used = 0 AND NOT EXISTS (SELECT 1 FROM freed WHERE freed.segment = segment.number)
        """)
    fileprivate static let usedBytesOfSegments = Query("SELECT coalesce(sum(used), 0) FROM segment")
}
