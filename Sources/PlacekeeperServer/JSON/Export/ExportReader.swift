import PlacekeeperAPI
package import PlacekeeperCore
package import PlacekeeperService

/// Reads an export from a file, line by line. Trusts nothing in the file: line length is limited, the grammar is
/// checked before a line is decoded, and the last line must contain the digest of the lines before it.
package struct ExportReader: ImportFile {
    package private(set) var header: ExportHeader
    /// The SHA-256 of the lines between the header and the end, in hexadecimal digits. Nil until the file has been
    /// read.
    package private(set) var digest: String?
    /// The number of lines between the header and the end.
    package private(set) var lineCount = 0
    private var lines: FileLines
    private let hashing: any Hashing

    /// The maximum length of a line in bytes: the base64 of the largest archive and the largest screenshot, and a
    /// megabyte for the other members.
    static let longestLine = (Limits.archive + Limits.screenshot) / 3 * 4 + (1 << 20)
    private static let depth = 8
    private static let values = 1 << 13

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - rewind: makes `read` start over at the beginning of the file.
    ///   - read: returns the next bytes of the file, or no bytes at the end.
    package init(
        hashing: any Hashing, rewind: @escaping () throws(ServiceError) -> Void,
        read: @escaping () throws(ServiceError) -> [UInt8]
    ) throws(ServiceError) {
        self.hashing = hashing
        lines = FileLines(limit: Self.longestLine, rewind: rewind, read: read)
        header = try Self.header(&lines)
    }

    package mutating func forEachRecord(
        _ body: (ExportRecord) async throws(ServiceError) -> Void
    ) async throws(ServiceError) {
        try lines.begin()
        guard try Self.header(&lines) == header else {
            throw ServiceError(.importInvalid, "The file changed during the import.")
        }
        // The records' owner isn't known here. The import uses its own.
        let owner = UserKey(app: AppID(high: 0, low: 0), user: header.user)
        let hash = hashing.running()
        var count = 0
        while let text = try lines.next() {
            let line = try Self.decoded(text, lines)
            if case .end(let end) = line {
                try finish(end, count, hash.finish().hexadecimal)
                return
            }
            hash.update(text)
            hash.update([0x0A])
            count += 1
            let record: ExportRecord
            do {
                record = try ExportRecord(line, owner: owner)
            } catch {
                throw Self.located(error, lines)
            }
            do {
                try await body(record)
            } catch {
                throw Self.located(error, lines)
            }
        }
        throw ServiceError(.importInvalid, "The file is incomplete: its last line is missing.")
    }

    private mutating func finish(_ end: ExportLine.End, _ count: Int, _ digest: String) throws(ServiceError) {
        guard end.lines == count, end.sha256 == digest else {
            throw ServiceError(
                .importInvalid, "The file is damaged: its lines do not match the digest in its last line.")
        }
        guard try lines.next() == nil else {
            throw ServiceError(.importInvalid, "The file has lines after its end line.")
        }
        self.digest = digest
        lineCount = count
    }

    private static func header(_ lines: inout FileLines) throws(ServiceError) -> ExportHeader {
        guard let text = try lines.next(), case .header(let header) = try decoded(text, lines) else {
            throw ServiceError(.importInvalid, "The file does not begin with the header of an export.")
        }
        do {
            return try ExportHeader(header)
        } catch {
            throw located(error, lines)
        }
    }

    private static func decoded(_ text: [UInt8], _ lines: FileLines) throws(ServiceError) -> ExportLine {
        do {
            return try JSONBody.decode(
                ExportLine.self, from: try JSONBody.document(text, depth: depth, values: values))
        } catch {
            throw located(error, lines)
        }
    }

    /// Adds the line number to an error in a line. Errors of the store are returned unchanged.
    private static func located(_ error: any Error, _ lines: FileLines) -> ServiceError {
        let message: String
        switch error {
        case let error as ServiceError:
            let isAboutLine = ![.storeUnavailable, .storeFull, .storeFailed, .callerGone].contains(error.code)
            guard isAboutLine else { return error }
            message = error.message
        case let error as InvalidLine: message = error.message
        case let problem as Problem:
            let member = problem.document.pointer.map { " (\($0))" } ?? ""
            message =
                (problem.document.code == "invalid-body" ? problem.document.detail : "It is not valid JSON.") + member
        default: message = "It cannot be read."
        }
        return ServiceError(.importInvalid, "Line \(lines.number) of the file is not valid. \(message)")
    }
}
