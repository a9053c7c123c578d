extension RestorationService {
    /// Returns the user's changes after a revision, the oldest first.
    package func changes(after revision: Revision, limit: Int, caller: Caller) async throws(ServiceError) -> ChangePage
    {
        let limit = min(max(limit, 1), Limits.page)
        return try await ask { store async throws(StoreError) in
            try await store.changes(of: caller.owner, after: revision, limit: limit)
        }
    }

    /// Returns a sequence that has an element each time the user may have new changes. Call this method before reading
    /// the changes, so that no later change is missed.
    package func follow(_ caller: Caller) throws(ServiceError) -> ChangeFeed.Wakes {
        guard let wakes = feed.follow(caller.owner) else {
            throw ServiceError(
                .tooManyFollowers, "This user has too many open event streams: close one, or try again later.",
                retryAfter: .seconds(30))
        }
        return wakes
    }
}
