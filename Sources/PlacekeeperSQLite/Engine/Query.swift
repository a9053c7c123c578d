import Synchronization

/// A statement's SQL and a number. Each connection caches the prepared statement under this number.
struct Query: Sendable {
    let sql: String
    let number: Int

    init(_ sql: String) {
        self.sql = sql
        number = Query.known.withLock { known in
            known.append(sql)
            return known.count - 1
        }
    }

    /// The SQL of all queries created so far, by number.
    static let known = Mutex<[String]>([])
}
