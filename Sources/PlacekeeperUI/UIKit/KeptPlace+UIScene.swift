#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import PlacekeeperArchive
    public import PlacekeeperClient
    public import PlacekeeperRuntime
    public import UIKit

    // Scenes of UIKit:
    // - <https://developer.apple.com/documentation/uikit/uiscene/connectionoptions/useractivities>
    // - <https://developer.apple.com/documentation/uikit/uiscene/connectionoptions/handoffuseractivitytype>
    // - <https://developer.apple.com/documentation/uikit/uiscenedelegate/staterestorationactivity(for:)>
    // - <https://developer.apple.com/documentation/uikit/uiscenesession/staterestorationactivity>
    extension KeptPlace {
        /// Attaches the place to a UIKit scene, in `scene(_:willConnectTo:options:)`: launches the client's scene,
        /// restores its state, and advertises the place for Handoff while the scene is active.
        ///
        /// If the user chose something outside the window, it takes precedence, and nothing is restored. An activity of
        /// this type with which the app opened the window is shown and saved. For an address, a universal link, a
        /// notification or a shortcut, the app navigates itself. A Handoff activity comes later, in
        /// `scene(_:continue:)`, and replaces the restored state.
        ///
        /// ```swift
        /// func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        ///     place = KeptPlace(placekeeper.scene(of: session), navigator: navigator)
        ///     place.attach(to: scene, options, activityType: "com.example.reading")
        /// }
        /// func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
        ///     Task { await place.continue(userActivity) }
        /// }
        /// func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        ///     place.activity(ofType: "com.example.reading")
        /// }
        /// func sceneDidEnterBackground(_ scene: UIScene) {
        ///     place.save(isInteraction: false)
        ///     placekeeper.flushInBackground()
        /// }
        /// ```
        /// - Parameters:
        ///   - scene: The UIKit scene.
        ///   - options: The options with which the system connects the scene.
        ///   - activityType: The type of the app's activities, listed under `NSUserActivityTypes` in Info.plist.
        /// - Returns: The launch, for an app that shows `Launch.offer`.
        @discardableResult
        public func attach(
            to scene: UIScene, _ options: UIScene.ConnectionOptions, activityType: String
        ) -> Task<Launch, Never> {
            let opening = WindowOpening(
                activities: options.userActivities.map { ($0.activityType, $0.userInfo) }, of: activityType,
                hasLink: options.opensOtherContent)
            advertise(
                activityType, of: scene, isActive: scene.activationState == .foregroundActive,
                from: UIScene.didActivateNotification, until: UIScene.willDeactivateNotification)
            return Task { await launch(opensLink: opening.opensLink, continuing: opening.activity) }
        }

        /// Goes to the place of an activity and saves it. Call this method in `scene(_:continue:)`, but never with the
        /// activity of `UISceneSession`: the client keeps the state itself, and knows whether a state crashed or
        /// belongs to another user.
        /// - Returns: Whether the activity has a place, and at least its first screen was reached. False for another
        ///   activity, such as a universal link, which the app must handle itself.
        @discardableResult
        public func `continue`(_ activity: NSUserActivity) async -> Bool {
            guard let activity = PlaceActivity(userInfo: activity.userInfo) else { return false }
            return await self.continue(activity)
        }

        /// The activity of the current place, for `stateRestorationActivity(for:)`: the scene's name, the titles, the
        /// web address, and the archive if it is small.
        public func activity(ofType type: String) -> NSUserActivity {
            let activity = NSUserActivity(activityType: type)
            activity.show(PlaceActivity(scene: scene.name, archive: archive()))
            return activity
        }
    }

    extension Placekeeper {
        /// The scene of a window, for `scene(_:willConnectTo:options:)`. The first window of a role gets the scene with
        /// the role's name, as on the user's other devices. Each further window, as on an iPad, gets its own scene,
        /// such as `main-2`, which starts fresh. A window keeps its scene until the user closes it.
        /// - Parameters:
        ///   - role: The role of a new window.
        ///   - session: The window's session, which stores the name.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        @MainActor
        public func scene(_ role: String = "main", of session: UISceneSession) -> KeptScene {
            let others = UIApplication.shared.openSessions.filter { $0 != session }.compactMap { $0.nameOfScene }
            let name = WindowNames.name(role, remembered: session.nameOfScene, taken: Set(others))
            session.remember(name.text)
            return windowScene(name)
        }
    }

    extension UIScene.ConnectionOptions {
        /// Whether the user opened an address, a notification or a shortcut, to which the app navigates itself.
        package var opensOtherContent: Bool {
            #if !os(tvOS)
                if notificationResponse != nil || shortcutItem != nil { return true }
            #endif
            return !urlContexts.isEmpty
        }
    }

    extension UISceneSession {
        private static let key = "placekeeper.scene"

        /// The name of the window's scene. The activity contains it too, in case the system didn't keep `userInfo`.
        fileprivate var nameOfScene: String? {
            userInfo?[Self.key] as? String ?? PlaceActivity(userInfo: stateRestorationActivity?.userInfo)?.scene
        }

        fileprivate func remember(_ name: String) {
            var info = userInfo ?? [:]
            info[Self.key] = name
            userInfo = info
        }
    }

    extension RestorationContext {
        /// This device, with the layout of a trait collection. Set it as `KeptPlace.device` when the size class
        /// changes.
        @MainActor
        public init(_ traits: UITraitCollection) {
            self = .ofThisDevice
            switch traits.horizontalSizeClass {
            case .compact: layout = .compact
            case .regular: layout = .regular
            default: layout = nil
            }
        }
    }
#endif
