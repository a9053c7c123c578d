import Foundation
import PlacekeeperArchive

/// The items of a list that this device has registered with the service, as far as the client knows.
struct RegisteredItems {
    /// The items, by identifier.
    private(set) var items: [ByteText: Wire.Item] = [:]
    private(set) var digest = ItemDigest()
    /// The number that the service gave to the last change.
    var cursor: Int64 = 0

    init() {}

    init(_ items: some Sequence<Wire.Item>, cursor: Int64) {
        for item in items { set(item) }
        self.cursor = cursor
    }

    mutating func set(_ item: Wire.Item) {
        remove(item.identifier)
        items[ByteText(item.identifier)] = item
        digest.toggle(item)
    }

    mutating func remove(_ identifier: String) {
        if let old = items.removeValue(forKey: ByteText(identifier)) { digest.toggle(old) }
    }

    /// Whether these are the items in the service's registration.
    func equal(_ state: Wire.RegistrationState) -> Bool { digest.text == state.digest && items.count == state.count }

    mutating func apply(_ delta: Wire.ItemDelta) {
        for item in delta.upserts ?? [] { set(item) }
        for identifier in delta.removals ?? [] { remove(identifier) }
        for redirect in delta.redirects ?? [] { remove(redirect.from) }
    }

    // MARK: - The file

    private struct Header: Codable {
        var cursor: Int64
    }

    /// The maximum file size, in bytes.
    static let fileLimit = 64 << 20

    /// Reads the file of a list. Returns `nil` if the file is damaged.
    init?(file: [UInt8]) {
        guard let (header, content) = try? ChecksummedFile.decode(Header.self, file),
            let items = try? JSONDecoder().decode([Wire.Item].self, from: Data(content))
        else { return nil }
        self.init(items, cursor: header.cursor)
    }

    /// The bytes of the list's file.
    var file: [UInt8] {
        // The items consist of strings and integers, so encoding them cannot fail.
        let content = (try? [UInt8](JSONEncoder.sorted.encode(Array(items.values)))) ?? []
        return ChecksummedFile.encode(Header(cursor: cursor), content)
    }
}

extension Wire.Item {
    /// The maximum number of aliases that the service accepts for an item.
    private static let maximumAliasCount = 32

    /// Creates an item, with its aliases sorted by their bytes. Leaves out aliases that the service would reject.
    /// Returns `nil` if the service would reject the identifier.
    init?(_ identifier: String, aliases: [String], position: Int64) {
        guard Self.isAccepted(identifier) else { return nil }
        var taken: Set<String> = []
        let aliases = aliases.filter { Self.isAccepted($0) && taken.insert($0).inserted }.prefix(Self.maximumAliasCount)
        self.init(
            identifier: identifier,
            aliases: aliases.isEmpty ? nil : aliases.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) },
            position: position)
    }

    /// Whether a text has 1 to 512 bytes and no control characters.
    static func isAccepted(_ text: String) -> Bool {
        (1...512).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }

    /// Whether two items are equal byte by byte. Swift treats some texts with different bytes as equal.
    func hasSameBytes(as other: Wire.Item) -> Bool {
        let (mine, others) = (aliases ?? [], other.aliases ?? [])
        return position == other.position && ByteText(identifier) == ByteText(other.identifier)
            && mine.count == others.count && zip(mine, others).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
    }

    /// The total number of bytes of the identifier and the aliases.
    var textSize: Int { (aliases ?? []).reduce(identifier.utf8.count) { $0 + $1.utf8.count } }
}
