// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uiopenurlcontext
@MainActor open class UIOpenURLContext: NSObject {
    public let url: URL
    init(_ url: URL) { self.url = url }
}
// uikit/uiapplicationshortcutitem
@MainActor open class UIApplicationShortcutItem: NSObject {
    public let type: String
    public let localizedTitle: String
    public init(type: String, localizedTitle: String) { (self.type, self.localizedTitle) = (type, localizedTitle) }
}
// uikit/uisceneconfiguration
@MainActor open class UISceneConfiguration: NSObject {
    public init(name: String?, sessionRole: UISceneSession.Role) { (self.name, role) = (name, sessionRole) }
    public let name: String?
    public let role: UISceneSession.Role
    open var delegateClass: AnyClass?
    open var storyboard: UIStoryboard?
}
// uikit/uiscenesession, uikit/uiscenesession/staterestorationactivity, uikit/uiscenesession/userinfo
@MainActor open class UISceneSession: NSObject {
    public struct Role: RawRepresentable, Hashable, Sendable {
        public init(rawValue: String) { self.rawValue = rawValue }
        public let rawValue: String
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
        public static let windowExternalDisplayNonInteractive = Role(
            rawValue: "UIWindowSceneSessionRoleExternalDisplayNonInteractive")
    }
    open var stateRestorationActivity: NSUserActivity?
    open var userInfo: [String: Any]?
    public let persistentIdentifier: String
    public let role: Role
    open private(set) var configuration: UISceneConfiguration
    open internal(set) weak var scene: UIScene?
    init(_ identifier: String, _ role: Role, _ configuration: UISceneConfiguration) {
        (persistentIdentifier, self.role, self.configuration) = (identifier, role, configuration)
    }
}

// uikit/uiscene, uikit/uiscene/activationstate-swift.enum, uikit/uiscene/didactivatenotification,
// uikit/uiscene/willdeactivatenotification
@MainActor open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1
        case foregroundActive = 0
        case foregroundInactive = 1
        case background = 2
    }
    // uikit/uiscene/connectionoptions
    @MainActor open class ConnectionOptions: NSObject {
        public let urlContexts: Set<UIOpenURLContext>
        // uikit/uiscene/connectionoptions/useractivities: it has no activity of Handoff.
        public let userActivities: Set<NSUserActivity>
        // uikit/uiscene/connectionoptions/handoffuseractivitytype
        public let handoffUserActivityType: String?
        public let notificationResponse: UNNotificationResponse?
        public let shortcutItem: UIApplicationShortcutItem?

        /// Only in the double: how the scene is opened.
        public init(
            double urls: [URL] = [], userActivities: Set<NSUserActivity> = [], handoffUserActivityType: String? = nil,
            notificationResponse: UNNotificationResponse? = nil, shortcutItem: UIApplicationShortcutItem? = nil
        ) {
            urlContexts = Set(urls.map { UIOpenURLContext($0) })
            self.userActivities = userActivities
            self.handoffUserActivityType = handoffUserActivityType
            (self.notificationResponse, self.shortcutItem) = (notificationResponse, shortcutItem)
            super.init()
        }
    }

    public init(session: UISceneSession, connectionOptions: ConnectionOptions) {
        self.session = session
        super.init()
        session.scene = self
    }
    public let session: UISceneSession
    open weak var delegate: (any UISceneDelegate)?
    open internal(set) var activationState: ActivationState = .unattached
    open var title: String! = ""
    open override var next: UIResponder? { UIApplication.shared }

    nonisolated public class var willConnectNotification: NSNotification.Name {
        .init("UISceneWillConnectNotification")
    }
    nonisolated public class var didDisconnectNotification: NSNotification.Name {
        .init("UISceneDidDisconnectNotification")
    }
    nonisolated public class var didActivateNotification: NSNotification.Name {
        .init("UISceneDidActivateNotification")
    }
    nonisolated public class var willDeactivateNotification: NSNotification.Name {
        .init("UISceneWillDeactivateNotification")
    }
    nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
        .init("UISceneWillEnterForegroundNotification")
    }
    nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
        .init("UISceneDidEnterBackgroundNotification")
    }
}

// uikit/uiscenedelegate, uikit/uiscenedelegate/scene(_:continue:), uikit/uiscenedelegate/staterestorationactivity(for:)
@MainActor public protocol UISceneDelegate: NSObjectProtocol {
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func sceneDidDisconnect(_ scene: UIScene)
    func sceneDidBecomeActive(_ scene: UIScene)
    func sceneWillResignActive(_ scene: UIScene)
    func sceneWillEnterForeground(_ scene: UIScene)
    func sceneDidEnterBackground(_ scene: UIScene)
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
    func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
}
extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
    public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { nil }
    public func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity) {}
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
}

// uikit/uiwindowscene
@MainActor open class UIWindowScene: UIScene {
    var traits: UITraitCollection?
    open var traitCollection: UITraitCollection { traits ?? .ofDevice }
    /// Weak, as in UIKit: the scene's delegate keeps the window.
    private var weakWindows: [WeakWindow] = []
    open var windows: [UIWindow] { weakWindows.compactMap(\.window) }
    open internal(set) lazy var screen: UIScreen = .main
    /// Whether the view controllers appear when the scene enters the foreground, and not in `makeKeyAndVisible()`.
    var appearsInForeground = false
    var waitsForForeground: Bool { appearsInForeground && activationState == .unattached }
    open var keyWindow: UIWindow? { windows.first { $0.isKeyWindow } }

    func add(_ window: UIWindow) { if !windows.contains(window) { weakWindows.append(WeakWindow(window: window)) } }
    func remove(_ window: UIWindow) { weakWindows.removeAll { $0.window === window } }
}
private struct WeakWindow { weak var window: UIWindow? }
// uikit/uiwindowscenedelegate: optional in UIKit. Required here, so that no recipe forgets to keep the window.
@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}
