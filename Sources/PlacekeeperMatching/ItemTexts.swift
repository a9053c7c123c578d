package import PlacekeeperCore

/// An item's texts, as they are sealed and stored: the identifier, then the aliases. Each is encoded in UTF-8, after
/// two bytes with its length, the most significant byte first.
package struct ItemTexts: Sendable, Hashable {
    package var identifier: String
    package var aliases: [String]

    package init(identifier: String, aliases: [String]) {
        self.identifier = identifier
        self.aliases = aliases
    }

    package init(reading bytes: [UInt8]) throws(StoreError) {
        var texts: [String] = []
        var index = 0
        while index < bytes.count {
            guard index + 2 <= bytes.count else { throw Self.corrupt }
            let count = Int(bytes[index]) << 8 | Int(bytes[index + 1])
            index += 2
            guard index + count <= bytes.count else { throw Self.corrupt }
            texts.append(String(decoding: bytes[index..<index + count], as: UTF8.self))
            index += count
        }
        guard let first = texts.first else { throw Self.corrupt }
        identifier = first
        aliases = Array(texts.dropFirst())
    }

    /// Reads only the identifier. Most responses don't need the aliases.
    package static func identifier(in bytes: [UInt8]) throws(StoreError) -> String {
        guard bytes.count >= 2 else { throw corrupt }
        let count = Int(bytes[0]) << 8 | Int(bytes[1])
        guard bytes.count >= 2 + count else { throw corrupt }
        return bytes.withUnsafeBytes { String(decoding: $0[2..<2 + count], as: UTF8.self) }
    }

    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(aliases.reduce(identifier.utf8.count + 2) { $0 + $1.utf8.count + 2 })
        Self.append(identifier, to: &bytes)
        for alias in aliases { Self.append(alias, to: &bytes) }
        return bytes
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        let count = text.utf8.count
        bytes.append(UInt8(truncatingIfNeeded: count >> 8))
        bytes.append(UInt8(truncatingIfNeeded: count))
        bytes.append(contentsOf: text.utf8)
    }

    private static var corrupt: StoreError { StoreError(.corrupt, "The stored texts of an item cannot be read.") }
}
