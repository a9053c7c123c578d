import PlacekeeperArchive
package import PlacekeeperCore

// How administrators browse users' data.

/// A user's page.
package struct UserPage: Sendable {
    package var summary: UserSummary
    package var usage: Usage
    /// When any of the user's devices was last used.
    package var lastSeenAt: Timestamp?
    /// The heads of the summary's scenes, by scene name.
    package var heads: [String: Archive]
}

/// An entity that a search found.
package struct FoundEntity: Sendable, Hashable {
    package var user: UserID
    package var device: DeviceID?
    /// The archive and its scene's name. Nil if the search found a user or a device.
    package var archive: ArchiveID?
    package var scene: String?
}

/// Lets administrators browse users, scenes and archives.
package struct Browsing: UseCases {
    let service: RestorationService

    /// Adds an audit log entry about a user. Call this method before the read or change, so that no action goes
    /// unrecorded.
    ///
    /// - Parameter detail: details of the action. It must not contain text chosen by a user or a device.
    /// - Throws: `user-not-found` if there is no such user. No entry is added then.
    package func begin(
        _ action: AuditAction, _ detail: String = "", by actor: Auditor, about owner: UserKey
    ) async throws(ServiceError) {
        guard let facts = try await service.ask({ store async throws(StoreError) in try await store.facts(of: owner) })
        else {
            throw ServiceError(.userNotFound, "The app has no such user.")
        }
        try await service.auditLog.record(
            action, by: actor, in: owner.app, about: facts.subjectDigest ?? accountHashing.digest(of: owner),
            detail: detail)
    }

    /// - Parameters:
    ///   - scene: the name of the scene after which the page starts. Nil starts with the first scene.
    ///   - limit: the maximum number of scenes.
    package func page(
        of owner: UserKey, behind scene: String? = nil, limit: Int = Limits.page
    ) async throws(ServiceError) -> UserPage {
        guard let summary = try await service.exports.summary(of: owner, behind: scene, limit: limit) else {
            throw ServiceError(.userNotFound, "The app has no such user.")
        }
        return try await service.ask { store async throws(StoreError) in
            var page = UserPage(
                summary: summary, usage: try await store.usage(of: owner),
                lastSeenAt: summary.devices.map(\.lastSeenAt).max(), heads: [:])
            // This many heads include the head of every listed scene.
            let heads = try await store.sceneHeads(of: owner, behind: scene, limit: summary.scenes.count)
            for head in heads { page.heads[head.scene.name] = head }
            return page
        }
    }

    /// Finds the user with a subject, or the user, devices and archives with an ID. Returns an empty list if there are
    /// none.
    package func find(_ text: String, in app: AppID) async throws(ServiceError) -> [FoundEntity] {
        var found: [FoundEntity] = []
        if let subject = Subject(text), let owner = try await service.accounts.user(of: subject, in: app) {
            found.append(FoundEntity(user: owner.user))
        }
        guard let id = UserID(text) else { return found }
        let owner = UserKey(app: app, user: id)
        if try await service.ask({ store async throws(StoreError) in try await store.facts(of: owner) }) != nil {
            found.append(FoundEntity(user: id))
        }
        let device = try await service.ask { store async throws(StoreError) in
            try await store.device(DeviceID(high: id.high, low: id.low), in: app)
        }
        if let device { found.append(FoundEntity(user: device.owner.user, device: device.id)) }
        // User and device IDs are random, so an ID found here can't also be an archive's ID.
        guard found.isEmpty else { return found }
        return try await service.offload(of: app) {
            () async throws(ServiceError) in
            try await archives(with: ArchiveID(high: id.high, low: id.low), in: app)
        }
    }

    private func archives(with id: ArchiveID, in app: AppID) async throws(ServiceError) -> [FoundEntity] {
        var found: [FoundEntity] = []
        var step: Int64? = 0
        while let next = step, found.count < Limits.page, !Task.isCancelled {
            WorkMeter.pause?()
            let search = try await service.ask { store async throws(StoreError) in
                try await store.search(for: id, in: app, from: next)
            }
            found += search.scenes.map { FoundEntity(user: $0.owner.user, archive: id, scene: $0.name) }
            step = search.next
        }
        return found
    }

    /// Returns a scene's archives, newest first, starting below `position`, with the facts that explain why each is or
    /// isn't the head. The cost grows with the number of archives between the head and the end of the page.
    package func timeline(
        of scene: SceneKey, below position: Archive.Position?, limit: Int
    ) async throws(ServiceError) -> [TimelineEntry] {
        try Validation.sceneName(scene.name)
        return try await service.ask { store async throws(StoreError) in
            var reader = TimelineReader()
            var last: Archive.Position?
            var entries: [TimelineEntry] = []
            while true {
                WorkMeter.pause?()
                let page = try await store.history(of: scene, below: last, limit: Limits.page).archives
                for archive in page {
                    var entry = reader.entry(of: archive)
                    guard position.map({ archive.position < $0 }) ?? true else { continue }
                    WorkMeter.pause?()
                    if archive.hasOutcomes { entry.outcomes = try await store.outcomes(of: archive.id, in: scene) }
                    entries.append(entry)
                    if entries.count == limit { return entries }
                }
                guard page.count == Limits.page else { return entries }
                last = page.last?.position
            }
        }
    }

    /// Returns an archive with its uploaded bytes and its timeline facts.
    package func inspect(
        _ id: ArchiveID, in scene: SceneKey
    ) async throws(ServiceError) -> (entry: TimelineEntry, bytes: [UInt8]) {
        let entry = try await timelineEntry(of: id, in: scene)
        return (entry, try await service.archives.bytes(of: entry.archive))
    }

    /// Returns an archive with its timeline facts.
    package func timelineEntry(of id: ArchiveID, in scene: SceneKey) async throws(ServiceError) -> TimelineEntry {
        let archive = try await service.archives.found(id, in: scene)
        var above = archive.position
        above.revision = Revision(rawValue: archive.revision.rawValue + 1)
        let entry = try await timeline(of: scene, below: above, limit: 1).first
        guard let entry, entry.archive.id == id else { throw try await service.archives.missing(id, in: scene) }
        return entry
    }

    package func screenshot(for id: ArchiveID, in scene: SceneKey) async throws(ServiceError) -> Screenshot? {
        _ = try await service.archives.found(id, in: scene)
        return try await service.ask { store async throws(StoreError) in try await store.screenshot(for: id, in: scene)
        }
    }

    /// Returns the counts of an app, or of the service if `app` is nil. If `name` is given, returns only its counts. The
    /// counts of each `hours` hours are added up.
    package func counts(
        of app: AppID?, named name: String? = nil, from start: Timestamp, to end: Timestamp, each hours: Int = 1
    ) async throws(ServiceError) -> [Counter: Int] {
        try await service.ask { store async throws(StoreError) in
            try await store.counts(of: app, named: name, from: start, to: end, each: hours)
        }
    }

    package func usedBytes() async throws(ServiceError) -> Int {
        try await service.ask { store async throws(StoreError) in try await store.usedBytes() }
    }
}
