import PlacekeeperCore
import PlacekeeperService
import PlacekeeperSystem

/// Statements that are sent together, and take effect together or not at all.
struct Batch: Sendable {
    var statements: [Statement]
    /// Whether all statements read the same state of the database. In a batch that writes, each statement reads the
    /// newest state.
    var isSnapshot = false

    init(_ statements: [Statement]) { self.statements = statements }

    /// Statements that all read the same state of the database.
    static func snapshot(_ statements: [Statement]) -> Batch {
        var batch = Batch(statements)
        batch.isSnapshot = statements.count > 1
        return batch
    }

    fileprivate static let begin = Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    fileprivate static let beginWrite = Statement("BEGIN")
    fileprivate static let commit = Statement("COMMIT")
    fileprivate static let rollback = Statement("ROLLBACK")
}

extension Connection {
    /// Runs a batch, and returns the rows of each statement.
    ///
    /// - Parameter deadline: when to cancel the statements. Only statements that read may have one (`cancel`).
    func run(_ batch: Batch, until deadline: ContinuousClock.Instant?) throws(Failure) -> [Rows] {
        // A cancel request that arrives before the statement has no effect, so a late statement isn't sent at all. The
        // connection remains usable.
        if let deadline, deadline <= .now {
            throw .store(StoreError(.unavailable, "The request timed out before the database was asked."))
        }
        if let check = batch.statements.lastIndex(where: { $0.requiredRows != nil }) {
            let (first, second) = (Array(batch.statements[...check]), Array(batch.statements[(check + 1)...]))
            let rows = try transaction(first, until: deadline) { rows throws(Failure) -> [Statement]? in
                zip(first, rows).allSatisfy { $0.requiredRows ?? $1.count == $1.count } ? second : nil
            }
            guard let rows else { throw .lostRace }
            return rows
        }
        let isWrapped = batch.isSnapshot
        let statements = isWrapped ? [Batch.begin] + batch.statements + [Batch.commit] : batch.statements
        do {
            let rows = try pipeline(statements, until: deadline)
            return isWrapped ? Array(rows.dropFirst().dropLast()) : rows
        } catch {
            rollBack(until: deadline)
            throw error
        }
    }

    /// Runs a transaction in two parts, and returns their rows. The closure gets the rows of the first part, and returns
    /// the statements of the second one. If it returns nil, the transaction is rolled back.
    func transaction(
        _ first: [Statement], until deadline: ContinuousClock.Instant?,
        _ second: ([Rows]) throws(Failure) -> [Statement]?
    ) throws(Failure) -> [Rows]? {
        do throws(Failure) {
            let begun: [Rows]
            do throws(Failure) {
                begun = Array(try pipeline([Batch.beginWrite] + first, until: deadline).dropFirst())
            } catch {
                if case .disconnected = error { throw .disconnected(mayBeCommitted: false) }
                throw error
            }
            guard let rest = try second(begun) else {
                rollBack(until: deadline)
                return nil
            }
            return begun + (try pipeline(rest + [Batch.commit], until: deadline)).dropLast()
        } catch {
            rollBack(until: deadline)
            throw error
        }
    }

    /// Ends a transaction whose last statement was skipped or isn't sent. If that fails, the connection is lost, and the
    /// server ends the transaction.
    private func rollBack(until deadline: ContinuousClock.Instant?) {
        guard libpq.status(handle) == Libpq.connectionIsGood,
            libpq.transactionStatus(handle) != Libpq.transactionIsIdle
        else { return }
        _ = try? pipeline([Batch.rollback], until: deadline)
    }

    /// Sends statements and one Sync, and receives their results. Outside a transaction block, the server runs these
    /// statements in one transaction.
    private func pipeline(
        _ statements: [Statement], until deadline: ContinuousClock.Instant?
    ) throws(Failure) -> [Rows] {
        /// The text of each statement prepared in this pipeline, and `nil` for each statement executed.
        var steps: [String?] = []
        var prepared = prepared
        // The server carries out a commit that it has received, even without the Sync.
        var mayBeCommitted = false
        for statement in statements {
            if prepared[statement.sql] == nil {
                let name = "s\(prepared.count)"
                guard prepare(statement, as: name) else { throw .disconnected(mayBeCommitted: mayBeCommitted) }
                prepared[statement.sql] = name
                steps.append(statement.sql)
            }
            mayBeCommitted = mayBeCommitted || statement.sql == Batch.commit.sql
            guard let name = prepared[statement.sql], send(statement, named: name) else {
                throw .disconnected(mayBeCommitted: mayBeCommitted)
            }
            steps.append(nil)
        }
        guard libpq.sendSync(handle) == 1 else { throw .disconnected(mayBeCommitted: mayBeCommitted) }
        return try receive(steps, prepared, until: deadline)
    }

    private func prepare(_ statement: Statement, as name: String) -> Bool {
        let types = statement.values.map(\.kind.rawValue)
        return libpq.sendPrepare(handle, name, statement.sql, Int32(types.count), types) == 1
    }

    private func send(_ statement: Statement, named name: String) -> Bool {
        let values = statement.values
        // One buffer for all values, so a single pointer keeps them in place.
        var buffer: [UInt8] = []
        buffer.reserveCapacity(statement.size + 1)
        var ends: [Int] = []
        ends.reserveCapacity(values.count)
        for value in values {
            value.append(to: &buffer)
            ends.append(buffer.count)
        }
        // An empty buffer's address could be nil, and a value without an address is NULL.
        buffer.append(0)
        let starts = [0] + ends.dropLast()
        let lengths = zip(starts, ends).map { Int32(truncatingIfNeeded: $1 - $0) }
        let formats = [Int32](repeating: 1, count: values.count)
        return buffer.withUnsafeBytes { bytes in
            let start = bytes.assumingMemoryBound(to: CChar.self).baseAddress
            let pointers: [UnsafePointer<CChar>?] = zip(values, starts).map { value, offset in
                value.isNull ? nil : start.map { $0 + offset }
            }
            return libpq.sendPrepared(handle, name, Int32(values.count), pointers, lengths, formats, 1) == 1
        }
    }

    private func receive(
        _ steps: [String?], _ names: [String: String], until deadline: ContinuousClock.Instant?
    ) throws(Failure) -> [Rows] {
        var rows: [Rows] = []
        var step = 0
        var failure: Failure?
        var isSent = false
        var gaps = 0
        while true {
            while libpq.isBusy(handle) == 0 {
                guard let result = libpq.getResult(handle) else {
                    // A null pointer follows each statement's result. Two in a row mean that the connection has ended.
                    gaps += 1
                    guard gaps < 3, libpq.status(handle) == Libpq.connectionIsGood else {
                        throw .disconnected(mayBeCommitted: true)
                    }
                    continue
                }
                gaps = 0
                switch Libpq.ResultStatus(rawValue: libpq.resultStatus(result)) {
                case .commandDone?, .rows?:
                    guard step < steps.count else { throw lost(result) }
                    if let sql = steps[step] {
                        prepared[sql] = names[sql]
                        libpq.clear(result)
                    } else {
                        rows.append(Rows(result, libpq))
                    }
                    step += 1
                case .pipelineAborted?:
                    libpq.clear(result)
                    step += 1
                case .pipelineSync?:
                    libpq.clear(result)
                    if let failure { throw failure }
                    guard step == steps.count else { throw .disconnected(mayBeCommitted: true) }
                    return rows
                case .failed?:
                    let state = libpq.resultErrorField(result, Libpq.sqlState).map { String(cString: $0) }
                    libpq.clear(result)
                    // An error without a code comes from libpq itself: the connection is lost.
                    guard let state else { throw .disconnected(mayBeCommitted: true) }
                    // An administrator's command (57P) and the limit for idle transactions (25P03) also end the
                    // connection. If the server reports them in place of a statement's result, the transaction was
                    // rolled back: between a commit and its result, the server lets nothing end the connection.
                    let isEnded = state.hasPrefix("57P") || state == "25P03"
                    guard libpq.status(handle) == Libpq.connectionIsGood, !isEnded else {
                        throw .disconnected(mayBeCommitted: !isEnded || step >= steps.count)
                    }
                    failure = failure ?? Failure(sqlState: state)
                    step += 1
                case nil: throw lost(result)
                }
            }
            try wait(isSent: &isSent, until: deadline)
        }
    }

    /// The failure for a result that this target doesn't expect.
    private func lost(_ result: OpaquePointer) -> Failure {
        libpq.clear(result)
        return .disconnected(mayBeCommitted: true)
    }

    /// Sends pending bytes, and waits until the server has sent some.
    private func wait(isSent: inout Bool, until deadline: ContinuousClock.Instant?) throws(Failure) {
        if !isSent {
            let left = libpq.flush(handle)
            guard left >= 0 else { throw .disconnected(mayBeCommitted: true) }
            isSent = left == 0
        }
        let left = deadline.map { ($0 - ContinuousClock.now).wholeMilliseconds } ?? .max
        guard left > 0 else {
            cancel()
            throw .disconnected(mayBeCommitted: true)
        }
        guard !mustStop() else { throw .disconnected(mayBeCommitted: true) }
        var entry = pollfd(
            fd: libpq.socket(handle), events: Int16(isSent ? POLLIN : POLLIN | POLLOUT), revents: 0)
        guard poll(&entry, 1, Int32(min(left, 250))) >= 0 || errno == EINTR else {
            throw .disconnected(mayBeCommitted: true)
        }
        if Int32(entry.revents) & ~POLLOUT != 0, libpq.consumeInput(handle) != 1 {
            throw .disconnected(mayBeCommitted: true)
        }
    }
}
