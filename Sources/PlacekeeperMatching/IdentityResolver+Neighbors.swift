import PlacekeeperCore

extension IdentityResolver {
    /// Returns the identifier of the nearest neighbor of a removed or pending item, by registered positions. A removed
    /// item's former position on the requesting device is tried first, then the position on the source device.
    /// Neighbors on the source device are resolved for the requesting device.
    ///
    /// - Parameters:
    ///   - isPending: whether the item may still arrive. The neighbor must then be certain.
    ///   - shared: the aliases that came with at least two items. These aliases are not evidence for the neighbors
    ///     either.
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
        // The lookups for the neighbors' evidence take nothing from the reserve. The reserve is for the items that the
        // request names.
        var resolver = self
        resolver.evidencePurpose = .search
        // Resolves a few neighbors at a time, because usually the first neighbor is found on the requesting device.
        for batch in evidence.batches(of: 8) {
            let found = try await resolver.resolve(Array(batch), without: shared)
            let neighbors = found.lazy.filter { $0.isCertain || !isPending }
            if let identifier = neighbors.compactMap(\.identifier).first { return identifier }
        }
        return nil
    }

    /// Returns the nearest live items on each side of an item's position, without the item itself. An item that now has
    /// the same position is treated as the next item: when a device renumbers its items after a removal, the next item
    /// takes this position.
    func sides(
        of place: ItemResolution.ListPosition, in registry: Registry, limit: Int
    ) async throws(StoreError) -> (after: [StoredItem], before: [StoredItem]) {
        let after = try await store.items(next: place.position, behind: true, in: registry, limit: limit + 1)
        let before = try await store.items(next: place.position, behind: false, in: registry, limit: limit)
        return (Array(after.filter { $0.key != place.key }.prefix(limit)), before)
    }
}
