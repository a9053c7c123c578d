/// The user of an import, as a store begins it.
package struct ImportedUser: Sendable, Hashable {
    package var owner: UserKey
    /// The time of the import, and the user's latest time. No imported time is later.
    package var createdAt: Timestamp
    /// The last revision that was assigned. No imported revision is greater.
    package var revision: Revision
    /// The changes up to this revision are not imported.
    package var prunedThrough: Revision

    package init(owner: UserKey, createdAt: Timestamp, revision: Revision, prunedThrough: Revision) {
        self.owner = owner
        self.createdAt = createdAt
        self.revision = revision
        self.prunedThrough = prunedThrough
    }
}

/// A part of an import, as a store stores it.
package enum ImportedRecord: Sendable {
    case scene(name: String, forgotten: CaptureOrder.Forgotten?)
    case archive(ExportedArchive)
    case change(Change)
    case items(ImportedItems)
}

/// Items of one registration. The first items of a registration create it. Further items are added to it.
package struct ImportedItems: Sendable {
    package struct Item: Sendable {
        /// The item without its ordinal. The store assigns rising ordinals in the order of the items.
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

/// The result of ending an import.
package enum ImportEnd: Sendable, Hashable {
    case done
    /// The account has another user.
    case accountTaken
    /// The device belongs to another user.
    case deviceTaken(DeviceID)
}
