import Synchronization

/// The text of a statement, under a number by which every connection keeps its prepared form.
struct Query: Sendable {
    let sql: String
    let number: Int

    init(_ sql: String) {
        self.sql = sql
        number = Query.count.add(1, ordering: .relaxed).oldValue
    }

    private static let count = Atomic<Int>(0)
}
