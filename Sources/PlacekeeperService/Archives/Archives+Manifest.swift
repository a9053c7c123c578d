package import PlacekeeperCore

/// The heads of a user's scenes, for a client to compare with its local state.
package struct Manifest: Sendable {
    /// The user's latest revision, read before the heads. A reader that continues with the changes after this revision
    /// misses none.
    package var revision: Revision
    /// The head of each scene across all devices, sorted by scene name.
    package var heads: [Archive]
}

extension Archives {
    /// Returns a page of the manifest.
    ///
    /// - Parameter scene: the name of the scene after which the page starts. Nil starts with the first scene.
    package func manifest(behind scene: String? = nil, limit: Int, principal: Principal) async throws(ServiceError)
        -> Manifest
    {
        let revision = try await service.changes.changes(
            after: Revision(rawValue: .max), limit: 1, principal: principal
        )
        .latest
        let heads = try await service.ask { store async throws(StoreError) in
            try await store.sceneHeads(of: principal.owner, behind: scene, limit: Limits.fetch(limit))
        }
        return Manifest(revision: revision, heads: heads)
    }
}
