#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import PlacekeeperArchive
    import PlacekeeperRuntime
    import UIKit

    /// A data source with `UIDataSourceModelAssociation`, used as it is. The name, the aliases and the element counts are
    /// provided separately.
    ///
    /// The data source's index path for an identifier is used only if the element there has this identifier. So if a data
    /// source returns the first row for an unknown identifier, the first row isn't used.
    @MainActor
    final class AssociatedList: DataSourceModelAssociation {
        /// Returns the identifier of an element. Nil if there is none.
        typealias IdentifierAt = @MainActor (ElementIndexPath) -> String?
        /// Returns the index path of an identifier. Nil if there is none.
        typealias IndexPathOf = @MainActor (String) -> ElementIndexPath?

        /// The name of the data source in archives and on the service.
        let dataSourceName: String
        private let identifier: IdentifierAt
        private let indexPath: IndexPathOf
        private let counts: @MainActor () -> [Int]
        private let aliases: @MainActor (String) -> [String]

        /// Creates a list.
        /// - Parameters:
        ///   - name: The name of the data source, the same on every device.
        ///   - counts: Returns the number of elements in each section.
        ///   - identifier: Returns the identifier at an index path within `counts`.
        ///   - indexPath: Returns the index path of an identifier.
        ///   - aliases: Returns the aliases of an identifier.
        init(
            _ name: String, counts: @escaping @MainActor () -> [Int], identifierAt identifier: @escaping IdentifierAt,
            indexPathOf indexPath: @escaping IndexPathOf,
            aliases: @escaping @MainActor (String) -> [String] = { _ in [] }
        ) {
            dataSourceName = name
            self.counts = counts
            self.identifier = identifier
            self.indexPath = indexPath
            self.aliases = aliases
        }

        /// Returns the identifier of the element at an index path.
        func modelIdentifierForElement(
            at indexPath: ElementIndexPath?, in view: (any ElementView)?
        ) -> String? {
            guard let indexPath else { return nil }
            let counts = counts()
            // Data sources trap if an index path is beyond their rows.
            guard counts.indices.contains(indexPath.section), (0..<counts[indexPath.section]).contains(indexPath.item)
            else { return nil }
            return identifier(indexPath)
        }

        /// Returns the index path of an element.
        func indexPathForElement(
            withModelIdentifier identifier: String?, in view: (any ElementView)?
        ) -> ElementIndexPath? {
            guard let identifier, let found = indexPath(identifier),
                modelIdentifierForElement(at: found, in: view).map(ByteText.init) == ByteText(identifier)
            else { return nil }
            return found
        }

        /// Returns the number of elements in each section.
        func elementCounts(in view: (any ElementView)?) -> [Int] { counts() }

        /// Returns the elements at all index paths.
        func listElements(in view: (any ElementView)?) -> [ListElement] {
            counts().enumerated().flatMap { section, count in
                (0..<max(0, count)).compactMap { item in
                    identifier(ElementIndexPath(section: section, item: item)).map {
                        ListElement($0, aliases: aliases($0))
                    }
                }
            }
        }

        /// Returns the aliases of an element.
        func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] { aliases(identifier) }
    }

    // https://developer.apple.com/documentation/uikit/uidatasourcemodelassociation
    extension AssociatedList {
        /// Uses a table view's data source as it is.
        /// - Parameters:
        ///   - name: The name of the list, the same on every device.
        ///   - dataSource: The data source.
        ///   - view: The table view, from which the number of rows is read.
        ///   - aliases: Returns the aliases of an identifier.
        convenience init(
            _ name: String, _ dataSource: any UIDataSourceModelAssociation, in view: UITableView,
            aliases: @escaping @MainActor (String) -> [String] = { _ in [] }
        ) {
            self.init(name, dataSource, view, aliases) { [weak view] in
                view?.elementCounts ?? []
            }
        }

        /// Uses a collection view's data source as it is.
        convenience init(
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
        var elementCounts: [Int] { (0..<numberOfSections).map { numberOfRows(inSection: $0) } }
    }

    extension UICollectionView {
        /// The number of items in each section.
        var elementCounts: [Int] { (0..<numberOfSections).map { numberOfItems(inSection: $0) } }
    }

    extension ElementIndexPath {
        /// Creates the index path of a row or an item. Nil for another index path.
        init?(_ path: IndexPath) {
            guard path.count == 2 else { return nil }
            self.init(section: path[0], item: path[1])
        }
    }

    extension IndexPath {
        /// Creates the index path of a row or an item.
        init(_ path: ElementIndexPath) { self.init(indexes: [path.section, path.item]) }
    }
#endif
