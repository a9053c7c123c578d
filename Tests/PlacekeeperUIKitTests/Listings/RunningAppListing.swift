import UIKit

// S4: the app delegate of "State restoration in iOS 6 without storyboards", line by line, in Swift. The view controllers
// are in RunningAppListing+Screens.swift.
//
// Differs from the listings:
// - `NSLog` calls are left out. `BUNDLEMINVERSION` is a static constant.
// - The lines that the listings describe by comments only (API keys, UIAppearance, Core Data), and the two lines that
//   set a `managedObjectContext`.
// - Three listings show parts of `application:willFinishLaunchingWithOptions:`. Here they are one method. It also sets
//   the root view controller, and hands the rows to the About screen.
// - The window has no scene when the listings show it. A scene delegate sets its scene afterward (ListingScene.swift).

final class RunningAppDelegate: UIResponder, UIApplicationDelegate {
    static let BUNDLEMINVERSION = 3  // swift-format-ignore: AlwaysUseLowerCamelCase

    var window: UIWindow?
    var tabBarController: UITabBarController!
    /// The labels of the About screen, by section.
    var dataRows = (0..<3).map { section in (0..<20).map { "row \(section).\($0)" } }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {

        self.window = UIWindow(frame: UIScreen.main.bounds)

        // Setup tabs
        let avc = AboutViewController(style: .plain)
        avc.dataRows = dataRows
        let anc = UINavigationController(rootViewController: avc)
        anc.restorationIdentifier = "AboutNC"

        let svc = SettingsViewController(style: .plain)
        let snc = UINavigationController(rootViewController: svc)
        snc.restorationIdentifier = "SettingsNC"

        let mvc = MusicViewController(nibName: nil, bundle: nil)
        let mnc = UINavigationController(rootViewController: mvc)
        mnc.restorationIdentifier = "MusicNC"

        let ol = RTOverviewLayout()
        let ovc = OverviewViewController(collectionViewLayout: ol)
        let onc = UINavigationController(rootViewController: ovc)
        onc.restorationIdentifier = "OverviewNC"

        let pvc = ProgressViewController(style: .plain)
        let pnc = UINavigationController(rootViewController: pvc)
        pnc.restorationIdentifier = "ProgressNC"

        self.tabBarController = UITabBarController()
        self.tabBarController.restorationIdentifier = "MainTBC"
        self.tabBarController.viewControllers = [onc, pnc, mnc, anc, snc]

        self.window?.rootViewController = self.tabBarController

        return true
    }

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {

        self.window?.makeKeyAndVisible()
        return true
    }

    func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool {

        // Retrieve the Bundle Version Key so we can check if the restoration data is from an older
        // version of the App that would not make sense to restore. This might be the case after we
        // have made significant changes to the view hierarchy.

        let restorationBundleVersion =
            coder.decodeObject(forKey: UIApplication.stateRestorationBundleVersionKey) as? NSString
        if (restorationBundleVersion?.integerValue ?? 0) < Self.BUNDLEMINVERSION {
            return false
        }

        // Retrieve the User Interface Idiom (iPhone or iPad) for the device that created the restoration Data.
        // This allows us to ignore the restoration data when the user interface idiom that created the data
        // does not match the current device user interface idiom.

        let currentDevice = UIDevice.current
        let restorationInterfaceIdiom = UIUserInterfaceIdiom(
            rawValue: (coder.decodeObject(forKey: UIApplication.stateRestorationUserInterfaceIdiomKey) as? NSNumber)?
                .intValue ?? 0)
        let currentInterfaceIdiom = currentDevice.userInterfaceIdiom
        if restorationInterfaceIdiom != currentInterfaceIdiom {
            return false
        }

        return true
    }

    func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool {

        return true
    }
}
