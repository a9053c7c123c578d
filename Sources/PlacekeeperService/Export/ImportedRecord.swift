package import PlacekeeperCore
package import PlacekeeperMatching

/// A part of an import in the form that a store writes.
package enum ImportedRecord: Sendable {
    case scene(name: String, forgotten: CaptureOrder.Forgotten?)
    case archive(ExportedArchive)
    case change(Change)
    case items(ImportedItems)
}

/// Items of one registration. The first batch creates the registration, and later batches add to it.
package struct ImportedItems: Sendable {
    package struct Item: Sendable {
        /// The item without its ordinal. The store assigns increasing ordinals in the items' order.
        package var item: StoredItem
        /// Nil for a live item.
        package var removedAt: Timestamp?
        /// The sealed identifier and aliases (`ItemTexts`).
        package var texts: [UInt8]
        package var digest: ItemDigest

        package init(item: StoredItem, removedAt: Timestamp?, texts: [UInt8], digest: ItemDigest) {
            self.item = item
            self.removedAt = removedAt
            self.texts = texts
            self.digest = digest
        }
    }

    package var dataSource: String
    package var device: DeviceID
    /// The registration's cursor after these items.
    package var cursor: Int64
    package var items: [Item]

    package init(dataSource: String, device: DeviceID, cursor: Int64, items: [Item] = []) {
        self.dataSource = dataSource
        self.device = device
        self.cursor = cursor
        self.items = items
    }
}
