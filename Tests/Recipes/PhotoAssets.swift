import PlacekeeperClient
import PlacekeeperUI
import PlacekeeperRuntime

// recipe: Photos
/// The assets of the photo library, by their local identifiers. An asset's alias is its cloud identifier. The system
/// looks cloud identifiers up slowly, so only the assets to which a place refers are registered.
@MainActor
final class PhotoList: DataSourceModelAssociation {
    let dataSourceName = "photos"
    /// Different photos never share a cloud identifier.
    let uniqueAliases = ["photo"]
    private let library: any PhotoNames
    private let prefix = "photo:"
    private var aliases: [String: String] = [:]

    init(_ library: any PhotoNames) { self.library = library }

    /// Registers the assets of a window's place. Call this method when the place has changed, and before `flush()`.
    func register(in place: KeptPlace, with placekeeper: Placekeeper) async {
        await placekeeper.list(of: self).update(from: self, referredBy: place.archive())
    }

    func modelIdentifierForElement(
        at indexPath: ElementIndexPath?, in view: (any RestorableView)?
    ) -> String? { indexPath.flatMap { library.identifier(at: $0.item) } }

    func indexPathForElement(
        withModelIdentifier identifier: String?, in view: (any RestorableView)?
    ) -> ElementIndexPath? {
        identifier.flatMap { library.index(of: $0) }.map { ElementIndexPath(section: 0, item: $0) }
    }

    func modelAliases(forElementWithModelIdentifier identifier: String) -> [String] {
        let alias = aliases[identifier] ?? library.cloudName(of: identifier).map { prefix + $0 }
        aliases[identifier] = alias
        return [alias].compactMap { $0 }
    }

    func modelIdentifiers(forElementsWithAlias alias: String) -> [String]? {
        alias.hasPrefix(prefix) ? library.identifiers(withCloudName: String(alias.dropFirst(prefix.count))) : []
    }
}

/// The names of the photo library's assets.
@MainActor
protocol PhotoNames {
    func identifier(at index: Int) -> String?
    func index(of identifier: String) -> Int?
    func cloudName(of identifier: String) -> String?
    func identifiers(withCloudName name: String) -> [String]
}
// end of recipe
