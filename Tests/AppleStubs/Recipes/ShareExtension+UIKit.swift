import Foundation
import PlacekeeperKit
import UIKit

// recipe: extension
final class ShareController: UIViewController {
    func share(_ address: String, title: String, to server: URL, key: String) async {
        var configuration = Placekeeper.Configuration()
        configuration.folder = FileManager.default.containerURL(
            forSecurityApplicationGroupIdentifier: "group.com.example.links")
        let placekeeper = Placekeeper(server, key: key, configuration: configuration)
        await keepLink(address, title: title, with: placekeeper)
        extensionContext?.completeRequest(returningItems: nil)
    }
}
// end of recipe
