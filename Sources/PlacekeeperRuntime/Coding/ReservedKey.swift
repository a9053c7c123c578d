/// Keys that every coder can read and no app can write (row 27). Except for `storyboard`, these strings are also the
/// keys in archives.
public enum ReservedKey {
    /// The app's bundle version: a string.
    public static let bundleVersion = "UIApplicationStateRestorationBundleVersion"
    /// The user interface idiom: a number.
    public static let userInterfaceIdiom = "UIApplicationStateRestorationUserInterfaceIdiom"
    /// The time of saving: seconds since the start of 2001, UTC.
    public static let timestamp = "UIApplicationStateRestorationTimestamp"
    /// The system's version: a string.
    public static let systemVersion = "UIApplicationStateRestorationSystemVersion"
    /// The storyboard that made a view controller. `StateDecoder` returns the storyboard's name, and `RestorationCoder`
    /// returns the `Storyboard` itself.
    public static let storyboard = "UIStateRestorationViewControllerStoryboard"

    /// True if the system's snapshot must not be shown at the next launch. The key is absent if the snapshot may be
    /// shown.
    static let ignoresSnapshot = "kIgnoreSnapshotKey"

    /// References to the view controllers that are visible in the system's snapshot.
    static let shown = "kShownViewControllersKey"

    /// The keys under which containers save their relationships, and under which an activity sheet saves its draft.
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
