package import PlacekeeperCore

/// Reads and follows the change logs.
package struct Changes: UseCases {
    let service: RestorationService

    /// Returns the user's changes after a revision, oldest first.
    package func changes(after revision: Revision, limit: Int, principal: Principal) async throws(ServiceError)
        -> ChangePage
    {
        let limit = min(max(limit, 1), Limits.page)
        return try await service.ask { store async throws(StoreError) in
            try await store.changes(of: principal.owner, after: revision, limit: limit)
        }
    }

    /// Returns a sequence that yields whenever the user may have new changes. Call this method before reading the
    /// changes, or you may miss some.
    package func follow(_ principal: Principal) throws(ServiceError) -> ChangeFeed.Wakes {
        guard let wakes = service.feed.follow(principal.owner) else { throw tooManyFollowers(of: "user") }
        return wakes
    }

    // All users of an app

    /// Returns the changes of an app's users after a cursor, oldest first.
    package func changes(of app: AppID, after cursor: String) async throws(ServiceError) -> AppChangePage {
        // Other apps may have made many changes, so read on the offload queue.
        try await service.offload(of: app) { () async throws(ServiceError) in
            try await service.ask { store async throws(StoreError) in
                try await store.changes(of: app, after: cursor).withOutcomes(in: app, store)
            }
        }
    }

    /// Returns the newest changes of an app's users, oldest first.
    package func newestChanges(of app: AppID, limit: Int) async throws(ServiceError) -> AppChangePage {
        // The search may read many rows, so run it on the offload queue.
        try await service.offload(of: app) { () async throws(ServiceError) in
            try await service.ask { store async throws(StoreError) in
                try await store.newestChanges(of: app, limit: limit).withOutcomes(in: app, store)
            }
        }
    }

    /// Returns a sequence that yields whenever an app's users may have new changes.
    package func follow(_ app: AppID) throws(ServiceError) -> ChangeFeed.Wakes {
        guard let wakes = service.feed.follow(app) else { throw tooManyFollowers(of: "app") }
        return wakes
    }

    private func tooManyFollowers(of entity: String) -> ServiceError {
        ServiceError(
            .tooManyFollowers, "This \(entity) has too many open event streams. Close one, or try again later.",
            retryAfter: .seconds(30))
    }
}

extension AppChangePage {
    /// Adds the outcome to each change that reports one. Leaves out an outcome that can't be read, because a damaged
    /// row must not end a stream.
    fileprivate func withOutcomes(in app: AppID, _ store: any Store) async -> AppChangePage {
        var page = self
        // Archive IDs are unique only within a scene.
        var known: [SceneKey: [ArchiveID: [Outcome]]] = [:]
        for (index, entry) in changes.enumerated() where entry.change.kind == .outcomeReported {
            let change = entry.change
            guard let scene = change.scene, let archive = change.archive, !Task.isCancelled else { continue }
            let key = SceneKey(owner: UserKey(app: app, user: entry.user), name: scene)
            if known[key]?[archive] == nil {
                known[key, default: [:]][archive] = (try? await store.outcomes(of: archive, in: key)) ?? []
            }
            page.changes[index].outcome = known[key]?[archive]?.last {
                $0.device == change.device && $0.reportedAt == change.at
            }
        }
        return page
    }
}
