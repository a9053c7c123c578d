// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uibackgroundtaskidentifier
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    public init(rawValue: Int) { self.rawValue = rawValue }
    public let rawValue: Int
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

// uikit/uiapplication/beginbackgroundtask(expirationhandler:), uikit/uiapplication/endbackgroundtask(_:),
// uikit/uiapplication/opensessions
@MainActor open class UIApplication: UIResponder {
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        public init(rawValue: String) { self.rawValue = rawValue }
        public let rawValue: String
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    }
    public enum State: Int, Sendable {
        case active = 0
        case inactive = 1
        case background = 2
    }

    /// The application of code that runs outside `asShared`.
    static let outsideTests = UIApplication(.phone)
    open class var shared: UIApplication { CurrentApplication.value ?? outsideTests }

    init(_ idiom: UIUserInterfaceIdiom) {
        (device, screen) = (UIDevice(idiom), UIScreen(idiom))
        super.init()
    }
    let device: UIDevice
    let screen: UIScreen
    weak var keyWindowOfApp: UIWindow?
    var scenesOfStoryboards: [UIStoryboardDouble.Key: @MainActor () -> UIViewController] = [:]

    open weak var delegate: (any UIApplicationDelegate)?
    var keptDelegate: (any UIApplicationDelegate)?
    open internal(set) var applicationState: State = .inactive
    open override var next: UIResponder? { delegate as? UIResponder }
    open var isIdleTimerDisabled = false
    open var applicationIconBadgeNumber = 0
    open func canOpenURL(_ url: URL) -> Bool { false }
    open func open(
        _ url: URL, options: [String: Any] = [:], completionHandler completion: ((Bool) -> Void)? = nil
    ) {
        completion?(false)
    }

    // MARK: Scenes and windows

    var sessions: Set<UISceneSession> = []
    var connected: Set<UIScene> = []
    var sceneDelegates: [ObjectIdentifier: any UISceneDelegate] = [:]
    open var openSessions: Set<UISceneSession> { sessions }
    open var connectedScenes: Set<UIScene> { connected }
    open var supportsMultipleScenes: Bool { device.userInterfaceIdiom == .pad }
    open var windows: [UIWindow] { connected.compactMap { $0 as? UIWindowScene }.flatMap(\.windows) }
    open var keyWindow: UIWindow? { keyWindowOfApp }

    // MARK: Background tasks

    let tasks = BackgroundTasks()
    nonisolated open func beginBackgroundTask(
        expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { tasks.begin(nil, handler) }
    nonisolated open func beginBackgroundTask(
        withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier { tasks.begin(taskName, handler) }
    nonisolated open func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { tasks.end(identifier) }
    open internal(set) var backgroundTimeRemaining: TimeInterval = 30

    // MARK: State restoration

    var restorableObjects: [String: any UIStateRestoring] = [:]
    open class func registerObject(
        forStateRestoration object: any UIStateRestoring, restorationIdentifier: String
    ) {
        shared.restorableObjects[restorationIdentifier] = object
    }
    var restorationExtensions = 0
    open func extendStateRestoration() { restorationExtensions += 1 }
    open func completeStateRestoration() { restorationExtensions -= 1 }
    var ignoresSnapshot = false
    open func ignoreSnapshotOnNextApplicationLaunch() { ignoresSnapshot = true }

    public static let stateRestorationBundleVersionKey = "UIApplicationStateRestorationBundleVersion"
    public static let stateRestorationUserInterfaceIdiomKey = "UIApplicationStateRestorationUserInterfaceIdiom"
    public static let stateRestorationTimestampKey = "UIApplicationStateRestorationTimestamp"
    public static let stateRestorationSystemVersionKey = "UIApplicationStateRestorationSystemVersion"
    public static let stateRestorationViewControllerStoryboardKey = "UIStateRestorationViewControllerStoryboard"

    nonisolated public class var didFinishLaunchingNotification: NSNotification.Name {
        .init("UIApplicationDidFinishLaunchingNotification")
    }
    nonisolated public class var didBecomeActiveNotification: NSNotification.Name {
        .init("UIApplicationDidBecomeActiveNotification")
    }
    nonisolated public class var willResignActiveNotification: NSNotification.Name {
        .init("UIApplicationWillResignActiveNotification")
    }
    nonisolated public class var didEnterBackgroundNotification: NSNotification.Name {
        .init("UIApplicationDidEnterBackgroundNotification")
    }
    nonisolated public class var willEnterForegroundNotification: NSNotification.Name {
        .init("UIApplicationWillEnterForegroundNotification")
    }
    nonisolated public class var willTerminateNotification: NSNotification.Name {
        .init("UIApplicationWillTerminateNotification")
    }
}

/// The application of the current test.
enum CurrentApplication {
    @TaskLocal static var value: UIApplication?
}

/// The background tasks of an application, which any thread begins and ends.
final class BackgroundTasks: @unchecked Sendable {
    typealias Handler = @MainActor @Sendable () -> Void
    // Guarded by the lock.
    private var open: [UIBackgroundTaskIdentifier: (name: String?, handler: Handler?)] = [:]
    private var last = 0
    private let lock = NSLock()

    func begin(_ name: String?, _ handler: Handler?) -> UIBackgroundTaskIdentifier {
        lock.withLock {
            last += 1
            let identifier = UIBackgroundTaskIdentifier(rawValue: last)
            open[identifier] = (name, handler)
            return identifier
        }
    }
    func end(_ identifier: UIBackgroundTaskIdentifier) { lock.withLock { open[identifier] = nil } }
    var identifiers: Set<UIBackgroundTaskIdentifier> { lock.withLock { Set(open.keys) } }
    var handlers: [Handler] { lock.withLock { open.values.compactMap(\.handler) } }
}
