/// Keys that every coder answers and none takes (row 27), by the names that archives have.
public enum ReservedKey {
    /// The app's bundle version: a string.
    public static let bundleVersion = "UIApplicationStateRestorationBundleVersion"
    /// The user interface idiom: a number.
    public static let userInterfaceIdiom = "UIApplicationStateRestorationUserInterfaceIdiom"
    /// When the state was saved: seconds since the start of 2001, UTC.
    public static let timestamp = "UIApplicationStateRestorationTimestamp"
    /// The system's version: a string.
    public static let systemVersion = "UIApplicationStateRestorationSystemVersion"
    /// The storyboard that a view controller was made from: the storyboard itself.
    public static let storyboard = "UIStateRestorationViewControllerStoryboard"

    /// Whether the system's picture is not to be shown at the next launch: true or false.
    static let ignoresSnapshot = "kIgnoreSnapshotKey"

    /// The view controllers that the system's picture shows.
    static let shown = "kShownViewControllersKey"

    /// What containers save in the coders of their objects.
    package enum Structure {
        package static let children = "kUIViewControllerChildrenKey"
        package static let presented = "kUIViewControllerPresentedKey"
        package static let selectedTab = "kTabBarSelectedViewControllerKey"
        package static let primary = "kSplitViewPrimaryKey"
        package static let secondary = "kSplitViewSecondaryKey"
        package static let showsSecondary = "kSplitViewShowsSecondaryKey"
        package static let draft = "kActivityMailDraftKey"
    }

    static let all: Set<String> = [
        bundleVersion, userInterfaceIdiom, timestamp, systemVersion, storyboard, Structure.children,
        Structure.presented, Structure.selectedTab, Structure.primary, Structure.secondary, Structure.showsSecondary,
        Structure.draft, ignoresSnapshot, shown,
    ]
}
