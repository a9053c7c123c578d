#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import PlacekeeperArchive
    public import PlacekeeperClient
    public import PlacekeeperRuntime
    public import UIKit

    extension KeptPlace {
        /// Attaches the place to a scene of UIKit, in `scene(_:willConnectTo:options:)`: launches the client's scene, and
        /// restores its state. An activity of Handoff with this type takes precedence: its place is shown and saved. An
        /// address, a universal link, a notification and a shortcut take precedence too: nothing is restored, and the app
        /// goes to their place itself.
        ///
        /// ```swift
        /// func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
        ///     place = KeptPlace(placekeeper.scene(), navigator: navigator)
        ///     place.attach(options, activityType: "com.example.reading")
        /// }
        /// func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
        ///     place.activity(ofType: "com.example.reading")
        /// }
        /// func sceneDidEnterBackground(_ scene: UIScene) {
        ///     place.save(isInteraction: false)
        ///     placekeeper.flushInBackground()
        /// }
        /// ```
        /// - Returns: The launch, for an app that shows `Launch.offer`.
        @discardableResult
        public func attach(_ options: UIScene.ConnectionOptions, activityType: String) -> Task<Launch, Never> {
            var hasLink = !options.urlContexts.isEmpty
            #if !os(tvOS)
                hasLink = hasLink || options.notificationResponse != nil || options.shortcutItem != nil
            #endif
            let opening = WindowOpening(
                activities: options.userActivities.map { ($0.activityType, $0.userInfo) }, of: activityType,
                hasLink: hasLink)
            return Task { await launch(opensLink: opening.opensLink, continuing: opening.activity) }
        }

        /// Goes to the place of an activity and saves it, in `scene(_:continue:)`. Never call this method with the activity
        /// of `UISceneSession`: the client keeps the state itself, and knows if a state crashed or belongs to another
        /// person.
        /// - Returns: Whether the activity has a place, and at least its first screen was reached.
        @discardableResult
        public func `continue`(_ activity: NSUserActivity) async -> Bool {
            guard let activity = PlaceActivity(userInfo: activity.userInfo) else { return false }
            return await self.continue(activity)
        }

        /// The activity of the present place, for `stateRestorationActivity(for:)` and for Handoff: the name of the
        /// scene, the titles, the web address, and the archive if it is small.
        public func activity(ofType type: String) -> NSUserActivity {
            let content = PlaceActivity(scene: scene.name, archive: archive())
            let activity = NSUserActivity(activityType: type)
            activity.title = content.titles.last
            activity.addUserInfoEntries(from: content.userInfo)
            activity.webpageURL = content.archive?.place?.webAddress.flatMap { URL(string: $0) }
            return activity
        }
    }

    extension PlaceActivity {
        /// Reads the activity of a scene's session: the name of the scene says which place the window has.
        @MainActor
        public init?(_ session: UISceneSession) { self.init(userInfo: session.stateRestorationActivity?.userInfo) }
    }

    extension RestorationContext {
        /// This device with the layout of a trait collection. Set it as `KeptPlace.device` when the size class changes.
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
