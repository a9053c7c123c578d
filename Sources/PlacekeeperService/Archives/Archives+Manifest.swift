package import PlacekeeperCore

/// The heads of a user's scenes. A client compares these heads with its local state.
package struct Manifest: Sendable {
    /// The user's latest revision, read before the heads. So a reader that continues with the changes after this
    /// revision misses no change.
    package var revision: Revision
    /// The head of each scene over all devices, in the order of the scenes' names.
    package var heads: [Archive]
}

extension Archives {
    /// Returns a page of the manifest.
    ///
    /// - Parameter scene: the page begins after the scene with this name. If it is nil, the page begins with the first
    ///   scene.
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
