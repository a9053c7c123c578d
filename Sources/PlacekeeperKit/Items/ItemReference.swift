import PlacekeeperArchive
import PlacekeeperModels

/// A reference to an item in the app's state, such as the book of an open screen.
///
/// Two references are equal if they name the same item on this device. In a place, a reference is saved with the item's
/// aliases, so another device finds its own item. If the item hasn't loaded yet, the reference waits for it: `placeID`
/// is nil, and saving the state again keeps the reference as it was.
///
/// Other encoders, such as `JSONEncoder`, write the identifier of this device and the aliases.
public struct ItemReference<Item: PlaceItem>: Sendable {
    var use: ItemUse

    /// Creates a reference to an item.
    public init(_ item: Item) {
        use = ItemUse(
            list: Item.listName, id: ByteText(item.placeID), aliases: item.usableAliases, title: item.placeTitle)
    }

    /// Creates a reference to the item with an identifier of this device.
    public init(placeID: String) { use = ItemUse(list: Item.listName, id: ByteText(placeID)) }

    /// Creates a reference to the item with an alias, such as the ISBN in a link. It waits for the item.
    public init(matching alias: ItemAlias) {
        let element = ModelReference.Element(nil, aliases: [alias.text])
        use = ItemUse(saved: ModelReference(dataSource: Item.listName, element: element, role: .selected))
    }

    /// The item's identifier on this device. Nil while the reference waits for the item.
    public var placeID: String? { use.id?.text }
}

extension ItemReference: Hashable {
    /// Whether both name the same item on this device.
    public static func == (one: Self, other: Self) -> Bool { one.use == other.use }
    /// Hashes the identifier of this device.
    public func hash(into hasher: inout Hasher) { use.hash(into: &hasher) }
}

extension ItemReference: Codable {
    private enum Key: String, CodingKey { case id, savedID, aliases }

    /// Writes the reference.
    public func encode(to encoder: any Encoder) throws {
        if let encoder = encoder as? PlaceEncodingNode { return encoder.write(use) }
        var container = encoder.container(keyedBy: Key.self)
        try container.encodeIfPresent(placeID, forKey: .id)
        try container.encodeIfPresent(use.saved?.element.identifier, forKey: .savedID)
        try container.encode(use.aliases.map(\.text) + (use.saved?.element.aliases ?? []), forKey: .aliases)
    }

    /// Reads a reference. Throws if it belongs to another list.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? PlaceValueDecoder {
            use = try decoder.itemUse()
            guard use.list == Item.listName else { throw decoder.mismatch(Self.self) }
            return
        }
        let container = try decoder.container(keyedBy: Key.self)
        let aliases = try container.decode([String].self, forKey: .aliases)
        if let id = try container.decodeIfPresent(String.self, forKey: .id) {
            use = ItemUse(list: Item.listName, id: ByteText(id), aliases: aliases.map { ItemAlias(text: $0) })
        } else {
            let id = try container.decodeIfPresent(String.self, forKey: .savedID)
            let element = ModelReference.Element(id, aliases: aliases)
            use = ItemUse(saved: ModelReference(dataSource: Item.listName, element: element, role: .selected))
        }
    }
}

/// What a reference knows of its item.
struct ItemUse: Hashable, Sendable {
    let list: String
    /// The item's identifier on this device. Nil while the item hasn't arrived.
    private(set) var id: ByteText?
    /// The item's aliases, if it was in memory when the reference was made.
    private(set) var aliases: [ItemAlias] = []
    private(set) var title: String?
    /// The saved reference to an item that hasn't arrived.
    private(set) var saved: ModelReference?

    init(list: String, id: ByteText, aliases: [ItemAlias] = [], title: String? = nil) {
        (self.list, self.id, self.aliases, self.title) = (list, id, aliases, title)
    }

    init(saved: ModelReference) { (list, self.saved) = (saved.dataSource, saved) }

    static func == (one: ItemUse, other: ItemUse) -> Bool {
        guard one.list == other.list else { return false }
        if let id = one.id, let otherID = other.id { return id == otherID }
        return one.id == nil && other.id == nil && one.saved == other.saved
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(list)
        hasher.combine(id)
    }
}

extension Collection where Element: PlaceItem {
    /// The item of a reference. Nil if the collection doesn't have it: the item is gone, or hasn't loaded yet.
    ///
    /// Reads the collection from its start, so keep a dictionary by `placeID` for a list of many thousands of items.
    @MainActor
    public subscript(_ reference: ItemReference<Element>) -> Element? {
        if let id = reference.use.id { return first { ByteText($0.placeID) == id } }
        guard let saved = reference.use.saved else { return nil }
        let list = ItemList(of: Element.self) { Array(self) }
        return list.identifier(of: saved).flatMap { id in first { ByteText($0.placeID) == ByteText(id) } }
    }
}
