package import PlacekeeperCore
import PlacekeeperService

extension PostgresStore {
    package func carryOut<Answer: Sendable>(_ rule: Rule<Answer>) async throws(StoreError) -> Committed<Answer> {
        let time = rule.acknowledges ? nil : configuration.servingDeadline
        return try await retrying(isRepeatable: rule.isRepeatable, within: time) { attempt throws(Failure) in
            var result = try await self.attempt(rule, until: attempt.end)
            // An earlier attempt may have been committed although its connection was lost.
            if attempt.mayBeDone, let invalidations = rule.invalidationsIfDone(result.value) {
                result.invalidations = invalidations
            }
            return result
        }
    }

    /// Applies a rule once it has the turn of all its users. If the rule discovers further users along the way, it
    /// starts over and waits for their turns too.
    private func attempt<Answer: Sendable>(
        _ rule: Rule<Answer>, until end: ContinuousClock.Instant
    ) async throws(Failure) -> Committed<Answer> {
        var owners: Set = [rule.owner]
        for _ in 0..<4 {
            let known = owners
            let turn = try await queues.run(for: known, until: end) { () throws(Failure) in
                try await self.carryOut(rule, for: known, until: end)
            }
            switch turn {
            case .done(let result): return result
            case .concerns(let users): owners.formUnion(users)
            }
        }
        throw .lostRace
    }

    private enum Turn<Answer: Sendable>: Sendable {
        case done(Committed<Answer>)
        /// The rule affects these users.
        case concerns(Set<UserKey>)
    }

    private func carryOut<Answer: Sendable>(
        _ rule: Rule<Answer>, for owners: Set<UserKey>, until end: ContinuousClock.Instant
    ) async throws(Failure) -> Turn<Answer> {
        // The write may change the other users.
        for owner in owners where owner != rule.owner { _ = memory.take(owner) }
        // Only a transaction checks that a cached state is current. If there is nothing to write, decide again on fresh
        // data.
        if let remembered = memory.take(rule.owner),
            let turn = try await carryOut(rule, for: owners, on: remembered, until: end)
        {
            return turn
        }
        guard let turn = try await carryOut(rule, for: owners, on: nil, until: end) else { throw .store(.userGone) }
        return turn
    }

    /// Returns `nil` if the user doesn't exist. Also returns `nil` if a decision on a cached state writes nothing.
    private func carryOut<Answer: Sendable>(
        _ rule: Rule<Answer>, for owners: Set<UserKey>, on remembered: UserMemory.Entry?,
        until end: ContinuousClock.Instant
    ) async throws(Failure) -> Turn<Answer>? {
        var work = Workspace()
        var source = Source(server: remembered?.server, readAt: remembered?.readAt ?? .now)
        if let remembered {
            work.add(remembered.user)
            work.add(remembered.usage, of: rule.owner.app)
        }
        guard let answer = try await decide(rule, in: &work, &source, until: end) else { return nil }
        let users = Set(work.users.map(\.key))
        guard users.isSubset(of: owners) else { return .concerns(users) }
        if remembered != nil, work.written.isEmpty { return nil }
        try await store(work, of: rule, source, until: end)
        let invalidations = work.invalidations
        remember(rule.owner, of: work, source)
        return .done(Committed(answer, invalidations))
    }

    /// The server that a rule's data came from, and when it was first read.
    struct Source {
        var server: ServerIdentity?
        var readAt: ContinuousClock.Instant
    }

    /// Returns `nil` if the user doesn't exist.
    private func decide<Answer: Sendable>(
        _ rule: Rule<Answer>, in work: inout Workspace, _ source: inout Source, until end: ContinuousClock.Instant
    ) async throws(Failure) -> Answer? {
        for _ in 0..<Rule<Answer>.rounds {
            do throws(Interruption) {
                return try rule.decide(&work)
            } catch {
                guard case .needs(let needs) = error else { return nil }
                guard work.changes.isEmpty else { throw .store(.endlessRule) }
                let server = try await load(needs, into: &work, until: end)
                if let known = source.server, known != server { throw .lostRace }
                source.server = server
            }
        }
        throw .store(.endlessRule)
    }

    /// Stores what a rule decided. The transaction requires that the versions of all users involved haven't changed
    /// since they were read. An answer without a write is confirmed in the same way, because it may tell a client that
    /// something is stored.
    private func store<Answer: Sendable>(
        _ work: Workspace, of rule: Rule<Answer>, _ source: Source, until end: ContinuousClock.Instant
    ) async throws(Failure) {
        guard !work.written.isEmpty else {
            guard rule.acknowledges else { return }
            var versions: [UserKey: Int64] = [:]
            for user in work.users where user.exists { versions[user.key] = user.version }
            return try await commits.commit(.confirmation(of: versions, from: source.server), until: end)
        }
        var writer = RowWriter(bytes: rule.bytes)
        do throws(StoreError) {
            for change in work.changes { try writer.carryOut(change) }
        } catch {
            throw .store(error)
        }
        var write = writer.finish(work)
        write.server = source.server
        try await commits.commit(write, until: end)
        for user in work.users where work.invalidations.news.contains(user.key) { noteOwnChange(of: user) }
        tell(work.invalidations)
    }

    private func remember(_ owner: UserKey, of work: Workspace, _ source: Source) {
        // The first version of a new user isn't known.
        guard let user = work.user(owner), user.exists, !user.isOutdated, user.pending?.isNew != true,
            let usage = work.knownUsage(of: owner.app)
        else { return }
        user.endRule()
        memory.keep(UserMemory.Entry(user: user, usage: usage, server: source.server, readAt: source.readAt))
    }
}
