import CLibrary
import PostgresServer
import Synchronization

/// The databases of `.ci/postgres`, which runs the tests of the service and its commands on PostgreSQL.
enum ChosenDatabase {
    /// The URL of the database for each data directory.
    private static let urls = Mutex<[String: String]>([:])

    /// Returns the options that choose the database of a command, by its option `--data`. Empty if the data is in SQLite.
    static func options(for arguments: [String]) throws -> [String] {
        guard getenv("PLACEKEEPER_TEST_STORE").map({ String(cString: $0) }) == "postgres",
            let index = arguments.firstIndex(of: "--data"), index + 1 < arguments.count, arguments.first != "backup",
            !arguments.contains("--database"), let server = PostgresServer.shared
        else { return [] }
        let data = arguments[index + 1]
        let url = try urls.withLock { urls in
            if let url = urls[data] { return url }
            let url = try server.makeDatabase(named: "chosen\(urls.count)")
            urls[data] = url
            return url
        }
        return ["--database", url]
    }
}
