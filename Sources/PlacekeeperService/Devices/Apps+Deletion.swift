package import PlacekeeperCore

extension Apps {
    /// Begins to delete an app with all its users. From then on, its tokens and its publishable key are unknown. Call
    /// `continueDeletions` until it is done.
    ///
    /// An entry in the erasure log stands for all users of the app, so that they are erased again if an older backup is
    /// restored.
    package func delete(_ app: App, by actor: Auditor) async throws(ServiceError) {
        try await service.auditLog.record(.appDeleted, by: actor, in: nil, detail: app.bundleIdentifier)
        let entry = ErasureEntry(digest: accountHashing.digest(of: .everyone(of: app.id)), time: clock.now())
        try await service.ask { _ async throws(StoreError) in try await service.erasures.append([entry]) }
        var settings = app.settings
        settings.isBeingDeleted = true
        try await replaceSettings(of: app.id, with: settings)
    }

    /// Continues the deletions that have begun, user by user, until they are complete or the task is canceled.
    ///
    /// - Parameter progress: receives the number of users that are left of an app.
    package func continueDeletions(
        progress: (App, Int) -> Void = { _, _ in }
    ) async throws(ServiceError) {
        for app in try await apps() where app.isBeingDeleted {
            while !Task.isCancelled {
                let users = try await service.ask { store async throws(StoreError) in
                    try await store.facts(after: .everyone(of: app.id), limit: Limits.page)
                }.map(\.owner).filter { $0.app == app.id }
                progress(app, try await usage(of: app.id).users)
                for owner in users where !Task.isCancelled {
                    _ = try await service.write { store async throws(StoreError) in try await store.erase(owner) }
                }
                guard users.isEmpty else { continue }
                let isRemoved = try await service.write { store async throws(StoreError) in
                    try await store.remove(app.id)
                }
                // Another instance may have removed it.
                let known = try await service.ask { store async throws(StoreError) in
                    try await store.app(.id(app.id))
                }
                if isRemoved || known == nil { break }
                // A device may have registered just before the deletion began.
                let isDamaged = try await service.ask { store async throws(StoreError) in
                    try await store.facts(after: .everyone(of: app.id), limit: 1).first?.owner.app != app.id
                }
                if isDamaged {
                    throw ServiceError(
                        .storeFailed, "The app cannot be deleted, because the row of one of its users is damaged.")
                }
            }
        }
    }
}
