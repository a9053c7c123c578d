#if canImport(UIKit) || canImport(AppKit)
    package import Foundation
    import PlacekeeperArchive
    import PlacekeeperClient

    #if canImport(UIKit)
        import UIKit
    #else
        import AppKit
    #endif

    // Activities: <https://developer.apple.com/documentation/foundation/nsuseractivity/becomecurrent()>,
    // <https://developer.apple.com/documentation/foundation/nsuseractivity/resigncurrent()> and
    // <https://developer.apple.com/documentation/foundation/nsuseractivity/invalidate()>.
    extension KeptPlace {
        /// Returns the advertiser of activities of a type.
        func advertiser(ofType type: String) -> ActivityAdvertiser {
            if let advertiser { return advertiser }
            let current = CurrentActivity(type)
            let advertiser = ActivityAdvertiser(self) { current.show($0) }
            self.advertiser = advertiser
            return advertiser
        }
    }

    /// The activity that a window advertises. The system drops it when the window is gone.
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
        /// Advertises a window's title, web address and place.
        func show(_ content: PlaceActivity) {
            title = content.titles.last
            userInfo = content.userInfo
            webpageURL = content.archive?.place?.webAddress.flatMap { URL(string: $0) }
        }
    }

    /// Observers of notifications, which are removed with this object.
    package final class NotificationObservers {
        private let observers: [any NSObjectProtocol]

        package init(_ observers: [any NSObjectProtocol]) { self.observers = observers }

        deinit { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    }
#endif
