import PlacekeeperClient
import PlacekeeperRuntime
import UIKit

// recipe: extension
@MainActor
final class ShareController: UIViewController {
    func share(_ address: String, title: String, to server: URL, key: String) async {
        let group = FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: "group.com.example.links")
        guard let group else { return }
        let placekeeper = extensionClient(server, key: key, group: group)
        await keepLink(address, title: title, with: placekeeper, on: .ofThisDevice)
        extensionContext?.completeRequest(returningItems: nil)
    }
}
// end of recipe
