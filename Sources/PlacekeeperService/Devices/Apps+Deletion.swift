package import PlacekeeperCore

extension Apps {
    /// Begins to delete an app with all its users. From then on, its tokens and its publishable key are unknown. Call
    /// `continueDeletions` until it is done.
    package func delete(_ app: App, by actor: Auditor) async throws(ServiceError) {
        try await service.auditLog.record(.appDeleted, by: actor, in: nil, detail: app.bundleIdentifier)
        try await beginDeletion(of: app)
    }

    func beginDeletion(of app: App) async throws(ServiceError) {
        var settings = app.settings
        settings.isBeingDeleted = true
        try await replaceSettings(of: app.id, with: settings)
    }

    /// Continues the deletions that have begun, user by user, until they are complete or the task is canceled. An app
    /// whose deletion fails doesn't hold up the others.
    ///
    /// - Parameter progress: receives the number of users that are left of an app.
    package func continueDeletions(
        progress: (App, Int) -> Void = { _, _ in }
    ) async throws(ServiceError) {
        var failure: ServiceError?
        for app in try await apps() where app.isBeingDeleted {
            do throws(ServiceError) {
                try await continueDeletion(of: app, progress)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }

    private func continueDeletion(of app: App, _ progress: (App, Int) -> Void) async throws(ServiceError) {
        try await noteErasure(of: app)
        let start = UserKey.everyone(of: app.id)
        var last = start
        var isDamaged = false
        while !Task.isCancelled {
            let users = try await service.ask { [last] store async throws(StoreError) in
                try await store.facts(after: last, limit: Limits.page)
            }.map(\.owner).filter { $0.app == app.id }
            progress(app, try await usage(of: app.id).users)
            do throws(ServiceError) {
                try await service.write { store async throws(StoreError) in try await store.erase(users) }
            } catch {
                // Without the store, the other users fail, too.
                guard error.code == .storeFailed else { throw error }
                isDamaged = try await hasDamage(in: users) || isDamaged
            }
            if let end = users.last {
                last = end
                continue
            }
            let isRemoved = try await service.write { store async throws(StoreError) in
                try await store.remove(app.id)
            }
            // Another instance may have removed it.
            let known = try await service.ask { store async throws(StoreError) in try await store.app(.id(app.id)) }
            if isRemoved || known == nil { return }
            // A device may have registered just before the deletion began.
            let hasMore = try await service.ask { store async throws(StoreError) in
                try await store.facts(after: start, limit: 1).first?.owner.app == app.id
            }
            guard hasMore, !isDamaged else {
                throw ServiceError(
                    .storeFailed,
                    "The app \(app.bundleIdentifier) cannot be deleted, because a row of one of its users is damaged. "
                        + "Its other users are erased. Restore a backup, and delete the app again.")
            }
            last = start
        }
    }

    /// Erases the users one by one. Returns whether one of them can't be erased, because a row is damaged.
    private func hasDamage(in users: [UserKey]) async throws(ServiceError) -> Bool {
        var isDamaged = false
        for owner in users where !Task.isCancelled {
            do throws(ServiceError) {
                _ = try await service.write { store async throws(StoreError) in try await store.erase(owner) }
            } catch {
                guard error.code == .storeFailed else { throw error }
                isDamaged = true
            }
        }
        return isDamaged
    }

    /// Adds an entry to the erasure log that stands for all users of the app, so that it is deleted again if an older
    /// backup is restored.
    private func noteErasure(of app: App) async throws(ServiceError) {
        let digest = accountHashing.digest(of: .everyone(of: app.id))
        let known = try await service.ask { _ async throws(StoreError) in
            try await service.erasures.latest(of: [digest])
        }
        guard known == nil else { return }
        let time = max(clock.now(), app.createdAt + .milliseconds(1))
        try await service.ask { _ async throws(StoreError) in
            try await service.erasures.append([ErasureEntry(digest: digest, time: time)])
        }
    }
}
