#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import PlacekeeperClient
    public import PlacekeeperRuntime
    import PlacekeeperUI
    public import UIKit

    /// Saves and restores the state of a window's view controllers, as UIKit's state restoration does for apps without
    /// scenes.
    ///
    /// ```swift
    /// func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
    ///     …                                      // the window and its root view controller, as before
    ///     window.makeKeyAndVisible()
    ///     restoration = RestorableWindow(window, placekeeper, restoring: options)
    /// }
    /// ```
    /// The app's code for state restoration remains as it is: restoration identifiers and classes, the overrides of
    /// `encodeRestorableState(with:)`, `decodeRestorableState(with:)` and `applicationFinishedRestoringState()`,
    /// `UIDataSourceModelAssociation`, and the methods of the app's delegate. Call this class instead of
    /// `UIApplication` to register objects. In a subclass of a UIKit class that saves state itself, adopt
    /// `RestorableSubclass`.
    ///
    /// The state is saved when the scene is deactivated, and sent when it enters the background. Keep this object as
    /// long as the window.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @MainActor
    public final class RestorableWindow {
        /// The runtime's environment, for an app that lists `NSSecureCoding` classes or extends restoration.
        public let environment = RestorationEnvironment()
        /// Called after a launch and after `take(_:)`, with what was restored.
        public var didRestore: ((LaunchResult) -> Void)?
        /// The scene that keeps the window's state. Nil for a window that is kept in a folder.
        public let scene: KeptScene?
        /// A newer place of another device, which the app may show to the user. Restore it with `take(_:)`.
        public private(set) var offer: Offer? {
            didSet { if offer != oldValue { offerDidChange?(offer) } }
        }
        /// Called when `offer` changes.
        public var offerDidChange: ((Offer?) -> Void)?

        private let placekeeper: Placekeeper?
        private let window: WindowDelegate
        private let device: RestorationContext
        private var life: RestorableApplication?
        private var launching: Task<Void, Never>?
        private var isLocked = false
        private var observers: NotificationObservers?
        /// Whether the user has touched the window since it appeared.
        private var hasInput = false
        private lazy var input = WindowInput { [weak self] in self?.hasInput = true }

        /// Restores the window's scene, and keeps its state on the service.
        ///
        /// If the user opened a link, a notification or a shortcut, or touches the window before the state arrives,
        /// nothing is restored, and the state is offered instead.
        /// - Parameters:
        /// - window: A window with a root view controller, attached to a window scene.
        /// - placekeeper: The app's client.
        /// - options: The options of `scene(_:willConnectTo:options:)`.
        public init(_ window: UIWindow, _ placekeeper: Placekeeper, restoring options: UIScene.ConnectionOptions) {
            let scene = (window.windowScene?.session).map { placekeeper.scene(of: $0) } ?? placekeeper.scene()
            (self.placekeeper, self.scene, self.window, device) = (
                placekeeper, scene, WindowDelegate(window), scene.device
            )
            prepare(window)
            input.observe(window)
            hasInput = Self.opensLink(options)
            startLaunch(of: scene)
            let offers = scene.offers
            Task { [weak self] in for await offer in offers { self?.offer = offer } }
        }

        /// Restores the window, and keeps its state in a folder of this device: without a service.
        /// - Parameters:
        ///   - window: A window with a root view controller.
        ///   - folder: A folder of its own for each window. The first save creates it.
        ///   - device: The idiom and the versions of this device.
        public init(_ window: UIWindow, keptIn folder: URL, device: RestorationContext = .ofThisDevice) {
            (placekeeper, scene, self.window, self.device) = (nil, nil, WindowDelegate(window), device)
            prepare(window)
            let life = newLife(FileArchiveStorage(folder: folder))
            end(life, life.launch())
        }

        /// Registers an object that is neither a view controller nor a view, in all windows of the app. Call this
        /// method instead of `UIApplication.registerObject(forStateRestoration:restorationIdentifier:)`.
        public static func registerObject(
            forStateRestoration object: any UIStateRestoring, restorationIdentifier: String
        ) {
            RegisteredObjects.add(object, restorationIdentifier)
        }

        private func prepare(_ window: UIWindow) {
            environment.findRestorationClass = { AppRestorationClasses.named($0) }
            for storyboard in AppStoryboards.current.storyboards { environment.add(storyboard) }
            RegisteredObjects.add(to: environment)
            guard let scene = window.windowScene else { return }
            observers = NotificationObservers([
                observer(of: UIScene.willDeactivateNotification, scene) { $0.save() },
                observer(of: UIScene.didActivateNotification, scene) {
                    $0.window.made?.becomeActive()
                    $0.launchIfUnlocked()
                },
                observer(of: UIScene.didEnterBackgroundNotification, scene) {
                    $0.save()
                    $0.placekeeper?.flushInBackground()
                },
            ])
        }

        private func observer(
            of name: Notification.Name, _ scene: UIScene,
            _ action: @escaping @MainActor @Sendable (RestorableWindow) -> Void
        ) -> any NSObjectProtocol {
            NotificationCenter.default.addObserver(forName: name, object: scene, queue: nil) {
                [weak self] _ in
                // UIKit posts these notifications on the main thread.
                MainActor.assumeIsolated { if let self { action(self) } }
            }
        }

        private static func opensLink(_ options: UIScene.ConnectionOptions) -> Bool {
            var opensLink = !options.urlContexts.isEmpty || !options.userActivities.isEmpty
            #if !os(tvOS)
                opensLink = opensLink || options.notificationResponse != nil || options.shortcutItem != nil
            #endif
            return opensLink
        }
    }

    // MARK: - Restoring

    extension RestorableWindow {
        /// Launches the window again, for another account. Call this method after a sign-out, when the window shows its
        /// first screen: until then, nothing is saved, because the screens may show what belongs to the account before.
        public func launchAgain() {
            guard let scene else { return }
            (life, hasInput) = (nil, false)
            startLaunch(of: scene)
        }

        /// Waits until the launch has ended.
        public func launched() async { await launching?.value }

        private func startLaunch(of scene: KeptScene) { launching = Task { await launch(scene) } }

        private func launchIfUnlocked() {
            if isLocked, let scene { startLaunch(of: scene) }
        }

        private func launch(_ scene: KeptScene) async {
            let launch = await scene.launch()
            isLocked = launch.reason.code == .locked
            guard !isLocked else { return }
            guard hasInput, let served = launch.restore else { return await restore(KeptSceneStorage(scene, launch)) }
            offer = scene.skip(served)
            await restore(KeptSceneStorage(scene, restoring: nil))
        }

        /// Restores the place of an offer in this window.
        public func take(_ offer: Offer) async throws(PlacekeeperError) {
            guard let scene else { return }
            save()
            await restore(KeptSceneStorage(scene, restoring: try await scene.take(offer)))
        }

        private func restore(_ storage: KeptSceneStorage) async {
            let life = newLife(storage)
            let result = await storage.launch(life)
            if environment.isRestorationExtended {
                environment.whenRestorationCompletes { storage.report(result) }
            }
            if result == .placeOnly || result == .incompatible {
                DeveloperLog.write(
                    "The state of a device with another idiom or a newer version was not restored. To accept another idiom, set acceptedIdioms in the app's policy."
                )
            }
            end(life, result)
        }

        private func newLife(_ storage: any ArchiveStorage) -> RestorableApplication {
            RestorableApplication(
                window, environment: environment, storage: storage,
                configuration: .init(device: device, switches: .ofProcess()) { Date().timeIntervalSinceReferenceDate })
        }

        private func end(_ life: RestorableApplication, _ result: LaunchResult) {
            self.life = life
            environment.whenRestorationCompletes { [weak self] in self?.releaseMade() }
            didRestore?(result)
        }

        /// Presents the view controllers that were not restored because this launch presented another, such as a log-in
        /// screen. Call this method when that screen was dismissed.
        public func presentRestored() {
            environment.presentRestored()
            releaseMade()
        }

        private func releaseMade() { if !environment.hasWaitingPresentations { window.made?.release() } }

        /// Lets lists look for saved elements that were not there at the restore. Call this method when data has
        /// arrived.
        public func itemsDidArrive() { window.itemsDidArrive() }

        /// Saves the state now.
        public func save() {
            guard let life else { return }
            do { try life.saveState() } catch { DeveloperLog.write("A window's state was not saved. \(error)") }
        }
    }
#endif
