import PlacekeeperClient
import PlacekeeperUI
import PlacekeeperRuntime
import UIKit

// recipe: UIKit with scenes
/// The delegate of the app keeps the client for the life of the process.
@MainActor
final class LibraryAppDelegate: NSObject, UIApplicationDelegate {
    static let server = URL(string: "http://127.0.0.1:8080")!
    let placekeeper = Placekeeper(server, key: "pk_…")
    let shelf = Shelf([:])
}

/// The delegate of a scene keeps the window, its stack and its place.
@MainActor
final class LibrarySceneDelegate: NSObject, UIWindowSceneDelegate, UINavigationControllerDelegate {
    var window: UIWindow?
    private let stack = UINavigationController()
    private var library: LibraryWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene,
            let app = UIApplication.shared.delegate as? LibraryAppDelegate
        else { return }
        stack.setViewControllers([ScreenController(nil)], animated: false)
        stack.delegate = self
        let window = UIWindow(windowScene: scene)
        window.rootViewController = stack
        window.makeKeyAndVisible()
        self.window = window
        // The first window has the scene `main`, as on the phone. Each further window has a scene of its own.
        let kept = app.placekeeper.scene("main", of: session)
        let device = RestorationContext(scene.traitCollection)
        let library = LibraryWindow(kept, [app.shelf], on: device) { [stack] routes in
            let root = stack.viewControllers.prefix(1)
            stack.setViewControllers(root + routes.map { ScreenController($0) }, animated: false)
        }
        library.place.attach(to: scene, connectionOptions, activityType: "com.example.reading")
        self.library = library
    }

    func navigationController(
        _ stack: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {
        library?.stackDidShow(stack.viewControllers.compactMap { ($0 as? ScreenController)?.route })
    }

    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        library?.place.activity(ofType: "com.example.reading")
    }

    func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        Task { await library?.place.continue(userActivity) }
    }

    func sceneDidEnterBackground(_ scene: UIScene) {
        // The size class of the window has possibly changed.
        library?.place.device = RestorationContext(stack.traitCollection)
        library?.place.save(isInteraction: false)
        (UIApplication.shared.delegate as? LibraryAppDelegate)?.placekeeper.flushInBackground()
    }
}
// end of recipe

@MainActor
final class ScreenController: UIViewController {
    let route: Route?
    init(_ route: Route?) {
        self.route = route
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) is not used") }
}
