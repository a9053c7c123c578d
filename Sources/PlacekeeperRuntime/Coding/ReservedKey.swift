/// Keys that every coder can read and no app can write (row 27). Except for `storyboard`, these strings are also the
/// keys in archives.
public enum ReservedKey {
    /// The app's bundle version, a string.
    public static let bundleVersion = "UIApplicationStateRestorationBundleVersion"
    /// The user interface idiom, a number.
    public static let userInterfaceIdiom = "UIApplicationStateRestorationUserInterfaceIdiom"
    /// When the state was saved: seconds since the start of 2001, UTC.
    public static let timestamp = "UIApplicationStateRestorationTimestamp"
    /// The system version, a string.
    public static let systemVersion = "UIApplicationStateRestorationSystemVersion"
    /// The storyboard that made a view controller. `StateDecoder` returns its name; `RestorationCoder` returns the
    /// `Storyboard` itself.
    public static let storyboard = "UIStateRestorationViewControllerStoryboard"

    /// True if the system must not show its snapshot at the next launch. The key is absent if it may.
    static let ignoresSnapshot = LayoutKey.ignoresSnapshot

    /// References to the view controllers visible in the system's snapshot.
    static let shown = LayoutKey.shown

    /// Keys under which containers save their relationships, and an activity sheet saves its draft.
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
