import PlacekeeperCore
import PlacekeeperService

/// The JSON form of a transfer.
struct TransferReport: Encodable {
    /// The number of rows of each table, in the form common to both databases.
    var tables: [String: Int]
    var rows: Int
    var bytes: Int
    /// The digest of the source. The copy has the same digest.
    var digest: String
    var digestOfCopy: String
    var milliseconds: Int64
    private let counts: [Transfer.Count]

    private enum CodingKeys: CodingKey { case tables, rows, bytes, digest, digestOfCopy, milliseconds }

    init(_ report: Transfer.Report, time: Duration) {
        counts = report.counts
        tables = Dictionary(uniqueKeysWithValues: counts.map { ($0.table, $0.rows) })
        rows = counts.reduce(0) { $0 + $1.rows }
        bytes = report.bytes
        digest = Self.digits(report.digest)
        digestOfCopy = Self.digits(report.digestOfCopy)
        milliseconds = time.wholeMilliseconds
    }

    private static func digits(_ digest: Digest) -> String {
        digest.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// - Parameter next: a sentence about the next step.
    func text(_ next: String) -> String {
        let table = Table(header: ["TABLE", "ROWS"], rows: counts.map { [$0.table, String($0.rows)] })
        return """
            \(table.text)
            \(rows) rows, \(bytes) bytes, \(milliseconds / 1000).\(milliseconds / 100 % 10) seconds
            digest of the original  \(digest)
            digest of the copy      \(digestOfCopy)
            \(next)
            """
    }
}
