import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperServer
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let userImport = Subcommand(
        name: "user import", summary: "store a user from an export",
        operands: ["APP", "FILE"], options: [.data, .database, .databasePassword, .replaceInterrupted, .json],
        discussion: """
            Checks the whole file before it stores anything. Refuses a user that exists, and a subject that has a user.
            If the import fails, the user is removed again. The user keeps its id, its subject, its archives and its
            registered items. The devices are imported without tokens, so each device must register again. The command
            prints a link code with which a device joins the user in the next ten minutes. A user with a subject gets no
            code, because its devices sign in. If no code can be made, the user is imported nevertheless: for a code, erase
            the user with user erase, and import the file again. Exit code 1 means that the file was refused.
            """,
        examples: [
            ("user import com.example.photos anna.ndjson", "stores the user of the file"),
            (
                "user import com.example.photos anna.ndjson --replace",
                "first removes what an interrupted import left behind"
            ),
        ]
    ) { arguments throws(CommandFailure) in
        FreedMemory.returnToSystem()
        let path = arguments.operands[1]
        let replaces = try arguments.isOn(.replaceInterrupted)
        let input = try InputFile(path)
        defer { input.close() }
        return try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let app = try await opened.app(arguments.operands[0])
            guard !app.isBeingDeleted else {
                throw CommandFailure(.failure, "the app \(app.bundleIdentifier) is being deleted")
            }
            let result: ImportResult
            var reader: ExportReader
            do throws(ServiceError) {
                reader = try ExportReader(
                    hashing: opened.service.hashing, rewind: input.rewind, read: input.read)
            } catch {
                throw CommandFailure(.failure, clause(error.message))
            }
            do throws(ServiceError) {
                result = try await opened.service.exports.importUser(
                    from: &reader, into: app, replaces: replaces, by: .command(Wiring.Opened.person))
            } catch {
                let isStore = [.storeUnavailable, .storeFull, .storeFailed].contains(error.code)
                throw CommandFailure(
                    isStore ? .unavailable : .failure,
                    clause(error.message) + (error.cause.map { " (\($0))" } ?? ""))
            }
            let report = ImportReport(result, lines: reader.lineCount, digest: reader.digest ?? "")
            try Output.show(report, as: report.text, for: arguments)
            return .success
        }
    }
}

extension Option {
    static let replaceInterrupted = Option(
        "replace", help: "replace a user without devices, which an interrupted import left behind")
}

/// The JSON form of an import's result.
struct ImportReport: Encodable {
    var user: String
    var subject: String?
    var lines: Int
    var sha256: String
    var linkCode: String?
    var linkCodeExpiresAt: String?
    /// Why no link code could be created.
    var linkCodeFault: String?

    init(_ result: ImportResult, lines: Int, digest: String) {
        user = result.user.description
        subject = result.subject?.text
        self.lines = lines
        sha256 = digest
        linkCode = result.linkCode
        linkCodeExpiresAt = result.linkCodeExpiresAt?.text
        linkCodeFault = result.linkCodeFault
    }

    var text: String {
        let imported = "imported the user \(user) from \(lines) lines, SHA-256 \(sha256)"
        if let linkCodeFault {
            return imported + """

                no link code could be made: \(clause(linkCodeFault))
                for a link code, erase the user with user erase, and import the file again
                """
        }
        guard let linkCode, let linkCodeExpiresAt else {
            return imported + "\nthe user has the subject \(escapedForTerminal(subject ?? "")); its devices sign in"
        }
        return imported + "\na device joins the user with the link code \(linkCode) until \(linkCodeExpiresAt)"
    }
}

/// A file that is read twice.
private struct InputFile {
    private let descriptor: Int32
    private let path: String

    init(_ path: String) throws(CommandFailure) {
        do throws(PathFault) {
            descriptor = try RegularFile.open(path, O_RDONLY)
        } catch {
            throw CommandFailure(reading: error)
        }
        self.path = path
    }

    func rewind() throws(ServiceError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw unreadable }
    }

    func read() throws(ServiceError) -> [UInt8] {
        while true {
            var result = 0
            let piece = [UInt8](unsafeUninitializedCapacity: 256 * 1024) { buffer, count in
                result = PlacekeeperSystem.read(descriptor, buffer.baseAddress, buffer.count)
                count = max(result, 0)
            }
            if result < 0, errno == EINTR { continue }
            guard result >= 0 else { throw unreadable }
            return piece
        }
    }

    func close() { PlacekeeperSystem.close(descriptor) }

    private var unreadable: ServiceError {
        ServiceError(.importInvalid, "Cannot read \(quoted(path)): \(String(cString: strerror(errno))).")
    }
}
