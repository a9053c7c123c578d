import Foundation
import PlacekeeperArchive

/// Why the system opens a window: what the user chose outside the window.
struct WindowOpening {
    /// The activity that the user continues here. Nil if there is none, or if it has no place.
    var activity: PlaceActivity?
    /// Whether the user opened a link, a notification or a shortcut. The app navigates there itself.
    var opensLink: Bool

    /// - Parameters:
    ///   - activities: The types and the user info of the activities.
    ///   - activityType: The type of the app's activities that contain a place. An activity of another type is a link,
    ///     such as a universal link or a result of the system's search.
    ///   - hasLink: Whether there is an address, a notification or a shortcut.
    init(activities: [(type: String, userInfo: [AnyHashable: Any]?)], of activityType: String, hasLink: Bool) {
        opensLink = hasLink || activities.contains { $0.type != activityType }
        let continued = activities.first { $0.type == activityType }
        activity = PlaceActivity(userInfo: continued?.userInfo).flatMap { $0.archive?.place == nil ? nil : $0 }
    }
}
