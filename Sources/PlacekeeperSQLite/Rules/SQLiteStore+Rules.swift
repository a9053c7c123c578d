package import PlacekeeperCore
import PlacekeeperService

extension SQLiteStore {
    package func carryOut<Answer: Sendable>(_ rule: Rule<Answer>) async throws(StoreError) -> Committed<Answer> {
        var content: Content?
        var weight = rule.weight
        if let bytes = rule.bytes {
            let stored = Content(bytes, compressing: configuration.compressedSize, with: compression)
            // If the bytes were compressed, the uploaded bytes also stay in memory until the write is performed.
            weight += stored.bytes.count + (stored.encoding == .plain ? 0 : bytes.count)
            content = stored
        }
        return try await writer.write(weight: weight, rows: rule.mayMoveArchives ? Self.rowsOfMove : 0) {
            [content] transaction throws(StoreError) -> Committed<Answer> in
            try transaction.carryOut(rule, content)
        }
    }

    /// The number of rows that a move reports to the writer. It equals the default limit of a transaction
    /// (`Configuration.rowsAtOnce`), so each transaction performs at most one move.
    private static let rowsOfMove = 16_384
}
