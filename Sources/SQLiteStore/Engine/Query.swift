import Synchronization

/// The text of a statement, with a number by which every connection caches its prepared form.
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

    /// The texts of all queries so far, by number.
    static let known = Mutex<[String]>([])
}
