package import PlacekeeperCore

extension Link {
    /// Returns whether the decision has ended, because an identifier that it names was given to another item.
    ///
    /// - Parameter items: The items that `items(of:in:_:)` returns.
    package func hasEnded(_ items: [End: StoredItem]) -> Bool {
        [first, second].contains { items[$0]?.isReuse(after: decidedAt) == true }
    }

    /// Returns the items that decisions name, if they are registered.
    package static func items(
        of links: [Link], in registries: [Registry], _ store: any ItemReading
    ) async throws(StoreError) -> [End: StoredItem] {
        var items: [End: StoredItem] = [:]
        let ends = links.flatMap { [$0.first, $0.second] }
        for registry in registries {
            let keys = ends.filter { $0.device == registry.device }.map(\.key).distinct
            for batch in keys.batches() {
                for item in try await store.items(Array(batch), in: registry).compactMap(\.self) {
                    items[End(device: registry.device, key: item.key, texts: [])] = item
                }
            }
        }
        return items
    }
}
