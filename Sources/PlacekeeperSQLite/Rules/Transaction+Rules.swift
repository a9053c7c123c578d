import PlacekeeperCore
import PlacekeeperService

extension Transaction {
    /// Applies a rule, and stores the row changes that it decided on.
    ///
    /// - Parameter content: the rule's bytes in stored form.
    func carryOut<Answer>(_ rule: Rule<Answer>, _ content: Content?) throws(StoreError) -> Committed<Answer> {
        defer { work.endRule() }
        let known = users.user(rule.owner)
        if let known { work.add(known) }
        work.add(try usage(of: rule.owner.app), of: rule.owner.app)
        let answer = try rule.run(in: &work) { need, work throws(StoreError) in try load(need, into: &work) }
        if !work.written.isEmpty {
            try storeChanges(content)
        } else if let known {
            // The rule may have loaded more scenes, which changes the weight of the state.
            users.insert(known)
        }
        return Committed(answer, work.invalidations)
    }

    /// Stores the row changes of the workspace.
    private func storeChanges(_ content: Content?) throws(StoreError) {
        // If storing fails, the group is rolled back and the cached states are dropped.
        var writer = RowWriter(self, content)
        for change in work.changes { try writer.carryOut(change) }
        for change in work.headChanges { try writer.carryOut(change) }
        try writer.finish()
        for user in work.written {
            try store(user)
            if user.isOutdated { users.forget(user.key) } else { users.insert(user) }
        }
    }

    /// Stores a user's row. Throws if the row's version isn't the one that the state had before this write.
    private func store(_ user: UserState) throws(StoreError) {
        guard let pending = user.pending else { return }
        try connection.run(
            .storeUser, user.row, user.version - (pending.isNew ? 0 : 1), user.version, user.revision,
            user.newestChange, pending.time?.milliseconds, user.usage.bytes, user.usage.archives, user.createdAt,
            user.prunedThrough)
        if connection.changedRows == 0 {
            isStale = true
            throw StoreError(.unavailable, "A user changed while a write was decided.")
        }
        try count(pending.growth, in: user.key.app)
    }
}

extension Query {
    fileprivate static let storeUser = Query(
        """
        UPDATE user SET version = ?3, revision = ?4, last_change = ?5,
            latest_time = iif(?6 IS NULL OR latest_time > ?6, latest_time, ?6), bytes = ?7, archives = ?8,
            created_at = ?9, pruned_revision = ?10
        WHERE id = ?1 AND version = ?2
        """)
}
