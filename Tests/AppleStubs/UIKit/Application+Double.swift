// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

extension UIApplication {
    /// An application of its own on a virtual device. It keeps its delegate.
    public static func double(
        delegate: (any UIApplicationDelegate)? = nil, idiom: UIUserInterfaceIdiom = .phone
    ) -> UIApplication {
        let app = UIApplication(idiom)
        app.delegate = delegate
        app.keptDelegate = delegate
        return app
    }

    /// Runs code in which `UIApplication.shared` is this application, with its device, screen and storyboards.
    public func asShared<Result>(_ body: () throws -> Result) rethrows -> Result {
        try CurrentApplication.$value.withValue(self, operation: body)
    }

    /// Runs asynchronous code in which `UIApplication.shared` is this application. Its tasks inherit it, other threads
    /// and queues don't.
    public func asShared<Result>(_ body: () async throws -> Result) async rethrows -> Result {
        try await CurrentApplication.$value.withValue(self, operation: body)
    }

    public var double: UIApplicationDouble { UIApplicationDouble(app: self) }
}

/// What the system does with an application.
@MainActor public struct UIApplicationDouble {
    let app: UIApplication

    /// Launches the application: tells the delegate.
    public func launch(_ options: [UIApplication.LaunchOptionsKey: Any]? = nil) {
        app.asShared {
            _ = app.delegate?.application(app, willFinishLaunchingWithOptions: options)
            _ = app.delegate?.application(app, didFinishLaunchingWithOptions: options)
            post(UIApplication.didFinishLaunchingNotification)
        }
    }

    /// Opens a window scene without connecting it: `scene.double.connect(delegate)` is next.
    /// - Parameter appearsInForeground: Whether the view controllers appear when the scene enters the foreground, after
    ///   `scene(_:willConnectTo:options:)`, and not in `makeKeyAndVisible()`. UIKit promises neither.
    public func openScene(
        _ persistentIdentifier: String = UUID().uuidString, role: UISceneSession.Role = .windowApplication,
        configuration name: String? = nil, userInfo: [String: Any]? = nil,
        stateRestorationActivity: NSUserActivity? = nil, appearsInForeground: Bool = false
    ) -> UIWindowScene {
        let known = app.sessions.first { $0.persistentIdentifier == persistentIdentifier }
        let configuration = UISceneConfiguration(name: name, sessionRole: role)
        let session = known ?? UISceneSession(persistentIdentifier, role, configuration)
        if let userInfo { session.userInfo = userInfo }
        if let stateRestorationActivity { session.stateRestorationActivity = stateRestorationActivity }
        app.sessions.insert(session)
        let scene = app.asShared { UIWindowScene(session: session, connectionOptions: .init()) }
        scene.appearsInForeground = appearsInForeground
        return scene
    }

    /// The user closes a window in the app switcher.
    public func discard(_ session: UISceneSession) {
        app.asShared {
            session.scene?.double.disconnect()
            app.sessions.remove(session)
            app.delegate?.application(app, didDiscardSceneSessions: [session])
        }
    }

    // The life cycle of an application without scenes.
    public func activate() {
        app.applicationState = .active
        app.asShared { app.delegate?.applicationDidBecomeActive(app) }
        post(UIApplication.didBecomeActiveNotification)
    }
    public func deactivate() {
        app.asShared { app.delegate?.applicationWillResignActive(app) }
        post(UIApplication.willResignActiveNotification)
        app.applicationState = .inactive
    }
    public func enterBackground() {
        if app.applicationState == .active { deactivate() }
        app.applicationState = .background
        app.asShared { app.delegate?.applicationDidEnterBackground(app) }
        post(UIApplication.didEnterBackgroundNotification)
    }
    public func enterForeground() {
        app.asShared { app.delegate?.applicationWillEnterForeground(app) }
        post(UIApplication.willEnterForegroundNotification)
        app.applicationState = .inactive
    }
    public func terminate() {
        app.asShared { app.delegate?.applicationWillTerminate(app) }
        post(UIApplication.willTerminateNotification)
    }

    /// The background tasks that have begun and not ended.
    public var backgroundTasks: Set<UIBackgroundTaskIdentifier> { app.tasks.identifiers }
    /// The time of the background tasks is over.
    public func expireBackgroundTasks() {
        app.backgroundTimeRemaining = 0
        for handler in app.tasks.handlers { handler() }
    }

    /// The objects that the app registered for state restoration.
    public var restorableObjects: [String: any UIStateRestoring] { app.restorableObjects }
    /// How often `extendStateRestoration()` was called without `completeStateRestoration()`.
    public var restorationExtensions: Int { app.restorationExtensions }
    /// Whether `ignoreSnapshotOnNextApplicationLaunch()` was called.
    public var ignoresSnapshot: Bool { app.ignoresSnapshot }

    private func post(_ name: NSNotification.Name) { NotificationCenter.default.post(name: name, object: app) }
}
