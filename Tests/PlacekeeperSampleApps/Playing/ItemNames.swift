/// The identifiers of the same items on two devices, in forms that apps use.
package enum ItemNames: String, CaseIterable, Sendable {
    case coreData = "Core Data URIs of two stores"
    case rowKeys = "row keys that mean another row on the other device"
    case uuids = "UUIDs"
    case serverIDs = "server ids"
    case labels = "labels in either normal form"

    /// One of the two devices.
    package enum Side: Int, Sendable {
        case here, there
    }

    /// Sets the identifiers and the aliases of a device's items.
    @MainActor
    package func name(_ items: Catalog, on side: Side) {
        for index in items.items.indices {
            items.items[index].id = identifier(index, on: side)
            items.items[index].serverID = alias(index, on: side)
        }
    }

    private func identifier(_ index: Int, on side: Side) -> String {
        // Each number identifies an item on both devices, but almost never the same item.
        let row = side == .here ? index : (7 * index + 3) % 30
        switch self {
        case .coreData:
            let store = side == .here ? "6D5F1F6C-0A8E" : "B0C3A7D2-91E4"
            return "x-coredata://\(store)-4C5B-9E1A-2F7B8C9D0E1F/Item/p\(row + 1)"
        case .rowKeys: return "p\(row)"
        case .uuids:
            let last = String(row + 0x5000_0000_0000 * (side.rawValue + 1), radix: 16, uppercase: true)
            return "9B2F4C70-63D1-4E0A-A1C5-\(last)"
        case .serverIDs: return "\(4_815_162_300 + index)"
        case .labels: return label(index, on: side)
        }
    }

    private func alias(_ index: Int, on side: Side) -> String {
        self == .labels ? "label:\(label(index, on: side))" : "https://example.com/items/\(index)"
    }

    /// Returns a label with letters that have a composed and a decomposed form, and letters that have one form only.
    private func label(_ index: Int, on side: Side) -> String {
        let letters =
            side == .here
            ? "Caf\u{E9} \u{1E69} \u{D55C}\u{AE00} \u{212B}"
            : "Cafe\u{301} s\u{323}\u{307} \u{1112}\u{1161}\u{11AB}\u{1100}\u{1173}\u{11AF} A\u{30A}"
        return "\(letters) 🏳️‍🌈 \u{202E}عربي #\(index)"
    }
}
