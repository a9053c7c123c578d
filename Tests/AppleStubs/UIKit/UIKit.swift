// swift-format-ignore-file
// The public declarations of UIKit, and of Foundation on Apple's systems, that the adapters use. Written from Apple's
// public documentation, whose pages stand beside them, below https://developer.apple.com/documentation/. Bodies are empty:
// the module is only type-checked.

@_exported import Foundation

// foundation/nsuseractivity
open class NSUserActivity: NSObject {
    public init(activityType: String) { self.activityType = activityType }
    public let activityType: String
    open var title: String?
    open var userInfo: [AnyHashable: Any]?
    open var webpageURL: URL?
    open func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {}
    open var needsSave: Bool = false
    open func becomeCurrent() {}
    open func resignCurrent() {}
    open func invalidate() {}
}

// foundation/nsextensioncontext
open class NSExtensionContext: NSObject {
    open func completeRequest(returningItems items: [Any]?, completionHandler: (@Sendable (Bool) -> Void)? = nil) {}
}
// foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)
extension FileManager {
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { nil }
}

// uikit/uiresponder
@MainActor open class UIResponder: NSObject {
    open var isFirstResponder: Bool { false }
}
// uikit/uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public init(rawValue: Int) { self.rawValue = rawValue }
    public let rawValue: Int
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
// uikit/uiapplication/beginbackgroundtask(expirationhandler:), uikit/uiapplication/endbackgroundtask(_:),
// uikit/uiapplication/opensessions
@MainActor open class UIApplication: UIResponder {
    open class var shared: UIApplication { fatalError() }
    nonisolated open func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { .init(rawValue: 0) }
    nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
    open var openSessions: Set<UISceneSession> { [] }
    weak open var delegate: (any UIApplicationDelegate)?
}
// uikit/uiapplicationdelegate
@MainActor public protocol UIApplicationDelegate: NSObjectProtocol {
    init()
}
extension UIApplicationDelegate { @MainActor public static func main() {} }

// uikit/uiopenurlcontext
@MainActor open class UIOpenURLContext: NSObject {
    open var url: URL { fatalError() }
}
// usernotifications/unnotificationresponse. UIKit imports UserNotifications.
open class UNNotificationResponse: NSObject {}
// uikit/uiapplicationshortcutitem
@MainActor open class UIApplicationShortcutItem: NSObject {}
// uikit/uisceneconfiguration
@MainActor open class UISceneConfiguration: NSObject {
    open var name: String? { nil }
}
// uikit/uiscenesession, uikit/uiscenesession/staterestorationactivity, uikit/uiscenesession/userinfo
@MainActor open class UISceneSession: NSObject {
    open var stateRestorationActivity: NSUserActivity?
    open var userInfo: [String: Any]?
    open var persistentIdentifier: String { "" }
    open var configuration: UISceneConfiguration { fatalError() }
}
// uikit/uiscene, uikit/uiscene/activationstate-swift.enum, uikit/uiscene/didactivatenotification,
// uikit/uiscene/willdeactivatenotification
@MainActor open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
        case unattached = -1, foregroundActive = 0, foregroundInactive = 1, background = 2
    }
    // uikit/uiscene/connectionoptions
    @MainActor open class ConnectionOptions: NSObject {
        open var urlContexts: Set<UIOpenURLContext> { [] }
        // uikit/uiscene/connectionoptions/useractivities: it has no activity of Handoff.
        open var userActivities: Set<NSUserActivity> { [] }
        // uikit/uiscene/connectionoptions/handoffuseractivitytype
        open var handoffUserActivityType: String? { nil }
        open var notificationResponse: UNNotificationResponse? { nil }
        open var shortcutItem: UIApplicationShortcutItem? { nil }
    }
    open var session: UISceneSession { fatalError() }
    open var activationState: ActivationState { .unattached }
    nonisolated public class var didActivateNotification: NSNotification.Name { .init("") }
    nonisolated public class var willDeactivateNotification: NSNotification.Name { .init("") }
}
// uikit/uiscenedelegate, uikit/uiscenedelegate/scene(_:continue:), uikit/uiscenedelegate/staterestorationactivity(for:)
@MainActor public protocol UISceneDelegate: NSObjectProtocol {
    func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
    func sceneDidEnterBackground(_ scene: UIScene)
    func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
}
extension UISceneDelegate {
    public func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions) {}
    public func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    public func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? { nil }
}
// uikit/uiwindowscene
@MainActor open class UIWindowScene: UIScene {
    open var traitCollection: UITraitCollection { .init() }
}
// uikit/uiwindowscenedelegate: optional in UIKit. Required here, so that no recipe forgets to keep the window.
@MainActor public protocol UIWindowSceneDelegate: UISceneDelegate {
    var window: UIWindow? { get set }
}

// uikit/uiuserinterfacesizeclass, uikit/uitraitcollection
public enum UIUserInterfaceSizeClass: Int, Sendable { case unspecified = 0, compact = 1, regular = 2 }
@MainActor open class UITraitCollection: NSObject {
    // UIKit has this initializer. Its traits are unspecified, so the code of an app takes the traits of a scene or a view.
    nonisolated override init() {}
    nonisolated open var horizontalSizeClass: UIUserInterfaceSizeClass { .unspecified }
}

// uikit/uidatasourcemodelassociation
@MainActor public protocol UIDataSourceModelAssociation: AnyObject {
    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String?
    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath?
}

// uikit/uiview, uikit/uiwindow, uikit/uiscrollview, uikit/uitableview, uikit/uicollectionview
@MainActor open class UIView: UIResponder {
    public init(frame: CGRect = .zero) {}
    public required init?(coder: NSCoder) {}
    open var subviews: [UIView] { [] }
    open var restorationIdentifier: String?
    open var isUserInteractionEnabled = true
    open var window: UIWindow? { nil }
    open func didMoveToWindow() {}
    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {}
    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {}
}
// uikit/uigesturerecognizer, uikit/uitapgesturerecognizer
@MainActor open class UIGestureRecognizer: NSObject {
    public init(target: Any?, action: Selector?) {}
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    open var view: UIView? { nil }
}
@MainActor open class UITapGestureRecognizer: UIGestureRecognizer {}
@MainActor open class UITouch: NSObject {}
@MainActor open class UIPress: NSObject {}
// uikit/uigesturerecognizerdelegate/gesturerecognizer(_:shouldreceive:)
@MainActor public protocol UIGestureRecognizerDelegate: NSObjectProtocol {
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch) -> Bool
    func gestureRecognizer(_ gestureRecognizer: UIGestureRecognizer, shouldReceive press: UIPress) -> Bool
}
/// Declared in the Objective-C runtime.
public struct Selector: Sendable {}
// uikit/uiaccessibility/isvoiceoverrunning, uikit/uiaccessibility/isswitchcontrolrunning
@MainActor public enum UIAccessibility {
    public static var isVoiceOverRunning: Bool { false }
    public static var isSwitchControlRunning: Bool { false }
}
// Without a scene, UIKit does not show the window.
@MainActor open class UIWindow: UIView {
    public init(windowScene: UIWindowScene) { super.init(frame: .zero) }
    public required init?(coder: NSCoder) { nil }
    open var rootViewController: UIViewController?
    open func makeKeyAndVisible() {}
}
@MainActor open class UIScrollView: UIView {
    open var contentOffset: CGPoint = .init(x: 0, y: 0)
}
@MainActor open class UITableView: UIScrollView {
    open var numberOfSections: Int { 0 }
    open func numberOfRows(inSection section: Int) -> Int { 0 }
}
@MainActor open class UICollectionView: UIScrollView {
    open var numberOfSections: Int { 0 }
    open func numberOfItems(inSection section: Int) -> Int { 0 }
}
// uikit/uitextcontenttype, uikit/uitextfield, uikit/uitextview
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    public init(rawValue: String) { self.rawValue = rawValue }
    public let rawValue: String
}
@MainActor open class UITextField: UIView {
    open var text: String?
    open var isEditing: Bool { false }
    open var isSecureTextEntry = false
    open var textContentType: UITextContentType!
}
@MainActor open class UITextView: UIScrollView {
    open var text: String!
    open var isSecureTextEntry = false
    open var textContentType: UITextContentType!
}

// uikit/uiviewcontroller, uikit/uinavigationcontroller, uikit/uitabbarcontroller, uikit/uidocument
@MainActor open class UIViewController: UIResponder {
    // The default values stand for UIKit's own `init()`.
    public init(nibName nibNameOrNil: String? = nil, bundle nibBundleOrNil: Bundle? = nil) {}
    public required init?(coder: NSCoder) {}
    open var traitCollection: UITraitCollection { .init() }
    open var children: [UIViewController] { [] }
    open var viewIfLoaded: UIView? { nil }
    open var presentedViewController: UIViewController? { nil }
    open var presentingViewController: UIViewController? { nil }
    open var restorationIdentifier: String?
    open var extensionContext: NSExtensionContext? { nil }
}
@MainActor public protocol UINavigationControllerDelegate: NSObjectProtocol {
    func navigationController(_ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}
@MainActor open class UINavigationController: UIViewController {
    open weak var delegate: (any UINavigationControllerDelegate)?
    open var viewControllers: [UIViewController] = []
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {}
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {}
    @discardableResult open func popToRootViewController(animated: Bool) -> [UIViewController]? { nil }
}
@MainActor open class UIDocument: NSObject {
    open func open() async -> Bool { false }
}
@MainActor open class UITabBarController: UIViewController {
    open var selectedViewController: UIViewController?
}

// uikit/uiimage/init(data:)
open class UIImage: NSObject, @unchecked Sendable {
    public init?(data: Data) {}
}
