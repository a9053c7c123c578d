import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// The place of an archive's bytes in a segment. A segment is a file beside the database, to which the writer appends the
/// bytes of larger archives (docs/decisions/0085-larger-archives-in-segments.md). The database has the places.
package struct SegmentPlace: Sendable, Hashable {
    /// The number of the segment.
    var segment: Int64
    /// The number of bytes in the segment before this place, a multiple of `block`.
    var position: Int64
    /// The number of bytes.
    var size: Int64

    /// Stored bytes of at least this number are in a segment. Fewer bytes are in the database: a group of them would need
    /// one more sync of the disk, which takes longer than to copy the bytes.
    package static let minimum = 16 << 10
    /// Each place begins at a multiple of this number, so that the blocks of a removed archive contain no other bytes.
    static let block: Int64 = 4096
    /// A segment of at least this number of bytes gets no more bytes.
    package static let fullSegment: Int64 = 256 << 20

    /// The number of bytes of the place's blocks.
    var usedBytes: Int64 { Self.blocks(size) }

    /// Rounds a number of bytes up to whole blocks.
    static func blocks(_ size: Int64) -> Int64 { (size + block - 1) / block * block }

    /// The path of a segment of a database.
    static func path(of segment: Int64, beside database: String) -> String { "\(prefix(beside: database))\(segment)" }

    /// The beginning of the paths of a database's segments. A segment's number follows it.
    static func prefix(beside database: String) -> String { database + "-segment-" }

    /// Reads the bytes. Nil if the file is missing or too short.
    func read(beside database: String) throws(StoreError) -> [UInt8]? {
        guard let file = try File.existing(Self.path(of: segment, beside: database), O_RDONLY) else { return nil }
        var bytes = try file.read(at: Int(position), count: Int(size))
        while bytes.count < size {
            let rest = try file.read(at: Int(position) + bytes.count, count: Int(size) - bytes.count)
            if rest.isEmpty { return nil }
            bytes += rest
        }
        return bytes
    }
}

extension Statement {
    /// Reads a place from three columns. Nil if the bytes are in the database.
    func segmentPlace(_ first: Int32) throws(StoreError) -> SegmentPlace? {
        if isNull(first) { return nil }
        return SegmentPlace(
            segment: try number(first, .count), position: try number(first + 1, .count),
            size: try number(first + 2, .size))
    }
}

extension Connection {
    /// Returns wrong counts of segments, and segments without all their bytes.
    func wrongSegments(beside database: String) throws(StoreError) -> [String] {
        var wrong: [String] = []
        let select = try statement(.segmentCounts)
        while try select.step() {
            let number = try select.key(0)
            if select.clampedNumber(2, .any) != select.clampedNumber(3, .any) {
                wrong.append("Segment \(number) has a wrong count of bytes.")
            }
            let file = try File.existing(SegmentPlace.path(of: number, beside: database), O_RDONLY)
            let size = try file?.size() ?? 0
            if size < select.clampedNumber(4, .any) { wrong.append("Bytes of segment \(number) are missing.") }
        }
        return wrong
    }
}

extension Query {
    fileprivate static let segmentCounts = Query(
        """
        SELECT number, segment.size, used, coalesce(sum((content.size + 4095) / 4096 * 4096), 0),
            coalesce(max(content.position + content.size), 0)
        FROM segment LEFT JOIN content ON content.segment = segment.number GROUP BY number
        """)
}
