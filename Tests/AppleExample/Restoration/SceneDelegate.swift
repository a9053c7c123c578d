import PlacekeeperUIKit
import UIKit

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    private var restoration: RestorableWindow?

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = Interface.root()
        window.makeKeyAndVisible()
        self.window = window
        restoration = RestorableWindow(window, keptIn: Case.current.folder, restoring: connectionOptions)
    }
}
