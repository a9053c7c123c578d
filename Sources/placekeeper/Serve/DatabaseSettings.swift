/// The address of a PostgreSQL database, and its password if a file contains it.
struct PostgresAddress: Sendable {
    var url: String
    var password: String?
    /// The maximum number of connections, without the one for hints. Nil for the store's default.
    var connections: Int?
    /// The maximum number of users whose writes share a transaction. Nil for the store's default.
    var usersPerTransaction: Int?
}

extension Arguments {
    /// Returns the PostgreSQL database in the arguments. Nil if the data is in SQLite.
    func database() throws(CommandFailure) -> PostgresAddress? {
        let connections = try databaseConnections()
        let usersPerTransaction = try usersPerTransaction()
        guard let url = try databaseURL() else { return nil }
        return PostgresAddress(
            url: url, password: try databasePassword(), connections: connections,
            usersPerTransaction: usersPerTransaction)
    }

    func databaseURL() throws(CommandFailure) -> String? {
        guard let url = value(of: .database) else { return nil }
        guard url.hasPrefix("postgres://") || url.hasPrefix("postgresql://") else {
            // Don't repeat the value, because it may contain a password.
            throw CommandFailure(
                exit(over: .database), "the value of database is not a URL like postgres://user@host/database")
        }
        guard !Self.hasPassword(url) else {
            throw CommandFailure(
                exit(over: .database),
                "the URL of the database has a password, which others can read; use --database-password-file")
        }
        return url
    }

    /// Returns the password of the database: the first line of its file.
    func databasePassword() throws(CommandFailure) -> String? {
        guard let file = value(of: .databasePassword) else { return nil }
        do throws(CommandFailure) {
            let text = try Files.read(file, limit: 4096)
            return String(decoding: text.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        } catch {
            throw CommandFailure(exit(over: .databasePassword), error.message)
        }
    }

    /// Returns the maximum number of connections: half of them for writes, so fewer than four can't be divided.
    func databaseConnections() throws(CommandFailure) -> Int? { try number(of: .databaseConnections, in: 4...1000) }

    func usersPerTransaction() throws(CommandFailure) -> Int? { try number(of: .usersPerTransaction, in: 1...1000) }

    private static func hasPassword(_ url: String) -> Bool {
        let rest = url.split(separator: ":", maxSplits: 1).last?.dropFirst(2) ?? ""
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let user = authority.contains("@") ? authority.prefix { $0 != "@" } : ""
        return user.contains(":") || url.contains("password=")
    }
}
