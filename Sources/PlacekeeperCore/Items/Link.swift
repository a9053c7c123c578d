/// An operator's decision about two items on different devices of a user. It takes precedence over evidence.
package struct Link: Sendable, Hashable {
    package enum Kind: String, Sendable, Codable, CaseIterable {
        /// The two items are the same.
        case same
        /// The two items are different, whatever aliases they share.
        case different
    }

    /// An item, by its device and identifier. It need not be registered yet.
    package struct End: Sendable, Hashable {
        package var device: DeviceID
        package var key: LookupKey
        /// The sealed identifier.
        package var texts: [UInt8]
        package init(device: DeviceID, key: LookupKey, texts: [UInt8]) {
            self.device = device
            self.key = key
            self.texts = texts
        }
        package static func == (left: End, right: End) -> Bool { left.device == right.device && left.key == right.key }
        package func hash(into hasher: inout Hasher) {
            hasher.combine(device)
            hasher.combine(key)
        }
    }

    package var first: End
    package var second: End
    package var kind: Kind
    /// The operator's reason.
    package var note: String
    package var decidedAt: Timestamp

    /// Creates a decision. The order of the ends doesn't matter.
    package init(_ one: End, _ other: End, _ kind: Kind, note: String, at time: Timestamp) {
        let inOrder = (one.device, one.key.rawValue) < (other.device, other.key.rawValue)
        first = inOrder ? one : other
        second = inOrder ? other : one
        self.kind = kind
        self.note = note
        decidedAt = time
    }
}
