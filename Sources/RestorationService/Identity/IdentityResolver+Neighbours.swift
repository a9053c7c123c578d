extension IdentityResolver {
    /// The nearest survivor of an item that is gone, by the positions that devices registered: first the asking device's
    /// own, which it had the item at, then the source device's, whose other items are looked for in turn.
    ///
    /// - Parameter shared: aliases that came with two items, and so are no evidence for its neighbours either.
    func neighbour(
        of places: ItemResolution.NeighbourAnchors, without shared: Set<LookupKey>
    ) async throws(StoreError) -> String? {
        if let place = places.former, let registry = registry(of: requestingDevice) {
            let sides = try await sides(of: place, in: registry, limit: 1)
            if let item = sides.after.first ?? sides.before.first { return try await identifiers(of: [item])[0] }
        }
        guard sourceDevice != requestingDevice, let registry = registry(of: sourceDevice), let place = places.source
        else {
            return nil
        }
        let sides = try await sides(of: place, in: registry, limit: Limits.neighbours)
        var nearest: [StoredItem] = []
        for distance in 0..<max(sides.after.count, sides.before.count) {
            for side in [sides.after, sides.before] where distance < side.count { nearest.append(side[distance]) }
        }
        let names = try await identifiers(of: nearest).compactMap { $0.map { Evidence($0) } }
        // A few at a time: most often the first is there.
        for start in stride(from: 0, to: names.count, by: 8) {
            let found = try await resolve(Array(names[start..<min(start + 8, names.count)]), without: shared)
            if let identifier = found.lazy.compactMap(\.identifier).first { return identifier }
        }
        return nil
    }

    /// Other live items on each side of one, the nearest first. What has its position by now came after it, as what
    /// follows does where a device counts its items anew.
    private func sides(
        of place: ItemResolution.ListPosition, in registry: Registry, limit: Int
    ) async throws(StoreError) -> (after: [StoredItem], before: [StoredItem]) {
        let after = try await store.items(next: place.position, behind: true, in: registry, limit: limit + 1)
        let before = try await store.items(next: place.position, behind: false, in: registry, limit: limit)
        return (Array(after.filter { $0.key != place.key }.prefix(limit)), before)
    }
}
