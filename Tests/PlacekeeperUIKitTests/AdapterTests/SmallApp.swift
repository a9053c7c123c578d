import Foundation
import PlacekeeperClient
import PlacekeeperRuntime
import PlacekeeperTesting
import PlacekeeperUIKit
import Testing
import UIKit

/// The delegate of a small app, whose answers a test sets.
final class SmallAppDelegate: NSObject, UIApplicationDelegate {
    var savesState = true
    var restoresState = true
    var onEncode: ((NSCoder) -> Void)?
    var onDecode: ((NSCoder) -> Void)?
    /// Makes the view controllers without a restoration class.
    var make: (([String], NSCoder) -> UIViewController?)?
    /// The paths for which the delegate was asked.
    private(set) var asked: [[String]] = []

    required override init() {}

    func application(_ application: UIApplication, shouldSaveSecureApplicationState coder: NSCoder) -> Bool {
        savesState
    }
    func application(_ application: UIApplication, shouldRestoreSecureApplicationState coder: NSCoder) -> Bool {
        restoresState
    }
    func application(_ application: UIApplication, willEncodeRestorableStateWith coder: NSCoder) { onEncode?(coder) }
    func application(_ application: UIApplication, didDecodeRestorableStateWith coder: NSCoder) { onDecode?(coder) }
    func application(
        _ application: UIApplication, viewControllerWithRestorationIdentifierPath identifierComponents: [String],
        coder: NSCoder
    ) -> UIViewController? {
        asked.append(identifierComponents)
        return make?(identifierComponents, coder)
    }
}

/// A process of a small app on a device. Its windows get the root view controllers that a test makes.
@MainActor
final class SmallApp {
    let device: Device
    let application: UIApplication

    init(_ device: Device, _ delegate: SmallAppDelegate = SmallAppDelegate()) {
        self.device = device
        application = UIApplication.double(delegate: delegate, idiom: device.idiom)
        application.double.launch()
    }

    /// Runs code of the app.
    func play<Result>(_ action: @MainActor () throws -> Result) rethrows -> Result {
        try application.asShared { try action() }
    }

    /// Opens a window, and waits until it is restored.
    func open<Root: UIViewController>(
        _ opening: Opening = Opening(), root makeRoot: @MainActor () -> Root
    ) async -> SmallWindow<Root> {
        let window = begin(opening, root: makeRoot)
        await window.restoration.launched()
        expectNoCallsOfUIKitsCoding()
        return window
    }

    /// Opens a window. The state that is kept on the service arrives later.
    func begin<Root: UIViewController>(
        _ opening: Opening = Opening(), root makeRoot: @MainActor () -> Root
    ) -> SmallWindow<Root> {
        play {
            let scene = application.double.openScene(
                opening.name, userInfo: device.sessions[opening.name],
                appearsInForeground: opening.appearsInForeground)
            if let width = opening.width { scene.double.setHorizontalSizeClass(width) }
            let root = makeRoot()
            let delegate = SmallSceneDelegate(root)
            delegate.restore = { [device] in device.restoration(of: $0, $1) }
            scene.double.connect(delegate, UIScene.ConnectionOptions(double: opening.links))
            scene.double.activate()
            guard let restoration = delegate.restoration else { preconditionFailure("The window isn't restored.") }
            return SmallWindow(self, scene, restoration, root)
        }
    }

    /// How a window is opened.
    struct Opening {
        var name = "window"
        var width: UIUserInterfaceSizeClass?
        var appearsInForeground = false
        var links: [URL] = []
    }
}

/// A window of a small app.
@MainActor
final class SmallWindow<Root: UIViewController> {
    let app: SmallApp
    let scene: UIWindowScene
    let restoration: RestorableWindow
    let root: Root

    fileprivate init(_ app: SmallApp, _ scene: UIWindowScene, _ restoration: RestorableWindow, _ root: Root) {
        (self.app, self.scene, self.restoration, self.root) = (app, scene, restoration, root)
    }

    /// Runs code of the app.
    @discardableResult
    func play<Result>(_ action: @MainActor (Root) throws -> Result) rethrows -> Result {
        try app.play { try action(root) }
    }

    /// The window enters the background, and its state is sent.
    func enterBackground() async throws {
        app.play { scene.double.enterBackground() }
        app.device.sessions[scene.session.persistentIdentifier] = scene.session.userInfo
        expectNoCallsOfUIKitsCoding()
        try await app.device.virtual?.placekeeper.flush()
    }

    /// The window enters the background, where the process ends. Its objects can still be read.
    func leave() async throws {
        try await enterBackground()
        app.device.virtual?.kill()
    }
}

private final class SmallSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    var restore: (@MainActor (UIWindow, UIScene.ConnectionOptions) -> RestorableWindow)?
    private(set) var restoration: RestorableWindow?
    private let root: UIViewController

    init(_ root: UIViewController) {
        self.root = root
        super.init()
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: scene)
        window.rootViewController = root
        window.makeKeyAndVisible()
        self.window = window
        restoration = restore?(window, connectionOptions)
    }
}

/// A screen that saves a note. Its restoration class makes it again, unless the note says that it is gone.
class Page: UIViewController, UIViewControllerRestoration {
    var note = ""
    var onDecode: (() -> Void)?
    private(set) var finishes = 0

    init(_ identifier: String?, _ note: String = "") {
        self.note = note
        super.init(nibName: nil, bundle: nil)
        (restorationIdentifier, restorationClass) = (identifier, Page.self)
    }
    required init?(coder: NSCoder) { nil }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? {
        coder.note == "gone" ? nil : Page(identifierComponents.last)
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(note, forKey: "note")
    }
    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        onDecode?()
        note = coder.note ?? ""
    }
    override func applicationFinishedRestoringState() { finishes += 1 }
}

/// A screen that every launch of the app makes itself.
final class FirstPage: Page {
    override init(_ identifier: String?, _ note: String = "") {
        super.init(identifier, note)
        restorationClass = nil
    }
    required init?(coder: NSCoder) { nil }
}

extension UINavigationController {
    /// Creates a navigation controller with an identifier.
    convenience init(_ identifier: String?, _ root: UIViewController) {
        self.init(rootViewController: root)
        restorationIdentifier = identifier
    }

    /// The notes of the pages, from bottom to top.
    var notes: [String] { viewControllers.map { ($0 as? Page)?.note ?? "?" } }
}

extension NSCoder {
    /// The note of a page.
    var note: String? { decodeObject(of: NSString.self, forKey: "note") as String? }
}
