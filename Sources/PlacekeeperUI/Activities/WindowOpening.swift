import Foundation
import PlacekeeperArchive

/// The reason for which the system opens a window: what the person chose outside the window.
struct WindowOpening {
    /// The activity that the person continues here. Nil if there is none, or if it has no place.
    var activity: PlaceActivity?
    /// Whether the person chose a place by a link, a notification or a shortcut. The app goes there itself.
    var opensLink: Bool

    /// - Parameters:
    ///   - activities: The types and the user information of the activities.
    ///   - activityType: The app's type of the activity that has a place. An activity of another type is a link, such as
    ///     a universal link or a found item of the system's search.
    ///   - hasLink: Whether there is an address, a notification or a shortcut.
    init(activities: [(type: String, userInfo: [AnyHashable: Any]?)], of activityType: String, hasLink: Bool) {
        opensLink = hasLink || activities.contains { $0.type != activityType }
        let continued = activities.first { $0.type == activityType }
        activity = PlaceActivity(userInfo: continued?.userInfo).flatMap { $0.archive?.place == nil ? nil : $0 }
    }
}
