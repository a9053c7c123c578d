/// What a client compares with what it has.
package struct Manifest: Sendable {
    /// The user's latest revision, no later than the heads: changes after it tell what is new.
    package var revision: Revision
    /// The head of each scene over all devices, by the scenes' names.
    package var heads: [Archive]
}

extension RestorationService {
    package func manifest(for caller: Caller) async throws(ServiceError) -> Manifest {
        let revision = try await changes(after: Revision(rawValue: .max), limit: 1, caller: caller).latest
        let heads = try await ask { store async throws(StoreError) in try await store.heads(of: caller.owner) }
        let scenes = Dictionary(grouping: heads, by: \.scene.name)
        return Manifest(
            revision: revision,
            heads: scenes.values.compactMap { $0.max { $0.position < $1.position } }
                .sorted { $0.scene.name < $1.scene.name })
    }
}
