import PlacekeeperArchive
import PlacekeeperStandIns
package import PlacekeeperRuntime

/// The items of an app on a device: the app's store, and the data source of the app's lists. If the app registers the
/// catalog for state restoration, a recreated screen can decode a reference to the catalog.
@MainActor
package final class Catalog: StateRestoring, ListDataSource, DataSourceModelAssociation {
    /// An item of a list.
    package struct Item: Sendable, Hashable {
        /// The item's identifier on this device.
        package var id: String
        /// The item's alias, which is the same on every device.
        package var serverID: String
        /// The title that a person sees.
        package var title: String

        package init(id: String, serverID: String, title: String) {
            (self.id, self.serverID, self.title) = (id, serverID, title)
        }
    }

    package let dataSourceName: String
    /// The items, in the order of the list.
    package var items: [Item]
    /// Whether all items are loaded. If this is false, an item that is not in `items` may still arrive. If it is true,
    /// such an item no longer exists.
    package var isLoaded = true

    /// Creates a store of items whose identifiers are specific to the device.
    package init(_ name: String, device: String = "here", titles: [String]) {
        dataSourceName = name
        items = titles.enumerated().map { Item(id: "\(device)-\($0)", serverID: "\(name)/\($1)", title: $1) }
    }

    /// Returns the item with an identifier. Nil if `items` does not have the item.
    package subscript(id: String) -> Item? { items.first { $0.id == id } }

    package func elementCounts() -> [Int] { [items.count] }

    package func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any ElementView)?) -> String? {
        guard let indexPath, indexPath.section == 0, items.indices.contains(indexPath.item) else { return nil }
        return items[indexPath.item].id
    }

    package func indexPathForElement(withModelIdentifier identifier: String?, in view: (any ElementView)?)
        -> ElementIndexPath?
    {
        items.firstIndex { $0.id == identifier }.map { ElementIndexPath(item: $0) }
    }

    package func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        self[identifier].map { [$0.serverID] } ?? []
    }

    /// Decodes a reference to the item that a screen showed. Nil if the item no longer exists.
    func shownItem(from coder: StateDecoder, forKey key: String) -> ShownElement? {
        coder.decodeShownElement(of: self, mayArrive: !isLoaded, forKey: key)
    }

    /// Returns the item of a step of a place. Nil if the item no longer exists.
    func shownItem(in step: PlaceStep) -> ShownElement? {
        step.elements.first.flatMap { ShownElement($0, of: self, mayArrive: !isLoaded) }
    }
}
