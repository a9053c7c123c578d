import UIKit

/// The grid of all photos.
final class PhotoGridViewController: UICollectionViewController {
    private let library: PhotoLibrary

    init(library: PhotoLibrary) {
        self.library = library
        super.init(collectionViewLayout: UICollectionViewFlowLayout())
        title = "Photos"
        restorationIdentifier = "PhotoGrid"
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        collectionView.dataSource = library
        collectionView.restorationIdentifier = "PhotoGridView"
        clearsSelectionOnViewWillAppear = false
    }

    override func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {
        let screen = PhotoViewController(library.photos[indexPath.item], of: library)
        navigationController?.pushViewController(screen, animated: true)
    }
}

/// An enlarged photo with its effects.
final class PhotoViewController: UIViewController, UIViewControllerRestoration, UIScrollViewDelegate {
    private enum Key {
        static let library = "library"
        static let photo = "photo"
        static let hidesBars = "hidesBars"
        static let rotation = "rotation"
        static let filters = "filters"
    }

    let scrollView = UIScrollView()
    /// The view that is zoomed. UIKit sets its transform.
    private let zoomedView = UIView()
    private let imageView = UILabel()
    private let photo: Photo
    private let library: PhotoLibrary
    private(set) var filters: [String: PhotoFilter] = [:]
    private var hidesBars = false

    init(_ photo: Photo, of library: PhotoLibrary) {
        self.photo = photo
        self.library = library
        super.init(nibName: nil, bundle: nil)
        title = photo.title
        restorationIdentifier = "Photo"
        restorationClass = PhotoViewController.self
    }

    required init?(coder: NSCoder) { nil }

    override func loadView() {
        scrollView.minimumZoomScale = 1
        scrollView.maximumZoomScale = 4
        scrollView.delegate = self
        scrollView.restorationIdentifier = "PhotoScroll"
        scrollView.contentSize = CGSize(width: 2000, height: 2000)
        scrollView.addSubview(zoomedView)
        zoomedView.addSubview(imageView)
        view = scrollView
        updateImage()
    }

    override func viewWillAppear(_ animated: Bool) {
        super.viewWillAppear(animated)
        navigationController?.setNavigationBarHidden(hidesBars, animated: false)
    }

    override func viewWillDisappear(_ animated: Bool) {
        super.viewWillDisappear(animated)
        navigationController?.setNavigationBarHidden(false, animated: false)
    }

    func viewForZooming(in scrollView: UIScrollView) -> UIView? { zoomedView }

    /// Hides the bars, or shows them.
    func toggleBars() {
        hidesBars.toggle()
        navigationController?.setNavigationBarHidden(hidesBars, animated: false)
    }

    /// Turns the photo by a quarter.
    func rotate() {
        imageView.transform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 12, ty: 0)
    }

    /// The filter with a name, which is created at first use.
    func filter(_ name: String) -> PhotoFilter {
        if let filter = filters[name] { return filter }
        let filter = PhotoFilter(name)
        PhotosAppDelegate.register(filter)
        filters[name] = filter
        return filter
    }

    /// Draws the photo with its enabled filters.
    func updateImage() {
        let applied = filters.values.filter(\.isEnabled).map(\.caption).sorted()
        imageView.text = ([photo.title] + applied).joined(separator: " + ")
    }

    // MARK: - State restoration

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(library, forKey: Key.library)
        coder.encode(photo.address, forKey: Key.photo)
        coder.encode(hidesBars, forKey: Key.hidesBars)
        coder.encode(imageView.transform, forKey: Key.rotation)
        coder.encode(filters, forKey: Key.filters)
    }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        hidesBars = coder.decodeBool(forKey: Key.hidesBars)
        imageView.transform = coder.decodeCGAffineTransform(forKey: Key.rotation)
        filters = coder.decodeObject(forKey: Key.filters) as? [String: PhotoFilter] ?? [:]
    }

    /// Draws the photo, because only now all filters have their state.
    override func applicationFinishedRestoringState() {
        filters.values.forEach { PhotosAppDelegate.register($0) }
        updateImage()
        if viewIfLoaded?.window != nil { navigationController?.setNavigationBarHidden(hidesBars, animated: false) }
    }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? {
        // A photo that was deleted is not shown.
        guard let library = coder.decodeObject(forKey: Key.library) as? PhotoLibrary,
            let photo = library.photo(at: coder.decodeObject(forKey: Key.photo) as? String)
        else { return nil }
        return PhotoViewController(photo, of: library)
    }
}

/// The settings of a filter. It comes from the storyboard, so it needs no restoration class.
final class FilterInspectorViewController: UIViewController {
    var filter: PhotoFilter?
    let enabledSwitch = UISwitch()
    let amountSlider = UISlider()

    override func viewDidLoad() {
        super.viewDidLoad()
        amountSlider.minimumValue = 0
        amountSlider.maximumValue = 1
        view.addSubview(enabledSwitch)
        view.addSubview(amountSlider)
        updateControls()
    }

    private func updateControls() {
        title = filter?.name
        enabledSwitch.isOn = filter?.isEnabled ?? false
        amountSlider.value = Float(filter?.amount ?? 0)
    }

    /// Applies the controls to the filter.
    func controlsDidChange() {
        filter?.isEnabled = enabledSwitch.isOn
        filter?.amount = Double(amountSlider.value)
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(filter, forKey: "filter")
    }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        filter = coder.decodeObject(forKey: "filter") as? PhotoFilter
    }

    override func applicationFinishedRestoringState() { updateControls() }
}
