import PlacekeeperCore

extension IdentityResolver {
    /// Returns the identifier of the neighbor nearest to a removed or pending item, by registered position. The
    /// position that a removed item had on the requesting device is tried first, then its position on the source
    /// device. Neighbors on the source device are resolved for the requesting device.
    ///
    /// - Parameters:
    ///   - isPending: whether the item may still arrive. If so, only a certain neighbor counts.
    ///   - shared: aliases that came with two or more items, so they aren't evidence for the neighbors either.
    func neighbor(
        of anchors: ItemResolution.NeighborAnchors, isPending: Bool, without shared: Set<LookupKey>
    ) async throws(StoreError) -> String? {
        if let place = anchors.former, let registry = registry(of: requestingDevice) {
            let sides = try await sides(of: place, in: registry, limit: 1)
            if let item = sides.after.first ?? sides.before.first {
                return try await identifiers(of: [item], in: registry)[0]
            }
        }
        guard sourceDevice != requestingDevice, let registry = registry(of: sourceDevice), let place = anchors.source
        else {
            return nil
        }
        let sides = try await sides(of: place, in: registry, limit: Limits.neighbors)
        var nearest: [StoredItem] = []
        for distance in 0..<max(sides.after.count, sides.before.count) {
            for side in [sides.after, sides.before] where distance < side.count { nearest.append(side[distance]) }
        }
        let evidence = try await identifiers(of: nearest, in: registry).compactMap { $0.map { Evidence($0) } }
        // Lookups for the neighbors' evidence don't use the reserve, which is for the items that the request names.
        var resolver = self
        resolver.evidencePurpose = .search
        // These are the list's present items, also if their identifiers have been reused since the archive was written.
        resolver.writtenAt = Timestamp(milliseconds: .max)
        // Resolve a few at a time, because the first neighbor is usually found on the requesting device.
        for batch in evidence.batches(of: 8) {
            let found = try await resolver.resolve(Array(batch), without: shared)
            let neighbors = found.lazy.filter { $0.isCertain || !isPending }
            if let identifier = neighbors.compactMap(\.identifier).first { return identifier }
        }
        return nil
    }

    /// Returns the nearest live items on each side of an item's position, without the item itself. An item now at the
    /// same position counts as the next one: when a device renumbers its items after a removal, the next item moves to
    /// this position.
    func sides(
        of place: ItemResolution.ListPosition, in registry: Registry, limit: Int
    ) async throws(StoreError) -> (after: [StoredItem], before: [StoredItem]) {
        let after = try await store.items(next: place.position, behind: true, in: registry, limit: limit + 1)
        let before = try await store.items(next: place.position, behind: false, in: registry, limit: limit)
        return (Array(after.filter { $0.key != place.key }.prefix(limit)), before)
    }
}
