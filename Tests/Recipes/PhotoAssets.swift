import PlacekeeperKit

// recipe: Photos
struct Photo: PlaceItem {
    let placeID: String  // the local identifier, which differs on each device
    let cloudName: String?
    var placeAliases: [ItemAlias] { cloudName.map { [.unique("photo", $0)] } ?? [] }
}

/// Looks up only the photos that a place names, because a photo library is too large to be read.
struct Photos: ItemSource {
    let library: any PhotoLibrary

    func item(withPlaceID id: String) async -> Photo? { library.photo(id) }
    func placeIDs(matching alias: ItemAlias) -> [String]? { library.identifiers(withCloudName: alias.value) }
}

@MainActor
protocol PhotoLibrary {
    func photo(_ identifier: String) -> Photo?
    func identifiers(withCloudName name: String) -> [String]
}
// end of recipe
