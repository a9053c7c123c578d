import Foundation
import PlacekeeperUIKit  // 1
import UIKit

// The code of docs/migrating.md.

let server = URL(fileURLWithPath: "/")
let key = "pk_…"

let placekeeper = Placekeeper(server, key: key)  // 2: the service's address, and the app's publishable key

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var restoration: RestorableWindow?  // 3

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = UINavigationController(rootViewController: NotesController())
        self.window = window
        window.makeKeyAndVisible()
        restoration = RestorableWindow(window, placekeeper, restoring: options)  // 4
    }
}

final class NotesController: UITableViewController {}
