import PlacekeeperService

extension PostgresStore {
    /// A write that reads some users, decides in memory, and stores the differences.
    struct Decision<Value: Sendable>: Sendable {
        var owners: Set<UserKey>
        var scope: Scope
        /// Carries the write out in memory.
        var carryOut: @Sendable (isolated OldMemoryStore) throws(StoreError) -> Committed<Value>
        /// The versions that were read before `further` was decided. Other versions mean a lost race.
        var versions: [UserKey: Int64?] = [:]
        /// The change of the bytes of the users' items by `further`.
        var itemBytes: [UserKey: Int] = [:]
        /// Whether an answer without a write tells the client that something is stored.
        var acknowledges = true
        /// The scene of an upload, which is remembered for the next upload.
        var remembered: SceneKey?
        /// Further statements of the transaction.
        var further: [Statement] = []

        init(
            _ owners: Set<UserKey>, _ scope: Scope,
            _ carryOut: @escaping @Sendable (isolated OldMemoryStore) throws(StoreError) -> Committed<Value>
        ) {
            self.owners = owners
            self.scope = scope
            self.carryOut = carryOut
        }
    }

    /// Carries out a write that reads one user.
    func decide<Value: Sendable>(
        for owner: UserKey, _ scope: Scope,
        _ carryOut: @escaping @Sendable (isolated OldMemoryStore) throws(StoreError) -> Committed<Value>
    ) async throws(StoreError) -> Committed<Value> {
        try await decide { _ throws(Failure) in Decision([owner], scope, carryOut) }
    }

    /// Carries out a write until no other write was first.
    ///
    /// - Parameter prepare: finds the users that the write concerns. It is called for each attempt.
    func decide<Value: Sendable>(
        isRepeatable: Bool = false, within time: Duration? = nil,
        _ prepare: (Attempt) async throws(Failure) -> Decision<Value>
    ) async throws(StoreError) -> Committed<Value> {
        try await retrying(isRepeatable: isRepeatable, within: time) { attempt throws(Failure) in
            let decision = try await prepare(attempt)
            return try await queues.run(for: decision.owners, until: attempt.end) { () throws(Failure) in
                try await self.attempt(decision, until: attempt.end)
            }
        }
    }

    private func attempt<Value: Sendable>(
        _ decision: Decision<Value>, until end: ContinuousClock.Instant
    ) async throws(Failure) -> Committed<Value> {
        var remembered: Loaded?
        for owner in decision.owners { remembered = memory.take(owner, decision.remembered) }
        // Only a transaction checks that the remembered versions are still the newest. So an answer without a write is
        // decided again.
        if let remembered, let outcome = try? await decide(decision, on: remembered), !outcome.write.isEmpty {
            return try await carryOut(decision, outcome, on: remembered, until: end)
        }
        let loaded = try await load(decision.owners, decision.scope, until: end)
        for (owner, version) in decision.versions where loaded.users[owner]?.version != version { throw .lostRace }
        let outcome: Outcome<Value>
        do throws(StoreError) { outcome = try await decide(decision, on: loaded) } catch { throw .store(error) }
        return try await carryOut(decision, outcome, on: loaded, until: end)
    }

    /// The decision of a write, before it is stored.
    private struct Outcome<Value: Sendable>: Sendable {
        var result: Committed<Value>
        var contents: OldMemoryStore.Contents
        var write: WriteStatements
        var newChanges: [ChangeKey]
    }

    private func decide<Value: Sendable>(
        _ decision: Decision<Value>, on loaded: Loaded
    ) async throws(StoreError) -> Outcome<Value> {
        try await Self.decide(decision, on: loaded, in: OldMemoryStore(loaded.contents))
    }

    private static func decide<Value: Sendable>(
        _ decision: Decision<Value>, on loaded: Loaded, in store: isolated OldMemoryStore
    ) throws(StoreError) -> Outcome<Value> {
        let result = try decision.carryOut(store)
        let contents = store.contents
        let differences = Differences(from: loaded, to: contents, result.effects, itemBytes: decision.itemBytes)
        var write = differences.write
        if !write.isEmpty { write.statements += decision.further }
        write.server = loaded.server
        return Outcome(result: result, contents: contents, write: write, newChanges: differences.newChanges)
    }

    private func carryOut<Value: Sendable>(
        _ decision: Decision<Value>, _ outcome: Outcome<Value>, on loaded: Loaded,
        until end: ContinuousClock.Instant
    ) async throws(Failure) -> Committed<Value> {
        if outcome.write.isEmpty {
            if decision.acknowledges {
                let versions = loaded.users.mapValues(\.version)
                try await commits.commit(.confirmation(of: versions, from: loaded.server), until: end)
            }
        } else {
            foreignChanges.begin(outcome.newChanges)
            do throws(Failure) {
                try await commits.commit(outcome.write, until: end)
            } catch {
                foreignChanges.undo(outcome.newChanges)
                throw error
            }
            tell(outcome.result.effects)
        }
        if let scene = decision.remembered {
            memory.keep(loaded, after: outcome.contents, isWritten: !outcome.write.isEmpty, in: scene)
        }
        return outcome.result
    }

    /// Returns the version of a user. Nil if the user does not exist.
    func version(of owner: UserKey) async throws(Failure) -> Int64? {
        let rows = try await found(
            "SELECT version FROM users WHERE app = $1 AND owner = $2", .id(owner.app), .id(owner.user))
        do throws(StoreError) {
            return try rows.first { row throws(StoreError) in try row.key() }
        } catch {
            throw .store(error)
        }
    }

    /// Returns the rows of a statement of an attempt of a write.
    func found(_ sql: String, _ values: Value...) async throws(Failure) -> Rows {
        guard let rows = try await pool.read([Statement(sql, values)]).first else {
            throw .store(.corrupt("The database returned no result."))
        }
        return rows
    }

    /// Returns the user that a statement of an attempt of a write finds.
    func foundOwner(_ sql: String, _ values: Value...) async throws(Failure) -> UserKey? {
        guard let rows = try await pool.read([Statement(sql, values)]).first else { return nil }
        do throws(StoreError) {
            return try rows.first { row throws(StoreError) in try row.owner() }
        } catch {
            throw .store(error)
        }
    }
}
