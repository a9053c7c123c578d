/// An item of a data source as one device registers it.
package struct Item: Sendable, Hashable {
    /// The item's identifier on the device.
    package var identifier: String
    /// Evidence of the item's identity that is the same on every device: a server's id, an ISBN, a hash of its
    /// content.
    package var aliases: [String]
    /// The item's position in the list: any integer that increases with the order.
    package var position: Int64?

    package init(_ identifier: String, aliases: [String] = [], position: Int64? = nil) {
        self.identifier = identifier
        self.aliases = aliases
        self.position = position
    }
}

/// A change of a device's registered items. The change is applied completely or not at all.
package struct ItemDelta: Sendable, Hashable {
    /// The replacement of an item by another item.
    package struct Redirect: Sendable, Hashable {
        package var from: String
        package var to: String
        package init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    /// The items to add, or to replace with all their registered values.
    package var upserts: [Item]
    /// The identifiers of removed items.
    package var removals: [String]
    package var redirects: [Redirect]
    /// The cursor that the device expects. Nil if the device does not state one.
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

/// The state of a device's registration of a data source. Two registrations with the same digest hold the same items.
package struct RegistrationState: Sendable, Hashable {
    /// Increases by one with each delta that changes something. 0 before the first delta.
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

/// An item by its device and its identifier on this device.
package struct ItemName: Sendable, Hashable {
    package var device: DeviceID
    package var identifier: String

    package init(device: DeviceID, identifier: String) {
        self.device = device
        self.identifier = identifier
    }
}
