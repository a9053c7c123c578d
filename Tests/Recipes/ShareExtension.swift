import PlacekeeperKit

// recipe: extension
/// Makes a shared link the place of the app's main window. The extension doesn't know the app's identifier of the link.
@MainActor
func keepLink(_ address: String, title: String, with placekeeper: Placekeeper) async {
    let link = Link.Reference(matching: .unique("url", address))
    placekeeper.scene([LinkRoute].self).save([.link(link, title: title)])
    try? await placekeeper.flush()  // a state that isn't sent waits for the app
}
// end of recipe

/// The types of the app, which its extension shares.
struct Link: PlaceItem {
    let placeID: String
    let address: String
    var placeAliases: [ItemAlias] { [.unique("url", address)] }
}

enum LinkRoute: Codable, Hashable {
    case link(Link.Reference, title: String)
}

extension LinkRoute: PlaceScreen {
    var placeTitle: String? {
        switch self {
        case .link(_, let title): title
        }
    }
}
