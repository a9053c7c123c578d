package import PlacekeeperCore

extension Restores {
    /// Returns the places that a person may continue: the newest archive of each device in each scene. Restorable
    /// places come before other places. Within each group, newer places come first. The archives are read a page at a
    /// time, and other work of the offload queue may run in between.
    ///
    /// - Parameter position: the result begins after this position. If it is nil, the result begins with the first
    ///   place.
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
            // If `found` has `limit` places, the page is full. If `position` is nil, the loop began with the newest
            // head, so `others` is complete for this page. Otherwise the loop began below `position`, so `others` may
            // lack newer archives.
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

    /// Calls `body` with the newest archive of each device in each scene, ordered from new to old, until `body` returns
    /// false.
    private func forEachHead(
        of owner: UserKey, below position: Archive.Position?, limit: Int,
        _ body: (DeviceHead) async throws(ServiceError) -> Bool
    ) async throws(ServiceError) {
        var position = position
        // One page is usually enough. Later queries read larger pages.
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

    /// Returns whether the outcomes of an archive forbid the service to serve the archive to the caller.
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
