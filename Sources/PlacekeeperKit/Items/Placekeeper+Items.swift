public import PlacekeeperClient

extension Placekeeper {
    /// Registers a list with the service, which can then find its items for other devices, follow merged records, and pick
    /// a neighbor of an item that is gone. Without it, a device finds its items by their aliases.
    ///
    /// Call this method whenever the list has loaded or changed; only differences are sent. Returns immediately. Don't
    /// register items with a server's identifiers: registering declares that each device has its own.
    /// - Parameter items: The whole list, in its order, at most 100,000 items. Further items are left out.
    @MainActor
    public func register<Item: PlaceItem>(_ items: [Item]) {
        let source = items.list
        list(of: source).update(from: source)
    }

    /// Records that an item was replaced by another one, for example because two records were merged. References to the
    /// replaced item then lead to the other item. Call it before you register the list. Returns immediately.
    @MainActor
    public func replace<Item: PlaceItem>(_ item: ItemReference<Item>, with other: ItemReference<Item>) {
        guard let id = item.placeID, let otherID = other.placeID else { return }
        list(Item.listName, selectsNeighbors: Item.selectsNeighbor).replace(id, by: otherID)
    }
}
