extension RestorationService {
    /// What a person may want to continue: the head of each device and scene; first what may be restored, the newest
    /// foremost.
    ///
    /// - Parameter position: only places behind it; all when nil.
    package func places(for context: Context, behind position: Place.Position? = nil, limit: Int, caller: Caller)
        async throws(ServiceError) -> [Place]
    {
        try Validation.context(context)
        let heads = try await ask { store async throws(StoreError) in try await store.heads(of: caller.owner) }
        let devices = Dictionary(
            try await devices(for: caller).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        let now = clock.now()
        var scenes: Set<String> = []
        var places: [Place] = []
        for archive in heads.sorted(by: { $0.position > $1.position }) {
            let verdict = caller.app.settings.policy.evaluate(archive, for: context, at: now)
            let isExcluded = try await exclusion(of: archive, for: context, caller: caller) != nil
            places.append(
                Place(
                    archive: archive, device: devices[archive.device],
                    fidelity: isExcluded ? nil : verdict.fidelity,
                    isHead: scenes.insert(archive.scene.name).inserted))
        }
        let ranked = places.filter { $0.fidelity != nil } + places.filter { $0.fidelity == nil }
        let rest = position.map { position in ranked.filter { $0.position.isBehind(position) } } ?? ranked
        return Array(rest.prefix(Limits.fetch(limit)))
    }
}
