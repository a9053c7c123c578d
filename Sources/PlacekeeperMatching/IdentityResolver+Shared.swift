import PlacekeeperArchive
package import PlacekeeperCore

extension IdentityResolver {
    /// Follows the redirects of all devices, in a list whose identifiers are the same on every device. Returns the items
    /// that replaced the given ones, each with the device that sent the last redirect. If the redirects of two devices lead
    /// back to an item, it has no replacement.
    package func replacements(of identifiers: [String]) async throws(StoreError) -> [String: ItemName] {
        let registries = registries.filter { $0.removedCount > 0 }
        var replacements: [String: ItemName] = [:]
        guard !registries.isEmpty else { return replacements }
        for batch in Array(Set(identifiers)).batches() {
            try checkIsAwaited()
            WorkMeter.pause?()
            let batch = Array(batch)
            var chains = lookup.keys(of: batch, for: list.owner).map { [$0] }
            var open = Array(batch.indices)
            for _ in 0..<Limits.redirects where !open.isEmpty {
                var moved: Set<Int> = []
                var circular: Set<Int> = []
                for registry in registries {
                    guard budget.take(open.count, for: .search) else { return replacements }
                    for (index, end, name) in try await ends(of: open, chains, in: registry) {
                        if chains[index].contains(end) {
                            replacements[batch[index]] = nil
                            circular.insert(index)
                        } else {
                            replacements[batch[index]] = ItemName(device: registry.device, identifier: name)
                            chains[index].append(end)
                            moved.insert(index)
                        }
                    }
                    open.removeAll(where: circular.contains)
                }
                open = moved.subtracting(circular).sorted()
            }
        }
        return replacements
    }

    /// Returns the ends of the redirects that a device sent for the last items of chains.
    private func ends(
        of open: [Int], _ chains: [[LookupKey]], in registry: Registry
    ) async throws(StoreError) -> [(index: Int, end: LookupKey, name: String)] {
        let items = try await store.items(open.map { chains[$0][chains[$0].count - 1] }, in: registry)
        let found = try await successions(of: items, in: registry).compactMap { place, succession in
            succession.end.flatMap { $0.isLive ? (index: open[place], item: $0) : nil }
        }
        let names = try await identifiers(of: found.map(\.item), in: registry)
        return zip(found, names).compactMap { found, name in name.map { (found.index, found.item.key, $0) } }
    }
}
