import PlacekeeperService

extension PostgresStore {
    /// The version of PostgreSQL's client library, such as `15.14`. `nil` if the library isn't installed.
    package static var libraryVersion: String? {
        guard let version = try? Libpq.shared.libraryVersion() else { return nil }
        return "\(version / 10_000).\(version % 10_000)"
    }
}
