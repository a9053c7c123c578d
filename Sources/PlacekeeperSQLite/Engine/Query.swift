import Synchronization

/// The SQL of a statement, with a number. Every connection caches the prepared statement under this number.
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

    /// The SQL of all queries that exist so far, by number.
    static let known = Mutex<[String]>([])
}
