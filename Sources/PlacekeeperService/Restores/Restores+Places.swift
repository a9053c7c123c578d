package import PlacekeeperCore

extension Restores {
    /// Returns the places where the user can continue: each device's newest archive in each scene. Restorable places
    /// come first (`PlaceEntry.Position`). Archives are read one page at a time, so other work on the offload queue can
    /// run in between.
    ///
    /// - Parameter position: the position after which the result starts. Nil starts with the first place.
    package func places(
        for context: Context, behind position: PlaceEntry.Position? = nil, limit: Int, principal: Principal
    )
        async throws(ServiceError) -> [PlaceEntry]
    {
        try Validation.context(context)
        let devices = Dictionary(
            try await service.devices.devices(for: principal).map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first })
        let limit = Limits.fetch(limit)
        let now = clock.now()
        var found: [PlaceEntry] = []
        var others: [PlaceEntry] = []
        if position?.isRestorable != false {
            try await forEachHead(of: principal.owner, below: position?.archive, limit: limit) {
                head async throws(ServiceError) in
                let place = try await place(head, devices, for: context, principal: principal, at: now)
                if place.fidelity != nil {
                    found.append(place)
                } else if others.count < limit {
                    others.append(place)
                }
                return found.count < limit
            }
            // If `found` has `limit` places, the page is full. If `position` is nil, the loop started with the newest
            // head, so `others` is complete for this page. Otherwise the loop started below `position`, and `others`
            // may lack newer archives.
            if position == nil || found.count == limit { return Array((found + others).prefix(limit)) }
        }
        let start = position?.isRestorable == false ? position?.archive : nil
        try await forEachHead(of: principal.owner, below: start, limit: limit) { head async throws(ServiceError) in
            let place = try await place(head, devices, for: context, principal: principal, at: now)
            if place.fidelity == nil { found.append(place) }
            return found.count < limit
        }
        return found
    }

    /// Calls `body` with each device's newest archive in each scene, from new to old, until it returns false.
    private func forEachHead(
        of owner: UserKey, below position: Archive.Position?, limit: Int,
        _ body: (DeviceHead) async throws(ServiceError) -> Bool
    ) async throws(ServiceError) {
        var position = position
        // One page is usually enough. Later pages are larger.
        var limit = limit
        while true {
            let heads = try await service.ask { [position, limit] store async throws(StoreError) in
                try await store.heads(of: owner, below: position, limit: limit)
            }
            for head in heads {
                guard try await body(head) else { return }
            }
            guard heads.count == limit, let last = heads.last, !Task.isCancelled else { return }
            position = last.archive.position
            limit = Limits.heads
            await Task.yield()
        }
    }

    private func place(
        _ head: DeviceHead, _ devices: [DeviceID: Device], for context: Context, principal: Principal, at now: Timestamp
    ) async throws(ServiceError) -> PlaceEntry {
        let verdict = principal.app.settings.evaluate(RestoreCandidate(head.archive), for: context, at: now)
        let isExcluded = try await isExcluded(head.archive, for: context, principal: principal)
        return PlaceEntry(
            archive: head.archive, device: devices[head.archive.device],
            fidelity: isExcluded ? nil : verdict.fidelity, isHead: head.isSceneHead)
    }

    /// Returns whether an archive's outcomes prevent it from being served to the device.
    private func isExcluded(
        _ archive: Archive, for context: Context, principal: Principal
    ) async throws(ServiceError) -> Bool {
        guard archive.hasOutcomes else { return false }
        let outcomes = try await service.ask { store async throws(StoreError) in
            try await store.outcomes(of: archive.id, in: archive.scene)
        }
        return RestoreEligibility(after: outcomes, madeBy: archive.device, for: principal.device.id, in: context)
            .isExcluded
    }
}
