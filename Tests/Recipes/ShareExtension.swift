import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperRuntime

// recipe: extension
/// A client of an extension, in the folder that the extension shares with the app.
func extensionClient(_ server: URL, key: String, group: URL) -> Placekeeper {
    var options = Placekeeper.Options()
    options.folder = group
    options.process = .extension
    return Placekeeper(server, key: key, options: options)
}

/// Makes a shared link the place of the app's main window. The extension knows no identifier of the app's items, so the
/// reference has only the link's address.
func keepLink(_ address: String, title: String, with placekeeper: Placekeeper, on device: RestorationContext) async {
    let link = ModelReference(dataSource: "links", element: .init(nil, aliases: ["url:" + address]), role: .selected)
    let place = Place([.init(screen: "root"), .init(screen: "link", title: title, references: [0])])
    placekeeper.scene().save(
        StateArchive(
            bundleVersion: device.bundleVersion, idiom: device.idiom.rawValue, systemVersion: device.systemVersion,
            references: [link], place: place))
    try? await placekeeper.flush()  // a state that is not sent waits for the app
}
// end of recipe
