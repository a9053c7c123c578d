import CLibrary
import PlacekeeperServer
import RestorationService

extension Subcommand {
    static let userExport = Subcommand(
        name: "user export", summary: "write all data of a user as lines of JSON",
        operands: ["APP", "[SUBJECT]"], options: [.data, .database, .databasePassword, .userInsteadOfSubject, .output],
        discussion: """
            Writes the export to standard output, or to a new file that only its owner can read. docs/export-format.md
            describes the lines. The last line has the digest of the lines before it, so that a file that is not whole
            is noticed. The export has no tokens and no secrets. A user with a damaged archive is not exported. A service may run on the same directory at the same
            time. Exit code 1 means that there is no such user.
            """,
        examples: [
            (
                "user export com.example.photos anna --output anna.ndjson",
                "writes the data of the account anna to a new file"
            ),
            (
                "user export com.example.photos --user 7d4f…", "writes the data of an anonymous user to standard output"
            ),
        ]
    ) { arguments throws(CommandFailure) in
        FreedMemory.returnToSystem()
        return try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let (app, owner) = try await opened.selectedUser(arguments)
            try await opened.record(.exported, in: app.id, about: owner)
            let export = try await opened.ask { service async throws(ServiceError) in
                try await service.export(owner, of: app)
            }
            guard let export else { throw CommandFailure(.failure, "the user was erased in the meantime") }
            let text = ExportText(export, hashing: opened.service.hashing, version: Version.number)
            guard let path = arguments.value(of: .output) else {
                _ = try await write(text, to: OutputFile.standardOutput)
                return .success
            }
            let file = try OutputFile(creating: path)
            do throws(CommandFailure) {
                let written = try await write(text, to: file)
                try file.finish()
                let digest = written.digest ?? ""
                try Output.print("exported \(written.lineCount) lines to \(quoted(path)), SHA-256 \(digest)")
            } catch {
                file.remove()
                throw error
            }
            return .success
        }
    }

    /// Writes all pieces, and returns the text with the digest and the number of lines.
    private static func write(_ text: ExportText, to file: OutputFile) async throws(CommandFailure) -> ExportText {
        var text = text
        let progress = Progress()
        defer { progress.end() }
        while true {
            let piece: [UInt8]?
            do {
                piece = try await text.next()
            } catch let error as ServiceError where error.code == .storeFailed {
                throw CommandFailure(
                    .failure,
                    "the user cannot be exported: " + clause(error.message) + (error.cause.map { " (\($0))" } ?? "")
                        + "; delete the archive from the app, or see \"Damaged archives\" in docs/operating.md")
            } catch let error as ServiceError {
                throw CommandFailure(.unavailable, clause(error.message) + (error.cause.map { " (\($0))" } ?? ""))
            } catch {
                throw CommandFailure(.failure, "the data cannot be written as JSON")
            }
            guard let piece else { return text }
            try file.write(piece)
            if file.isNamed { progress.show("exporting: \(text.lineCount) lines") }
        }
    }
}

extension Option {
    static let output = Option("output", "FILE", help: "write to a new file instead of standard output")
}

/// A file for an export, or standard output.
private struct OutputFile {
    static let standardOutput = OutputFile(descriptor: STDOUT_FILENO, path: nil)

    private let descriptor: Int32
    private let path: String?

    var isNamed: Bool { path != nil }

    private init(descriptor: Int32, path: String?) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Creates a file that only its owner can read and write.
    init(creating path: String) throws(CommandFailure) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            let advice = errno == EEXIST ? "the file exists; give another name" : String(cString: strerror(errno))
            throw CommandFailure(.failure, "cannot create \(quoted(path)): \(advice)")
        }
        self.init(descriptor: descriptor, path: path)
    }

    /// Writes all bytes. A closed pipe is an error, because the export is then not whole.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                CLibrary.write(
                    descriptor, UnsafeRawBufferPointer(rebasing: buffer[written...]).baseAddress, buffer.count - written
                )
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw CommandFailure(.unavailable, "cannot write the export: \(String(cString: strerror(errno)))")
            }
            written += count
        }
    }

    /// Makes the file durable, and closes it.
    func finish() throws(CommandFailure) {
        let isDone = fsync(descriptor) == 0
        let code = errno
        close(descriptor)
        guard isDone else {
            throw CommandFailure(.unavailable, "cannot write the export: \(String(cString: strerror(code)))")
        }
    }

    func remove() { if let path { unlink(path) } }
}
