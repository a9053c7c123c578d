import UIKit

// S1: the app delegate of the demo of WWDC13 session 222 (see PhotoListing.swift).

final class PhotoDemoDelegate: UIResponder, UIApplicationDelegate {
    /// The titles of the images, by identifier.
    var titles: [String: String] = [:]
    var register: Register = { UIApplication.registerObject(forStateRestoration: $0, restorationIdentifier: $1) }
    private(set) var navigationController: UINavigationController!
    private(set) var collectionViewController: ImageCollectionViewController!
    private let dataSource = ImageDataSource()
    private let storyboard = UIStoryboard(name: "Main", bundle: nil)

    // "Set up your base interface." "And here I'm adding one line to register it for state restoration."
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        dataSource.titles = titles
        register(dataSource, "DataSource")

        collectionViewController = ImageCollectionViewController(collectionViewLayout: UICollectionViewFlowLayout())
        collectionViewController.restorationIdentifier = "ImageCollection"
        collectionViewController.dataSource = dataSource
        collectionViewController.imageIDs = titles.keys.sorted()
        navigationController = UINavigationController(rootViewController: collectionViewController)
        navigationController.restorationIdentifier = "Navigation"
        return true
    }

    func application(_ application: UIApplication, shouldSaveApplicationState coder: NSCoder) -> Bool { true }

    func application(_ application: UIApplication, shouldRestoreApplicationState coder: NSCoder) -> Bool { true }

    // MARK: - What the speaker does

    // "I'm going to select one -- you can see that I've got the selection there -- let it roll in."
    @discardableResult
    func select(_ indexPath: IndexPath) -> ImageViewController {
        collectionViewController.collectionView.selectItem(at: indexPath, animated: false, scrollPosition: [])
        let vc = ImageViewController()
        vc.restorationIdentifier = "Image"
        vc.restorationClass = ImageViewController.self
        collectionViewController.prepareForSegue(to: vc, from: indexPath)
        navigationController.pushViewController(vc, animated: true)
        return vc
    }

    // "I created that filter object and then when I present it, it had that filter to refer to."
    func inspect(_ name: String, of image: ImageViewController) -> FilterViewController? {
        let filter = image.filters[name] ?? ImageFilter(name: name)
        if image.filters[name] == nil { register(filter, name) }
        image.filters[name] = filter
        let inspector = storyboard.instantiateViewController(withIdentifier: "FilterInspector") as? FilterViewController
        guard let inspector else { return nil }
        inspector.restorationIdentifier = "FilterInspector"
        inspector.filter = filter
        image.present(inspector, animated: true)
        return inspector
    }
}
