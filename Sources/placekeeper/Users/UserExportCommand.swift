import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperSQLite
import PlacekeeperServer
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let userExport = Subcommand(
        name: "user export", summary: "write all data of a user as lines of JSON",
        operands: ["APP", "[SUBJECT]"], options: [.data, .database, .databasePassword, .userInsteadOfSubject, .output],
        discussion: """
            Writes the export to standard output, or to a new file that only its owner can read. docs/export-format.md
            describes the lines. The last line contains the digest of the lines before it, so an incomplete file is
            noticed. The export contains no tokens and no secrets. A user with a damaged archive is not exported. A service
            may run on the same directory at the same time. Exit code 1 means that there is no such user.
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
        let target = try target(arguments)
        return try await Wiring.withDatabase(of: arguments) { opened throws(CommandFailure) in
            let (app, owner) = try await opened.selectedUser(arguments)
            try await opened.record(.exported, in: app.id, about: owner)
            let export = try await opened.ask { service async throws(ServiceError) in
                try await service.exports.export(owner, of: app)
            }
            guard let export else { throw CommandFailure(.failure, "the user was erased in the meantime") }
            let text = ExportText(export, hashing: opened.service.hashing, version: Version.number)
            guard let target else {
                _ = try await write(text, to: STDOUT_FILENO, showsProgress: false)
                return .success
            }
            let file: PartialFile
            do throws(PathFault) {
                file = try PartialFile(for: target, leftover: unfinishedExport)
            } catch {
                throw CommandFailure(writing: error)
            }
            do throws(CommandFailure) {
                let written = try await write(text, to: file.descriptor, showsProgress: true)
                do throws(PathFault) { try file.install() } catch { throw CommandFailure(writing: error) }
                let digest = written.digest ?? ""
                try Output.print(
                    "exported \(written.lineCount) lines to \(quoted(target.path)), SHA-256 \(digest)")
                try Output.next(
                    "placekeeper user import \(shellQuoted(app.bundleIdentifier)) \(shellQuoted(target.path)) "
                        + "--data OTHER-DIR", for: arguments)
            } catch {
                file.discard()
                throw error
            }
            return .success
        }
    }

    /// Checks the path of `--output` before the database is opened. Nil for standard output.
    private static func target(_ arguments: Arguments) throws(CommandFailure) -> WritePath? {
        guard let path = arguments.value(of: .output) else { return nil }
        do throws(PathFault) {
            let directories = SQLiteStore.dataDirectories(besides: arguments.value(of: .data))
            return try WritePath(path, replacing: nil, outside: directories)
        } catch {
            throw CommandFailure(writing: error)
        }
    }

    private static let unfinishedExport = WritePath.Replaceable("an unfinished export of Placekeeper") {
        $0.starts(with: "{\"app\":".utf8)
    }

    /// Writes all pieces. Returns the text object, which then contains the digest and the number of lines.
    private static func write(
        _ text: ExportText, to descriptor: Int32, showsProgress: Bool
    ) async throws(CommandFailure) -> ExportText {
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
            try Output.write(piece, to: descriptor, "the export")
            if showsProgress { progress.show("exporting: \(text.lineCount) lines") }
        }
    }
}

extension Option {
    static let output = Option("output", "FILE", help: "write to a new file instead of standard output")
}
