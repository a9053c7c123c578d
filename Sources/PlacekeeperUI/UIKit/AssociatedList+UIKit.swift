#if canImport(UIKit) && !os(watchOS)
    import Foundation
    package import PlacekeeperRuntime
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
                view?.elementCounts ?? []
            }
        }

        /// Uses a collection view's data source as it is.
        public convenience init(
            _ name: String, _ dataSource: any UIDataSourceModelAssociation, in view: UICollectionView,
            aliases: @escaping @MainActor (String) -> [String] = { _ in [] }
        ) {
            self.init(name, dataSource, view, aliases) { [weak view] in
                view?.elementCounts ?? []
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
                    return dataSource.modelIdentifierForElement(at: IndexPath(path), in: view)
                },
                indexPathOf: { [weak dataSource, weak view] identifier in
                    guard let dataSource, let view else { return nil }
                    return dataSource.indexPathForElement(withModelIdentifier: identifier, in: view)
                        .flatMap { ElementIndexPath($0) }
                },
                aliases: aliases)
        }
    }

    extension UITableView {
        /// The number of rows in each section.
        package var elementCounts: [Int] { (0..<numberOfSections).map { numberOfRows(inSection: $0) } }
    }

    extension UICollectionView {
        /// The number of items in each section.
        package var elementCounts: [Int] { (0..<numberOfSections).map { numberOfItems(inSection: $0) } }
    }

    extension ElementIndexPath {
        /// Creates the index path of a row or an item. Nil for another index path.
        package init?(_ path: IndexPath) {
            guard path.count == 2 else { return nil }
            self.init(section: path[0], item: path[1])
        }
    }

    extension IndexPath {
        /// Creates the index path of a row or an item.
        package init(_ path: ElementIndexPath) { self.init(indexes: [path.section, path.item]) }
    }
#endif
