package import PlacekeeperCore

/// An item of a data source as one device registers it.
package struct Item: Sendable, Hashable {
    /// The item's identifier on the device.
    package var identifier: String
    /// Evidence of the item's identity that is the same on every device: for example a server's id, an ISBN, or a hash
    /// of the item's content.
    package var aliases: [String]
    /// The item's position in the list. Any integers that increase in the order of the list are valid positions.
    package var position: Int64?

    package init(_ identifier: String, aliases: [String] = [], position: Int64? = nil) {
        self.identifier = identifier
        self.aliases = aliases
        self.position = position
    }
}

/// A change to a device's registered items. The change is applied completely or not at all.
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

    /// The items to add or replace. An upsert replaces all registered values of its item.
    package var upserts: [Item]
    /// The identifiers of the items to remove.
    package var removals: [String]
    package var redirects: [Redirect]
    /// The cursor that the device expects the registration to have before the delta. Nil if the device does not state
    /// an expected cursor.
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
    /// A number that increases by one with each delta that changes the registration. 0 before the first such delta.
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

/// Identifies an item by its device and by the item's identifier on that device.
package struct ItemName: Sendable, Hashable {
    package var device: DeviceID
    package var identifier: String

    package init(device: DeviceID, identifier: String) {
        self.device = device
        self.identifier = identifier
    }
}
