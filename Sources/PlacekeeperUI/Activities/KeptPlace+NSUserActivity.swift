#if canImport(UIKit) || canImport(AppKit)
    public import Foundation
    import PlacekeeperArchive
    import PlacekeeperClient

    // Activities of UIKit, AppKit and SwiftUI:
    // - <https://developer.apple.com/documentation/foundation/nsuseractivity/becomecurrent()>
    // - <https://developer.apple.com/documentation/uikit/uiscenedelegate/scene(_:continue:)>
    // - <https://developer.apple.com/documentation/appkit/nsapplicationdelegate/application(_:continue:restorationhandler:)>
    extension KeptPlace {
        /// Goes to the place of an activity and saves it: in `scene(_:continue:)` with UIKit, and in
        /// `application(_:continue:restorationHandler:)` with AppKit. Never call this method with the activity of
        /// `UISceneSession`: the client keeps the state itself, and knows if a state crashed or belongs to another person.
        /// - Returns: Whether the activity has a place, and at least its first screen was reached. False for another
        ///   activity, such as a universal link: the app then goes to its place itself.
        @discardableResult
        public func `continue`(_ activity: NSUserActivity) async -> Bool {
            guard let activity = PlaceActivity(userInfo: activity.userInfo) else { return false }
            return await self.continue(activity)
        }

        /// The activity of the present place, for `stateRestorationActivity(for:)`: the name of the scene, the titles, the
        /// web address, and the archive if it is small.
        public func activity(ofType type: String) -> NSUserActivity {
            let activity = NSUserActivity(activityType: type)
            activity.show(PlaceActivity(scene: scene.name, archive: archive()))
            return activity
        }

        /// Returns the advertiser of activities of a type.
        func advertiser(ofType type: String) -> ActivityAdvertiser {
            if let advertiser { return advertiser }
            let current = CurrentActivity(type)
            let advertiser = ActivityAdvertiser(self) { current.show($0) }
            self.advertiser = advertiser
            return advertiser
        }

        /// Advertises the place between two notifications of a scene or a window.
        func advertise(
            _ type: String, of object: AnyObject, isActive: Bool, from start: Notification.Name,
            until end: Notification.Name
        ) {
            advertiser(ofType: type).isActive = isActive
            observers = NotificationObservers(
                [(start, true), (end, false)].map { name, isActive in
                    NotificationCenter.default.addObserver(forName: name, object: object, queue: .main) {
                        [weak self] _ in
                        MainActor.assumeIsolated { self?.advertiser?.isActive = isActive }
                    }
                })
        }
    }

    /// The activity that a window advertises. The system forgets it when the window is gone.
    private final class CurrentActivity {
        private let activity: NSUserActivity

        init(_ type: String) { activity = NSUserActivity(activityType: type) }

        deinit { activity.invalidate() }

        func show(_ content: PlaceActivity?) {
            guard let content else { return activity.resignCurrent() }
            activity.show(content)
            activity.needsSave = true
            activity.becomeCurrent()
        }
    }

    extension NSUserActivity {
        fileprivate func show(_ content: PlaceActivity) {
            title = content.titles.last
            userInfo = content.userInfo
            webpageURL = content.archive?.place?.webAddress.flatMap { URL(string: $0) }
        }
    }

    /// Observers of notifications, which end with this object.
    final class NotificationObservers {
        private let observers: [any NSObjectProtocol]

        init(_ observers: [any NSObjectProtocol]) { self.observers = observers }

        deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    }
#endif
