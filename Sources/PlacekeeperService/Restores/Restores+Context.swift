package import PlacekeeperCore

extension Restores {
    /// Returns the latest context in which the device reported a bundle version or a state version, or nil if none is
    /// found.
    ///
    /// Devices report a context with each archive and each outcome. This method reads only the device's newest archives
    /// in the scenes with the newest work, and only outcomes of the newest 32 archives in `scene`.
    package func lastContext(in scene: String, for principal: Principal) async throws(ServiceError) -> Context? {
        let scene = try service.archives.key(of: scene, principal)
        let device = principal.device
        return try await service.ask { store async throws(StoreError) in
            var told: [(context: Context, at: Timestamp)] = []
            let heads = try await store.heads(of: device.owner, below: nil, limit: Limits.heads)
            for archive in heads.lazy.map(\.archive) where archive.device == device.id {
                told.append((archive.context, archive.receivedAt))
            }
            for archive in try await store.history(of: scene, below: nil, limit: 32).archives {
                for outcome in try await store.outcomes(of: archive.id, in: scene) where outcome.device == device.id {
                    told.append((outcome.context, outcome.reportedAt))
                }
            }
            return told.filter { $0.context.bundleVersion != nil || $0.context.stateVersion != nil }
                .max { $0.at < $1.at }?.context
        }
    }
}
