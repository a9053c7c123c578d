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
        let heads = try await ask { store async throws(StoreError) in try await store.heads(of: caller.owner) }
        let scenes = Dictionary(grouping: heads, by: \.scene.name)
            .filter { name, _ in scene.map { name > $0 } ?? true }
        let newest = scenes.values.compactMap { $0.max { $0.position < $1.position } }
            .sorted { $0.scene.name < $1.scene.name }
        return Manifest(revision: revision, heads: Array(newest.prefix(Limits.fetch(limit))))
    }
}
