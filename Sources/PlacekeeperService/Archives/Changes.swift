package import PlacekeeperCore

/// Reads and follows the change logs.
package struct Changes: UseCases {
    let service: RestorationService

    /// Returns the user's changes after a revision, the oldest first.
    package func changes(after revision: Revision, limit: Int, principal: Principal) async throws(ServiceError)
        -> ChangePage
    {
        let limit = min(max(limit, 1), Limits.page)
        return try await service.ask { store async throws(StoreError) in
            try await store.changes(of: principal.owner, after: revision, limit: limit)
        }
    }

    /// Returns a sequence that has an element each time the user may have new changes. Call this method before reading
    /// the changes, so that no later change is missed.
    package func follow(_ principal: Principal) throws(ServiceError) -> ChangeFeed.Wakes {
        guard let wakes = service.feed.follow(principal.owner) else { throw tooManyFollowers(of: "user") }
        return wakes
    }

    // All users of an app

    /// Returns the changes of an app's users after a position, the oldest first.
    ///
    /// - Parameter isReplay: whether a client gave the position. Such a position may be at most
    ///   `Limits.appChangesBehind` changes of all apps behind. A stream that continues has no such limit: otherwise it would
    ///   lose the changes of a quiet app beside a busy app.
    package func changes(
        of app: AppID, after position: Int64, isReplay: Bool
    ) async throws(ServiceError) -> AppChangePage {
        // A busy app beside this app may have made many changes, so the read runs on the offload queue.
        try await service.offload(of: app) { () async throws(ServiceError) in
            try await service.ask { store async throws(StoreError) in
                try await store.changes(of: app, after: position, isReplay: isReplay).withOutcomes(in: app, store)
            }
        }
    }

    /// Returns the newest changes of an app's users, the oldest of them first.
    package func newestChanges(of app: AppID, limit: Int) async throws(ServiceError) -> AppChangePage {
        // The search may read many rows, so it runs on the offload queue.
        try await service.offload(of: app) { () async throws(ServiceError) in
            try await service.ask { store async throws(StoreError) in
                try await store.newestChanges(of: app, limit: limit).withOutcomes(in: app, store)
            }
        }
    }

    /// Returns a sequence that has an element each time an app's users may have new changes.
    package func follow(_ app: AppID) throws(ServiceError) -> ChangeFeed.Wakes {
        guard let wakes = service.feed.follow(app) else { throw tooManyFollowers(of: "app") }
        return wakes
    }

    private func tooManyFollowers(of entity: String) -> ServiceError {
        ServiceError(
            .tooManyFollowers, "This \(entity) has too many open event streams: close one, or try again later.",
            retryAfter: .seconds(30))
    }
}

extension AppChangePage {
    /// Adds the outcomes to the changes that tell of one. A change whose outcome cannot be read stays without it, so that
    /// a damaged row does not end a stream.
    fileprivate func withOutcomes(in app: AppID, _ store: any Store) async -> AppChangePage {
        var page = self
        // The ids of archives are unique only within a scene.
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
