public import Foundation

/// An item of the app's data that a place can name, such as a book.
///
/// ```swift
/// struct Book: Identifiable, PlaceItem {
///     let id: UUID, isbn: String, title: String
///     var placeAliases: [ItemAlias] { [.unique("isbn", isbn)] }
/// }
/// enum Route: Codable, Hashable { case book(Book.Reference), search(text: String) }
/// ```
/// Write `Book.Reference` wherever the app's state names a book. The same book may have another identifier on another
/// device: a reference finds it by its aliases.
public protocol PlaceItem {
    /// The name of the list that the item belongs to, in saved places. Defaults to the name of the type. If you rename
    /// the type, keep the earlier name here.
    static var listName: String { get }
    /// Whether the nearest item is selected if a selected item is gone. False by default.
    static var selectsNeighbor: Bool { get }
    /// The item's identifier on this device, the same at the next launch. Defaults to `id`, if that is a string, a whole
    /// number or a `UUID`.
    var placeID: String { get }
    /// Evidence of the item's identity that is the same on every device, such as an ISBN. Not needed if `placeID` is the
    /// same on every device, such as a server's identifier. None by default.
    var placeAliases: [ItemAlias] { get }
    /// The title that an offer on another device shows. Nil by default.
    var placeTitle: String? { get }
}

extension PlaceItem {
    /// A reference to an item of this type.
    public typealias Reference = ItemReference<Self>

    /// The name of the type.
    public static var listName: String { String(describing: Self.self) }
    /// False.
    public static var selectsNeighbor: Bool { false }
    /// No aliases.
    public var placeAliases: [ItemAlias] { [] }
    /// Nil.
    public var placeTitle: String? { nil }
    /// A reference to this item.
    public var reference: ItemReference<Self> { ItemReference(self) }
}

extension PlaceItem where Self: Identifiable, ID: LosslessStringConvertible {
    /// The text of `id`.
    public var placeID: String { String(id) }
}

extension PlaceItem where Self: Identifiable, ID == UUID {
    /// The text of `id`.
    public var placeID: String { id.uuidString }
}

extension PlaceItem {
    /// The aliases, without those that say nothing, such as the ISBN of a book that has none.
    var usableAliases: [ItemAlias] { placeAliases.filter { !$0.value.isEmpty } }

    /// The key of a value that belongs to this item, the same on every device if the item has a unique alias.
    func storageKey(_ key: String) -> String {
        let alias = usableAliases.first { $0.isUnique }
        return "\(key)\(KeptPlace.itemMark)\(Self.listName)-\(alias?.text ?? placeID)"
    }
}
