/// What a client compares with what it has.
package struct Manifest: Sendable {
    /// The user's latest revision, no later than the heads: changes after it tell what is new.
    package var revision: Revision
    /// The head of each scene over all devices, in the order of the scenes' names.
    package var heads: [Archive]
}

extension RestorationService {
    /// - Parameter scene: only scenes whose names come behind it; all when nil.
    package func manifest(behind scene: String? = nil, limit: Int, caller: Caller) async throws(ServiceError)
        -> Manifest
    {
        let revision = try await changes(after: Revision(rawValue: .max), limit: 1, caller: caller).latest
        let heads = try await ask { store async throws(StoreError) in
            try await store.sceneHeads(of: caller.owner, behind: scene, limit: Limits.fetch(limit))
        }
        return Manifest(revision: revision, heads: heads)
    }
}
