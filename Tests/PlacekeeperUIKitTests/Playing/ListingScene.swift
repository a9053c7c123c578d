import UIKit

/// A scene delegate whose window a test can restore.
@MainActor
protocol RestorableScene: UIWindowSceneDelegate {
    var restore: ((UIWindow, UIScene.ConnectionOptions) -> AnyObject)? { get set }
    /// What is on the screen.
    var seen: [String] { get }
}

extension RunnerSceneDelegate: RestorableScene {}
extension ProfilesSceneDelegate: RestorableScene {}
extension NameEditorSceneDelegate: RestorableScene {}
extension PhotosSceneDelegate: RestorableScene {}

/// The scene of a listing. The seeds were written before scenes, so they show no scene delegate.
final class ListingScene: UIResponder, RestorableScene {
    var window: UIWindow?
    var restore: ((UIWindow, UIScene.ConnectionOptions) -> AnyObject)?
    private var restoration: AnyObject?
    private let makeWindow: @MainActor (UIWindowScene) -> UIWindow

    init(_ makeWindow: @escaping @MainActor (UIWindowScene) -> UIWindow) {
        self.makeWindow = makeWindow
        super.init()
    }

    convenience init(root: UIViewController) {
        self.init { scene in
            let window = UIWindow(windowScene: scene)
            window.rootViewController = root
            return window
        }
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = makeWindow(scene)
        window.makeKeyAndVisible()
        self.window = window
        restoration = restore?(window, connectionOptions)
    }

    var seen: [String] { Screen(window).lines }
}
