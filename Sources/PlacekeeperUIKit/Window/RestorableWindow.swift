#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    import PlacekeeperArchive
    public import PlacekeeperClient
    import PlacekeeperKit
    import PlacekeeperSceneStorage
    package import PlacekeeperRuntime
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
        package let environment = RestorationEnvironment()
        /// The scene that keeps the window's state. Nil for a window that is kept in a folder.
        package let scene: KeptScene?
        /// What the last launch restored. Nil until it has ended.
        package private(set) var result: LaunchResult?
        /// A newer place of another device, which the app may show to the user. Go there with `restore(_:)`.
        public private(set) var offer: Placekeeper.Offer? {
            didSet { if offer != oldValue { offerDidChange?(offer) } }
        }
        /// Called when `offer` changes, and when this property is set while there is an offer.
        public var offerDidChange: ((Placekeeper.Offer?) -> Void)? {
            didSet { if offer != nil { offerDidChange?(offer) } }
        }

        private let placekeeper: Placekeeper?
        private let folder: URL?
        private let window: WindowDelegate
        private let device: RestorationContext
        private var life: RestorableApplication?
        private var storage: KeptSceneStorage?
        /// What the window shows without the user's doing, since the last restore.
        private var shown: StateArchive?
        private var launching: Task<Void, Never>?
        /// The number of launches so far. The result of an earlier launch is dropped.
        private var number = 0
        private var offering: Task<Void, Never>?
        private var isLocked = false
        private var observers: NotificationObservers?
        /// Whether the user has opened a link, or touched the window since the last restore.
        private var hasInput = false
        /// Whether the user took an offer. Its place is their work then, even if they only read it.
        private var hasTaken = false
        private lazy var input = WindowInput { [weak self] in self?.hasInput = true }

        /// Restores the window's scene, and keeps its state on the service.
        ///
        /// If the user opened a link, a notification or a shortcut, continues an activity, or touches the window before the
        /// state arrives, nothing is restored, and the state is offered instead.
        /// - Parameters:
        ///   - window: A window with a root view controller, attached to a window scene.
        ///   - placekeeper: The app's client.
        ///   - options: The options of `scene(_:willConnectTo:options:)`.
        public init(_ window: UIWindow, _ placekeeper: Placekeeper, restoring options: UIScene.ConnectionOptions) {
            let scene = (window.windowScene?.session).map { placekeeper.scene(of: $0) } ?? placekeeper.scene()
            (self.placekeeper, self.scene, folder) = (placekeeper, scene, nil)
            (self.window, device) = (WindowDelegate(window), scene.device)
            prepare(window, options)
            startLaunch(of: scene)
        }

        /// Restores the window before this initializer returns, and keeps its state in a folder of this device: without a
        /// service. If the user opened a link or something else, nothing is restored.
        /// - Parameters:
        ///   - window: A window with a root view controller, attached to a window scene.
        ///   - folder: A folder of its own for each window. The first save creates it.
        ///   - options: The options of `scene(_:willConnectTo:options:)`.
        public convenience init(_ window: UIWindow, keptIn folder: URL, restoring options: UIScene.ConnectionOptions) {
            self.init(window, keptIn: folder, restoring: options, device: .ofThisDevice)
        }

        package init(
            _ window: UIWindow, keptIn folder: URL, restoring options: UIScene.ConnectionOptions,
            device: RestorationContext
        ) {
            (placekeeper, scene, self.folder) = (nil, nil, folder)
            (self.window, self.device) = (WindowDelegate(window), device)
            prepare(window, options)
            restore(from: folder)
        }

        deinit { offering?.cancel() }

        /// Registers an object that is neither a view controller nor a view, in all windows of the app. Call this method
        /// instead of `UIApplication.registerObject(forStateRestoration:restorationIdentifier:)`.
        public static func registerObject(
            forStateRestoration object: any UIStateRestoring, restorationIdentifier: String
        ) {
            RegisteredObjects.add(object, restorationIdentifier)
        }

        private func prepare(_ window: UIWindow, _ options: UIScene.ConnectionOptions) {
            hasInput =
                options.opensOtherContent || !options.userActivities.isEmpty || options.handoffUserActivityType != nil
            input.observe(window)
            environment.findRestorationClass = { AppRestorationClasses.named($0) }
            for storyboard in AppStoryboards.current.storyboards { environment.add(storyboard) }
            RegisteredObjects.add(to: environment)
            guard let scene = window.windowScene else {
                return DeveloperLog.write("A window without a scene is saved only by RestorableWindow.save().")
            }
            observers = NotificationObservers([
                observer(of: UIScene.willDeactivateNotification, scene) { $0.save() },
                observer(of: UIScene.didActivateNotification, scene) {
                    $0.becomeActive()
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
            NotificationCenter.default.addObserver(forName: name, object: scene, queue: nil) { [weak self] _ in
                // UIKit posts these notifications on the main thread.
                MainActor.assumeIsolated { if let self { action(self) } }
            }
        }
    }

    // MARK: - Restoring

    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    extension RestorableWindow {
        /// Launches the window again, after a sign-out or a sign-in. Call this method when the window shows its first screen.
        /// After a sign-out, nothing is saved until then, because the screens may still show the previous account's content. A
        /// window that is kept in a folder starts anew.
        public func launchAgain() {
            (life, hasInput, offer) = (nil, false, nil)
            if let scene { startLaunch(of: scene) }
            guard let folder else { return }
            try? FileArchiveStorage(folder: folder).discardEverything()
            restore(from: folder)
        }

        /// Waits until the launch has ended.
        /// - Returns: What was restored, or nil if the device is locked.
        @discardableResult
        package func launched() async -> LaunchResult? {
            await launching?.value
            return result
        }

        private func startLaunch(of scene: KeptScene) {
            (isLocked, result) = (false, nil)
            number += 1
            launching = Task { [number] in await launch(scene, number) }
        }

        private func launchIfUnlocked() {
            guard isLocked else { return }
            if let scene { startLaunch(of: scene) } else if let folder { restore(from: folder) }
        }

        private func launch(_ scene: KeptScene, _ number: Int) async {
            let launch = await scene.launch()
            guard number == self.number else { return }
            isLocked = launch.reason.code == .locked
            guard !isLocked else { return }
            let skipped = hasInput ? launch.restore.map { scene.skip($0) } : nil
            offer = launch.offer ?? skipped
            observeOffers(of: scene)
            guard hasInput else { return await restore(KeptSceneStorage(scene, launch), number) }
            await restore(KeptSceneStorage(scene, restoring: nil), number)
            if skipped != nil { result = .declined }
            // What the user has opened is their work, even if they only read it.
            scene.noteInteraction(of: launch.owner)
            save()
        }

        /// Called after the launch, because until then a state may be offered that the launch restores.
        private func observeOffers(of scene: KeptScene) {
            offering?.cancel()
            let offers = scene.offers
            offering = Task { [weak self] in for await offer in offers { self?.offer = offer } }
        }

        private func restore(from folder: URL) {
            isLocked = false
            let life = newLife(FileArchiveStorage(folder: folder))
            end(life, hasInput ? life.launchWithoutRestoring() : life.launch(), nil)
            isLocked = result == .locked
        }

        /// Saves what the window shows, and then goes to the place of an offer.
        /// - Throws: An error if the place can't be fetched. Nothing changes on screen then.
        public func restore(_ offer: Placekeeper.Offer) async throws {
            _ = try await throwing { () async throws(PlacekeeperError) in try await take(offer) }
        }

        /// Removes an offer. Its place isn't offered on this device again.
        public func dismiss(_ offer: Placekeeper.Offer) { scene?.dismiss(offer) }

        @discardableResult
        package func take(_ offer: Placekeeper.Offer) async throws(PlacekeeperError) -> LaunchResult? {
            guard let scene else { return nil }
            save()
            let number = number
            let served = try await scene.take(offer)
            guard number == self.number else { return nil }
            self.offer = nil
            // A modal screen of this device would cover the restored screens.
            window.dismissModalScreens()
            await restore(KeptSceneStorage(scene, restoring: served), number)
            hasTaken = true
            return result
        }

        /// Keeps restoration open until `completeStateRestoration()`, for an app that restores its content later. Call
        /// this method instead of `UIApplication.extendStateRestoration()`.
        public func extendStateRestoration() { environment.extendStateRestoration() }

        /// Ends what `extendStateRestoration()` began.
        public func completeStateRestoration() { environment.completeStateRestoration() }

        private func restore(_ storage: KeptSceneStorage, _ number: Int) async {
            let life = newLife(storage)
            let result = await storage.launch(life)
            guard number == self.number else { return }
            if environment.isRestorationExtended {
                environment.whenRestorationCompletes { storage.report(result) }
            }
            if result == .placeOnly || result == .incompatible {
                DeveloperLog.write(
                    "The state of a device with another idiom or a newer version was not restored. To accept another idiom, set acceptedIdioms in the app's policy."
                )
            }
            end(life, result, storage)
        }

        private func newLife(_ storage: any ArchiveStorage) -> RestorableApplication {
            RestorableApplication(
                window, environment: environment, storage: storage,
                configuration: .init(device: device, switches: .ofProcess()) { Date().timeIntervalSinceReferenceDate })
        }

        private func end(_ life: RestorableApplication, _ result: LaunchResult, _ storage: KeptSceneStorage?) {
            (self.life, self.result, self.storage) = (life, result, storage)
            if window.isActive { becomeActive() }
            environment.whenRestorationCompletes { [weak self] in self?.releaseMade() }
            if case .restored = result { noteShown() }
        }

        private func becomeActive() {
            // Modal screens first: the views in them are shown again, too.
            let isFirst = window.made?.isActive == false
            if isFirst { presentRestored() }
            window.made?.becomeActive()
            if isFirst, !hasInput, shown != nil { noteShown() }
        }

        /// What the window shows now is not the user's work.
        private func noteShown() {
            hasInput = false
            shown = life?.presentState()
            if let shown { storage?.noteShown(shown) }
        }

        /// Whether the window shows something else than after the restore.
        private var hasChanged: Bool {
            guard let shown, let present = life?.presentState() else { return true }
            return !present.shows(sameAs: shown)
        }

        /// Presents the view controllers that were not restored because this launch presented another, such as a log-in
        /// screen. Call this method when that screen was dismissed.
        public func presentRestored() {
            environment.presentRestored()
            releaseMade()
        }

        private func releaseMade() { if !environment.hasWaitingPresentations { window.made?.release() } }

        /// Restores what could not be restored at the launch, because the app's data had not arrived. Call this method when
        /// data has arrived.
        ///
        /// Lists look for their rows. If screens are missing, because their restoration classes returned nil, and the user has
        /// not touched the window, the whole state is restored once more.
        public func itemsDidArrive() {
            if !hasInput { window.keepSelections() }
            let isUntouched = !hasInput && !hasChanged
            if isUntouched { window.restoreMissing(environment) }
            window.findRows(hasInput: hasInput)
            if isUntouched { noteShown() }
        }

        /// Records that what the window shows is the user's work, even if it does not change any more. Call this method when
        /// the app has opened a link or a notification while it runs.
        public func noteInteraction() {
            hasInput = true
            if life != nil { scene?.noteInteraction() }
        }

        /// Saves the state now. Before `Placekeeper.signOut(unsent:)`, the state of the account that signs out.
        public func save() {
            guard let life else { return }
            StandIns.removeReleased()
            // What is missing may still wait for the app's data. A user who only looks must not lose it.
            if !hasInput { window.keepSelections() }
            guard !window.lacksObjects || hasInput || hasChanged else { return scene == nil ? life.keepState() : () }
            if hasTaken { scene?.noteInteraction() }
            hasTaken = false
            do { try life.saveState() } catch { DeveloperLog.write("A window's state was not saved. \(error)") }
        }
    }
#endif
