public import Foundation
import PlacekeeperArchive
import PlacekeeperModels

/// Evidence of an item's identity that is the same on every device: a kind, such as `isbn`, and a value.
///
/// An item may have up to 32 aliases of up to 512 bytes. Include at least one that never changes.
public struct ItemAlias: Sendable, Hashable {
    /// The kind and the value, such as `isbn:9780306406157`.
    package let text: String
    package let isUnique: Bool

    package init(text: String, isUnique: Bool = false) { (self.text, self.isUnique) = (text, isUnique) }

    /// Creates an alias that several items may have, such as a title. Such an alias alone decides nothing if two items
    /// of a list have it.
    /// - Parameters:
    ///   - kind: 1 to 64 bytes, without colons and commas.
    ///   - value: The value.
    public init(_ kind: String, _ value: String) { self.init(text: "\(kind):\(value)") }

    /// Returns an alias of a kind that different items never share, such as a server's identifier. It proves that two
    /// items are the same.
    public static func unique(_ kind: String, _ value: String) -> ItemAlias {
        ItemAlias(text: "\(kind):\(value)", isUnique: true)
    }

    /// The aliases of a track by its metadata. Letter case and spaces don't matter. None without a title.
    public static func track(
        title: String?, artist: String?, album: String? = nil, disc: Int? = nil, number: Int? = nil
    ) -> [ItemAlias] {
        MetadataAliases.track(title: title, artist: artist, album: album, disc: disc, number: number).map(metadata)
    }

    /// The aliases of a book by its metadata. Letter case and spaces don't matter. None without a title.
    public static func book(title: String?, author: String?, volume: Int? = nil) -> [ItemAlias] {
        MetadataAliases.book(title: title, author: author, volume: volume).map(metadata)
    }

    /// The aliases of a photo by its metadata.
    /// - Parameters:
    ///   - captured: The time of capture.
    ///   - width: The width in pixels.
    ///   - height: The height in pixels.
    public static func photo(captured: Date, width: Int, height: Int) -> [ItemAlias] {
        MetadataAliases.photo(captured: captured, width: width, height: height).map(metadata)
    }

    private static func metadata(_ text: String) -> ItemAlias { ItemAlias(text: text) }

    /// The kind, such as `isbn`.
    public var kind: String { String(text.prefix { $0 != ":" }) }
    /// The value, such as `9780306406157`.
    public var value: String { String(text.dropFirst(kind.count + 1)) }

    /// Whether both have the same kind and value.
    public static func == (one: ItemAlias, other: ItemAlias) -> Bool { ByteText(one.text) == ByteText(other.text) }
    /// Hashes the kind and the value.
    public func hash(into hasher: inout Hasher) { hasher.combine(ByteText(text)) }
}
