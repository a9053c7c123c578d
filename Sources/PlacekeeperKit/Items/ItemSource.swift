import PlacekeeperArchive

/// The items of a list. An array of items is one. A list that is loaded page by page, or that is too long to be read,
/// conforms itself:
///
/// ```swift
/// final class Articles: ItemSource {
///     var placeItems: [Article] { loadedArticles }
///     func item(withPlaceID id: String) async -> Article? { await request(id) }
/// }
/// ```
public protocol ItemSource<Item> {
    /// The type of the items.
    associatedtype Item: PlaceItem
    /// The items that are in memory, in the order of the list. None by default.
    @MainActor var placeItems: [Item] { get }
    /// Increase this number when items have arrived that are not in `placeItems`: a restore that waits for one then
    /// continues. 0 by default.
    @MainActor var changeCount: Int { get }
    /// Loads the item with an identifier of this device. Called for an item that isn't in `placeItems`. Returns nil if
    /// it doesn't exist. The default loads nothing.
    @MainActor func item(withPlaceID id: String) async -> Item?
    /// Returns the identifiers of all items that have an alias, for an app that has an index of them. Nil, the default,
    /// reads `placeItems` instead.
    @MainActor func placeIDs(matching alias: ItemAlias) -> [String]?
}

@MainActor
extension ItemSource {
    /// No items.
    public var placeItems: [Item] { [] }
    /// 0.
    public var changeCount: Int { 0 }
    /// Nil.
    public func item(withPlaceID id: String) async -> Item? { nil }
    /// Nil.
    public func placeIDs(matching alias: ItemAlias) -> [String]? { nil }
}

extension Array: ItemSource where Element: PlaceItem {
    /// The elements.
    public var placeItems: [Element] { self }
}

@MainActor
extension ItemSource {
    /// The list that the runtime reads.
    var list: ItemList {
        ItemList(
            of: Item.self, { placeItems }, load: { await item(withPlaceID: $0) },
            matching: { placeIDs(matching: ItemAlias(text: $0)) })
    }

    /// Returns the stamp of the present items. It equals the earlier one unless an identifier or an alias has changed.
    func stamp(after earlier: ItemsStamp?) -> ItemsStamp {
        let items = placeItems
        let address = items.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
        let source = type(of: self) is AnyClass ? ObjectIdentifier(self as AnyObject) : nil
        // The earlier stamp retains its array, so another array has another address.
        if let earlier, address != nil, earlier.address == address, earlier.count == items.count,
            earlier.changeCount == changeCount, earlier.source == source
        {
            return earlier
        }
        var hasher = Hasher()
        hasher.combine(changeCount)
        for item in items {
            hasher.combine(ByteText(item.placeID))
            hasher.combine(item.placeAliases)
        }
        return ItemsStamp(
            count: items.count, changeCount: changeCount, hash: hasher.finalize(), source: source, address: address,
            items: items)
    }
}

/// Identifies the items of a source at one time, so that a view finds out whether they have changed.
struct ItemsStamp: Equatable {
    let count: Int
    fileprivate let changeCount: Int
    let hash: Int
    /// The object, if the source is one.
    fileprivate let source: ObjectIdentifier?
    fileprivate let address: UnsafeRawPointer?
    private let items: Any

    fileprivate init(
        count: Int, changeCount: Int, hash: Int, source: ObjectIdentifier?, address: UnsafeRawPointer?, items: Any
    ) {
        (self.count, self.changeCount, self.hash, self.source) = (count, changeCount, hash, source)
        (self.address, self.items) = (address, items)
    }

    /// Whether both are of the same array. Another one may have other titles.
    func isSame(as other: ItemsStamp) -> Bool {
        address != nil && address == other.address && count == other.count && changeCount == other.changeCount
            && source == other.source
    }

    static func == (one: ItemsStamp, other: ItemsStamp) -> Bool { one.count == other.count && one.hash == other.hash }
}
