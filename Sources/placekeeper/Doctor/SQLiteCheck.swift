import PlacekeeperCore
import PlacekeeperFiles
import PlacekeeperSQLite

/// The SQLite database.
struct SQLiteCheck {
    var libraryVersion = SQLiteStore.libraryVersion
    /// What the database says about itself, or why it can't be opened. Nil if there is no database.
    var database: Result<SQLiteStore.Inspection, StoreError>?
    var logBytes = 0
    var strangers: [(process: Int32, name: String)] = []

    /// Whether the tables are those of this program, so that opening the database migrates nothing.
    var isCurrent: Bool {
        guard case .success(let facts)? = database else { return false }
        return facts.schemaVersion == facts.currentVersion
    }

    var findings: [Finding] {
        var findings: [Finding] = []
        switch database {
        case nil:
            findings.append(
                .problem(
                    "sqlite", "the data directory has no database",
                    do: "start the service, or restore a backup with backup restore"))
        case .failure(let error):
            findings.append(
                .problem(
                    "sqlite", clause(error.message) + (error.cause.map { " (\($0))" } ?? ""),
                    do: error.code == .tooNew
                        ? "install the version of placekeeper that wrote the database, or a later one"
                        : "run the command as root; if the file is damaged, restore a backup"))
        case .success(let facts):
            if facts.schemaVersion < facts.currentVersion {
                findings.append(
                    .problem(
                        "sqlite", "the database has schema version \(facts.schemaVersion) of an earlier placekeeper",
                        do: "back it up, and start the service, which migrates it to version \(facts.currentVersion)"))
            }
            if !facts.usesLog {
                findings.append(
                    .problem(
                        "sqlite", "the database has no write-ahead log, as after a copy by another program",
                        do: "restart the service, which turns the log on"))
            }
        }
        for (process, name) in strangers {
            findings.append(
                .problem(
                    "sqlite",
                    "the program \(name), process \(process), has the database open, and could copy its log"
                        + (hasRace ? ": SQLite \(libraryVersion) can then lose commits" : ""),
                    do: "end this program; for a copy of the data, use backup create"))
        }
        if logBytes > Self.longestLog {
            findings.append(
                .problem(
                    "sqlite", "the write-ahead log has \(logBytes / 1_000_000) MB",
                    do: "wait until a running backup has ended; otherwise, restart the service"))
        }
        let race = hasRace ? ", whose WAL-reset race the service avoids" : ""
        return findings.orOK("sqlite", "SQLite \(libraryVersion)\(race)")
    }

    /// The service copies the log at 40 MB, and a backup makes it grow.
    private static let longestLog = 1_000_000_000

    /// Whether the library has the race of docs/decisions/0031-checkpoints-beside-the-writer.md.
    private var hasRace: Bool {
        let parts = libraryVersion.split(separator: ".").compactMap { Int($0) }
        guard parts.count >= 3 else { return false }
        let isFixedBranch = (parts[1] == 50 && parts[2] >= 7) || (parts[1] == 44 && parts[2] >= 6)
        return parts[0] == 3 && !isFixedBranch && (parts[1], parts[2]) < (51, 3)
    }
}

extension SQLiteCheck {
    init(of directory: String, _ processes: ServiceProcesses) {
        self.init(strangers: processes.strangers)
        let path = directory + "/" + SQLiteStore.fileName
        if Files.exists(path) { database = Result { () throws(StoreError) in try SQLiteStore.inspect(path) } }
        logBytes = (try? FileStatus.of(path + "-wal"))?.size ?? 0
    }
}
