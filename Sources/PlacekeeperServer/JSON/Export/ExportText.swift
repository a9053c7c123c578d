package import PlacekeeperCore
package import PlacekeeperService

/// The text of an export, in pieces. The digest in the last line covers all lines between the header and the end,
/// including their line feeds.
package struct ExportText: Sendable {
    private enum Part: Sendable { case header, records, end }

    /// The number of lines between the header and the end that have been returned so far.
    package private(set) var lineCount = 0
    /// The SHA-256 of these lines, in hexadecimal digits. Nil until the last line has been returned.
    package private(set) var digest: String?
    private var export: UserExport
    private let hash: any RunningHash
    private let version: String
    private var part = Part.header

    /// The size in bytes at which a piece ends. Only the last line of a piece may exceed it.
    private static let piece = 64 << 10

    /// - Parameter version: the version of the service, for the header.
    package init(_ export: UserExport, hashing: any Hashing, version: String) {
        self.export = export
        hash = hashing.running()
        self.version = version
    }

    /// Returns the next lines. Nil after the last line.
    package mutating func next() async throws -> [UInt8]? {
        var piece: [UInt8] = []
        while piece.count < Self.piece, part != .end {
            switch part {
            case .header:
                piece += try line(.header(ExportLine.Header(export.header, version: version)))
                part = .records
            case .records:
                if let record = try await export.next() {
                    let bytes = try line(ExportLine(record))
                    hash.update(bytes)
                    lineCount += 1
                    piece += bytes
                } else {
                    let digest = hash.finish().hexadecimal
                    piece += try line(.end(ExportLine.End(lines: lineCount, sha256: digest)))
                    self.digest = digest
                    part = .end
                }
            case .end: break
            }
        }
        return piece.isEmpty ? nil : piece
    }

    private func line(_ line: ExportLine) throws -> [UInt8] { try JSONBody.encode(line) + [0x0A] }
}
