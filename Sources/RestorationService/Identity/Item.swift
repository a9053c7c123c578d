/// An element of a data source as one device registers it.
package struct Item: Sendable, Hashable {
    /// What the device calls it.
    package var identifier: String
    /// Evidence of its identity that is the same on every device: a server's id, an ISBN, a hash of its content.
    package var aliases: [String]
    /// Where it stands in the list: any integer that rises with the order.
    package var position: Int64?

    package init(_ identifier: String, aliases: [String] = [], position: Int64? = nil) {
        self.identifier = identifier
        self.aliases = aliases
        self.position = position
    }
}

/// A change of what a device registered: carried out wholly or not at all.
package struct ItemDelta: Sendable, Hashable {
    /// An item that another one took the place of.
    package struct Redirect: Sendable, Hashable {
        package var from: String
        package var to: String
        package init(from: String, to: String) {
            self.from = from
            self.to = to
        }
    }

    /// Items to add, or to replace with all that was registered of them.
    package var upserts: [Item]
    /// Identifiers of items that are gone.
    package var removals: [String]
    package var redirects: [Redirect]
    /// The cursor that the device believes to be at; nil when it does not say.
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

/// How far a device's registration of a data source is: two that have the same digest hold the same items.
package struct RegistrationState: Sendable, Hashable {
    /// Rises by one with each delta that changes something; 0 before the first.
    package var cursor: Int64
    package var digest: ItemDigest
    /// Live items.
    package var count: Int

    package init(cursor: Int64 = 0, digest: ItemDigest = ItemDigest(), count: Int = 0) {
        self.cursor = cursor
        self.digest = digest
        self.count = count
    }
}

/// An item by whose it is and what that device calls it.
package struct ItemName: Sendable, Hashable {
    package var device: DeviceID
    package var identifier: String

    package init(device: DeviceID, identifier: String) {
        self.device = device
        self.identifier = identifier
    }
}
