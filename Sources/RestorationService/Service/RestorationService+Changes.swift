extension RestorationService {
    /// A user's changes after a revision, oldest first.
    package func changes(after revision: Revision, limit: Int, caller: Caller) async throws(ServiceError) -> ChangePage
    {
        let limit = min(max(limit, 1), Limits.page)
        return try await ask { store async throws(StoreError) in
            try await store.changes(of: caller.owner, after: revision, limit: limit)
        }
    }

    /// Wakes whenever reading the caller's changes may be worth it. Follow first and read then, or a change in between
    /// is missed.
    package func follow(_ caller: Caller) throws(ServiceError) -> ChangeFeed.Wakes {
        guard let wakes = feed.follow(caller.owner) else {
            throw ServiceError(.tooManyFollowers, "Too many follow this user's changes.", retryAfter: .seconds(30))
        }
        return wakes
    }
}
