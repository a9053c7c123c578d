#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import PlacekeeperRuntime
    public import UIKit

    // https://developer.apple.com/documentation/uikit/uidatasourcemodelassociation
    extension AssociatedList {
        /// Uses a table view's data source as it is.
        /// - Parameters:
        ///   - name: The name of the list, the same on every device.
        ///   - dataSource: The data source.
        ///   - view: The table view, from which the number of rows is read.
        ///   - aliases: Returns the aliases of an identifier.
        public convenience init(
            _ name: String, _ dataSource: any UIDataSourceModelAssociation, in view: UITableView,
            aliases: @escaping @MainActor (String) -> [String] = { _ in [] }
        ) {
            self.init(name, dataSource, view, aliases) { [weak view] in
                guard let view else { return [] }
                return (0..<view.numberOfSections).map { view.numberOfRows(inSection: $0) }
            }
        }

        /// Uses a collection view's data source as it is.
        public convenience init(
            _ name: String, _ dataSource: any UIDataSourceModelAssociation, in view: UICollectionView,
            aliases: @escaping @MainActor (String) -> [String] = { _ in [] }
        ) {
            self.init(name, dataSource, view, aliases) { [weak view] in
                guard let view else { return [] }
                return (0..<view.numberOfSections).map { view.numberOfItems(inSection: $0) }
            }
        }

        private convenience init(
            _ name: String, _ dataSource: any UIDataSourceModelAssociation, _ view: UIView,
            _ aliases: @escaping @MainActor (String) -> [String], counts: @escaping @MainActor () -> [Int]
        ) {
            // A view often owns its data source, and a screen owns both, so the list retains neither.
            self.init(
                name, counts: counts,
                identifierAt: { [weak dataSource, weak view] path in
                    guard let dataSource, let view else { return nil }
                    return dataSource.modelIdentifierForElement(
                        at: IndexPath(indexes: [path.section, path.item]), in: view)
                },
                indexPathOf: { [weak dataSource, weak view] identifier in
                    guard let dataSource, let view,
                        let path = dataSource.indexPathForElement(withModelIdentifier: identifier, in: view),
                        path.count == 2
                    else { return nil }
                    return ElementIndexPath(section: path[0], item: path[1])
                },
                aliases: aliases)
        }
    }
#endif
