import PlacekeeperArchive
package import PlacekeeperCore

/// An item of a data source, as a device registers it.
package struct Item: Sendable, Hashable {
    /// The item's identifier on the device. Compared by its bytes.
    package var identifier: String { name.text }
    private let name: ByteText
    /// Evidence of the item's identity that is the same on every device, such as a server's id, an ISBN or a hash of
    /// the content.
    package var aliases: [String]
    /// The item's position in the list. Any integers that rise in list order will do.
    package var position: Int64?

    package init(_ identifier: String, aliases: [String] = [], position: Int64? = nil) {
        name = ByteText(identifier)
        self.aliases = aliases
        self.position = position
    }
}

/// A change to a device's registered items. Applied completely or not at all.
package struct ItemDelta: Sendable, Hashable {
    /// Replaces an item with another.
    package struct Redirect: Sendable, Hashable {
        package var from: String { source.text }
        package var to: String { target.text }
        private let source: ByteText
        private let target: ByteText
        package init(from: String, to: String) {
            source = ByteText(from)
            target = ByteText(to)
        }
    }

    /// The items to add or replace. An upsert replaces everything registered for its item.
    package var upserts: [Item]
    /// The identifiers of the items to remove.
    package var removals: [String]
    package var redirects: [Redirect]
    /// The cursor that the registration must have before the delta. Nil to skip this check.
    package var after: Int64?

    package init(
        upserts: [Item] = [], removals: [String] = [], redirects: [Redirect] = [], after: Int64? = nil
    ) {
        self.upserts = upserts
        self.removals = removals
        self.redirects = redirects
        self.after = after
    }
}

/// The state of a device's registration of a data source. Equal digests mean equal items.
package struct RegistrationState: Sendable, Hashable {
    /// Rises by one with each delta that changes the registration. Starts at 0.
    package var cursor: Int64
    package var digest: ItemDigest
    /// The number of live items.
    package var count: Int

    package init(cursor: Int64 = 0, digest: ItemDigest = ItemDigest(), count: Int = 0) {
        self.cursor = cursor
        self.digest = digest
        self.count = count
    }
}

/// Names an item by its device and its identifier there.
package struct ItemName: Sendable, Hashable {
    package var device: DeviceID
    package var identifier: String { name.text }
    private let name: ByteText

    package init(device: DeviceID, identifier: String) {
        self.device = device
        name = ByteText(identifier)
    }
}
