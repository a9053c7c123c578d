import KeyedArchive
import RestorationInterface
package import StateRestoration

/// The items that an app has on a device: its store, and the data source of its lists. It takes part in restoration as an
/// object that is only referred to, so that a screen that is made anew finds it.
@MainActor
package final class Catalogue: StateRestoring, ListDataSource, DataSourceModelAssociation {
    /// Something that a list shows.
    package struct Item: Sendable, Hashable {
        /// What this device calls it.
        package var id: String
        /// What every device calls it.
        package var serverID: String
        /// What a person calls it.
        package var title: String

        package init(id: String, serverID: String, title: String) {
            (self.id, self.serverID, self.title) = (id, serverID, title)
        }
    }

    package let dataSourceName: String
    /// In the order of the list.
    package var items: [Item]
    /// Whether they are all there: what is missing then is gone.
    package var isLoaded = true

    /// Makes a store of items that a device numbers by itself.
    package init(_ name: String, device: String = "here", titles: [String]) {
        dataSourceName = name
        items = titles.enumerated().map { Item(id: "\(device)-\($0)", serverID: "\(name)/\($1)", title: $1) }
    }

    /// The item that this device calls so; nil when it is gone.
    package subscript(id: String) -> Item? { items.first { $0.id == id } }

    package func elementCounts() -> [Int] { [items.count] }

    package func modelIdentifierForElement(at indexPath: ElementIndexPath?, in view: (any RestorableView)?) -> String? {
        guard let indexPath, indexPath.section == 0, items.indices.contains(indexPath.item) else { return nil }
        return items[indexPath.item].id
    }

    package func indexPathForElement(withModelIdentifier identifier: String?, in view: (any RestorableView)?)
        -> ElementIndexPath?
    {
        items.firstIndex { $0.id == identifier }.map { ElementIndexPath(item: $0) }
    }

    package func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        self[identifier].map { [$0.serverID] } ?? []
    }

    package func modelIdentifierForElement(withAlias alias: String) -> String? {
        items.first { $0.serverID == alias }?.id
    }

    /// The item that a screen showed; nil when it is gone.
    func shownItem(from coder: StateDecoder, forKey key: String) -> ShownElement? {
        coder.decodeShownElement(of: self, mayArrive: !isLoaded, forKey: key)
    }

    /// The item that a step of a place leads to; nil when it is gone.
    func shownItem(in step: PlaceStep) -> ShownElement? {
        step.elements.first.flatMap { ShownElement($0, of: self, mayArrive: !isLoaded) }
    }
}
