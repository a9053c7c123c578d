import UIKit

/// The app delegate of the photo browser.
final class PhotosAppDelegate: UIResponder, UIApplicationDelegate {
    /// The photos of this device.
    let library: PhotoLibrary
    /// Registers an object for state restoration.
    var register: @MainActor (any UIStateRestoring, String) -> Void = {
        UIApplication.registerObject(forStateRestoration: $0, restorationIdentifier: $1)
    }

    init(library: PhotoLibrary) {
        self.library = library
        super.init()
    }

    override convenience init() { self.init(library: PhotoLibrary([])) }

    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        register(library, "PhotoLibrary")
        return true
    }

    func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool { true }

    func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool { true }

    /// Registers a filter that a person or a restored screen uses.
    static func register(_ filter: PhotoFilter) {
        (UIApplication.shared.delegate as? PhotosAppDelegate)?.register(filter, filter.name)
    }
}

/// Builds the window of the photo browser.
final class PhotosSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    /// Restores the window.
    var restore: ((UIWindow, UIScene.ConnectionOptions) -> AnyObject)?
    private var restoration: AnyObject?
    let grid: PhotoGridViewController
    let comparison = ComparisonViewController(title: "Compare")
    private let library: PhotoLibrary
    private let tabs = UITabBarController()
    private let stack: UINavigationController
    private let storyboard = UIStoryboard(name: "Photos", bundle: nil)

    init(_ app: PhotosAppDelegate) {
        library = app.library
        grid = PhotoGridViewController(library: app.library)
        stack = UINavigationController(rootViewController: grid)
        super.init()
    }

    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let scene = scene as? UIWindowScene else { return }
        stack.restorationIdentifier = "PhotoStack"
        tabs.restorationIdentifier = "Tabs"
        tabs.viewControllers = [stack, comparison]
        let window = UIWindow(windowScene: scene)
        window.rootViewController = tabs
        window.makeKeyAndVisible()
        self.window = window
        // The line of the restoration.
        restoration = restore?(window, connectionOptions)
    }

    // MARK: - What a person does

    /// Opens a photo from the grid.
    func open(_ title: String) {
        guard let item = library.photos.firstIndex(where: { $0.title == title }) else { return }
        let indexPath = IndexPath(item: item, section: 0)
        grid.collectionView.selectItem(at: indexPath, animated: false, scrollPosition: [])
        grid.collectionView(grid.collectionView, didSelectItemAt: indexPath)
    }

    /// Scrolls the grid, in points from its top.
    func scrollGrid(to offset: Double) {
        grid.collectionView.setContentOffset(CGPoint(x: 0, y: offset), animated: false)
    }

    /// Zooms into the open photo and moves it.
    func zoom(_ scale: Double, at offset: CGPoint) {
        photoScreen?.scrollView.zoomScale = scale
        photoScreen?.scrollView.setContentOffset(offset, animated: false)
    }

    /// Opens the inspector of a filter of the open photo, and moves its controls.
    func inspect(_ name: String, amount: Double, isEnabled: Bool) {
        guard let screen = photoScreen,
            let inspector = storyboard.instantiateViewController(withIdentifier: "PhotoFilterInspector")
                as? FilterInspectorViewController
        else { return }
        inspector.filter = screen.filter(name)
        screen.present(inspector, animated: true)
        inspector.amountSlider.value = Float(amount)
        inspector.enabledSwitch.isOn = isEnabled
        inspector.controlsDidChange()
        screen.updateImage()
    }

    /// Closes the inspector.
    func closeInspector() { photoScreen?.dismiss(animated: true) }

    /// Goes back to the grid.
    func goBack() { stack.popViewController(animated: true) }

    /// Shows the comparison, and applies a filter to each side.
    func compare(left: Double, right: Double) {
        tabs.selectedIndex = 1
        comparison.left.apply(left)
        comparison.right.apply(right)
    }

    /// Shows the tab with the photos.
    func selectPhotos() { tabs.selectedIndex = 0 }

    /// The screen of the open photo.
    var photoScreen: PhotoViewController? { stack.topViewController as? PhotoViewController }

    /// The presented inspector.
    var inspector: FilterInspectorViewController? {
        photoScreen?.presentedViewController as? FilterInspectorViewController
    }

    /// The titles of the photos that are visible in the grid.
    var visiblePhotos: [String] {
        grid.collectionView.layoutIfNeeded()
        return grid.collectionView.indexPathsForVisibleItems.sorted().map { library.photos[$0.item].title }
    }

    /// What is on the screen.
    var seen: [String] { Screen(window).lines }
}
