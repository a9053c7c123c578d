import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperService
import PlacekeeperSystem

/// A file with bytes that no commit has. A process leaves such a file if it ends during a transaction. No process appends
/// to the file while this value exists.
final class SegmentRemains: Sendable {
    let number: Int64
    private let path: String
    private let file: File

    /// Nil if there is no such file, or if a process appends to it.
    init?(_ number: Int64, at path: String) throws(StoreError) {
        guard let file = try File.existing(path, O_RDWR), file.tryLock(LOCK_EX) else { return nil }
        (self.number, self.path) = (number, path)
        self.file = file
    }

    func size() throws(StoreError) -> Int64 { Int64(try file.size()) }

    /// Cuts off the bytes after `size`. Deletes the file if `size` is nil.
    func delete(keeping size: Int64?) throws(StoreError) {
        guard let size else { return _ = unlink(path) }
        if try self.size() > size { try file.truncate(to: Int(size)) }
    }
}

extension SegmentWriter {
    /// Returns the files that the database does not know, and the files with bytes that no commit has. Writes a page, too: if
    /// a process ended in its commit, SQLite may still find this commit complete in the log, until another commit is written
    /// over it.
    func remains(in connection: Connection) throws(StoreError) -> [SegmentRemains] {
        try connection.touch()
        var found: [SegmentRemains] = []
        let prefix = SegmentPlace.prefix(beside: database)
        let directory = FileNames.directory(of: database)
        for name in try File.names(in: directory) {
            let path = directory + "/" + name
            guard path.hasPrefix(prefix), let number = Int64(path.dropFirst(prefix.count)),
                number != activeNumber, let remains = try SegmentRemains(number, at: path),
                try remains.size() > connection.sizeOfSegment(number) ?? -1
            else { continue }
            found.append(remains)
        }
        return found
    }

    /// Deletes and cuts the files that `remains` returned in an earlier transaction.
    ///
    /// - Parameter ends: the ends of the contents in each segment. No content is cut, even if a segment's row is damaged.
    func delete(_ remains: [SegmentRemains], keeping ends: [Int64: Int64], in connection: Connection) throws(StoreError)
    {
        for file in remains {
            let size = try connection.sizeOfSegment(file.number)
            try file.delete(keeping: size.map { max($0, ends[file.number] ?? 0) })
        }
    }
}

extension Connection {
    /// The end of the bytes in a segment that commits have. Nil if there is no such segment.
    func sizeOfSegment(_ number: Int64) throws(StoreError) -> Int64? {
        let select = try statement(.sizeOfSegment)
        select.bind(number, at: 1)
        return try select.step() ? select.number(0, .count) : nil
    }

    /// The end of the last content in a segment. Reads all contents.
    func endOfContents(in segment: Int64) throws(StoreError) -> Int64 {
        let select = try statement(.endOfContents)
        select.bind(segment, at: 1)
        return try select.step() ? select.clampedNumber(0, .count) : 0
    }
}

extension Query {
    fileprivate static let sizeOfSegment = Query("SELECT size FROM segment WHERE number = ?1")
    fileprivate static let endOfContents = Query(
        "SELECT coalesce(max(position + size), 0) FROM content WHERE segment = ?1")
}
