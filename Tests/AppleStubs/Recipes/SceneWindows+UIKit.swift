import PlacekeeperClient
import PlacekeeperUI
import StateRestoration
import UIKit

// recipe: UIKit with scenes
@MainActor
final class LibrarySceneDelegate: NSObject, UIWindowSceneDelegate, UINavigationControllerDelegate {
    static var placekeeper: Placekeeper?
    private let shelf = Shelf([:])
    private let stack = UINavigationController()
    private var window: LibraryWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        stack.setViewControllers([ScreenController(nil)], animated: false)
        stack.delegate = self
        // The role of the window: each role has one place.
        let role = PlaceActivity(session)?.scene ?? session.configuration.name ?? "main"
        guard let kept = Self.placekeeper?.scene(role) else { return }
        let window = LibraryWindow(kept, [shelf], on: RestorationContext(UITraitCollection())) { [stack] routes in
            let root = stack.viewControllers.prefix(1)
            stack.setViewControllers(root + routes.map { ScreenController($0) }, animated: false)
        }
        window.place.attach(connectionOptions, activityType: "com.example.reading")
        self.window = window
    }

    func navigationController(
        _ stack: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        window?.stackDidShow(stack.viewControllers.compactMap { ($0 as? ScreenController)?.route })
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        window?.place.activity(ofType: "com.example.reading")
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        window?.place.save(isInteraction: false)
        Self.placekeeper?.flushInBackground()
    }
}
// end of recipe

@MainActor
final class ScreenController: UIViewController {
    let route: Route?
    init(_ route: Route?) {
        self.route = route
        super.init()
    }
}
