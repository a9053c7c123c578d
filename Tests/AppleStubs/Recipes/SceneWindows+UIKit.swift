import Foundation
import PlacekeeperKit
import UIKit

// recipe: UIKit with scenes
final class LibrarySceneDelegate: UIResponder, UIWindowSceneDelegate, UINavigationControllerDelegate {
    var window: UIWindow?
    private let stack = UINavigationController(rootViewController: ScreenController(nil))
    private var library: LibraryWindow?

    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        guard let scene = scene as? UIWindowScene else { return }
        window = UIWindow(windowScene: scene)
        window?.rootViewController = stack
        window?.makeKeyAndVisible()
        stack.delegate = self
        let library = LibraryWindow(placekeeper.scene([Route].self, of: session), shelf)
        self.library = library
        guard options.urlContexts.isEmpty, options.userActivities.isEmpty else { return }  // the user opened a link
        Task { if let routes = await library.restore() { show(routes) } }
    }

    private func show(_ routes: [Route]) {
        stack.setViewControllers(stack.viewControllers.prefix(1) + routes.map(ScreenController.init), animated: false)
    }

    func navigationController(_ stack: UINavigationController, didShow screen: UIViewController, animated: Bool) {
        library?.stackDidShow(stack.viewControllers.compactMap { ($0 as? ScreenController)?.route })
    }

    func sceneDidEnterBackground(_ scene: UIScene) { placekeeper.flushInBackground() }
}
// end of recipe

let placekeeper = Placekeeper(URL(string: "http://127.0.0.1:8080")!, key: "pk_…")
let shelf: [Book] = []

final class ScreenController: UIViewController {
    let route: Route?

    init(_ route: Route?) {
        self.route = route
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) is not used") }
}
