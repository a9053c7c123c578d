import UIKit

// S1: the demo of WWDC13 session 222. The transcript has one slide with code (the image is updated when restoration has
// finished). Everything else is described in speech, sentence by sentence, and is written here in that order.
//
// Differs from the session:
// - A segue is a method: `prepareForSegue(to:…)` does what `prepareForSegue` does in the session.
// - `UIApplication.registerObject(forStateRestoration:restorationIdentifier:)` is called through `register`, so that
//   the app has one place for it.
// - `clearsSelectionOnViewWillAppear` is false, because the demo shows the selected cell after going back.
// - Images are texts: a filter adds its name and its setting.
// - The session names neither keys nor classes. Words of the transcript are used: image identifier, bars, data source,
//   filter, enabled, intensity, radius.

/// Registers an object for state restoration.
typealias Register = @MainActor (any UIStateRestoring, String) -> Void

// "A very common thing in an application is to have a data source object." "The data source doesn't actually need to
// save and restore any state of its own."
class ImageDataSource: NSObject, UIStateRestoring {
    var titles: [String: String] = [:]

    func title(forImage identifier: String) -> String? { titles[identifier] }
}

// "By specifying a restoration class, you're telling us who we can ask to recreate this object as needed."
class ImageFilter: NSObject, UIStateRestoring, UIObjectRestoration {
    let name: String
    var isEnabled = true
    var intensity = 0.5
    /// "You can scope them by setting their parent. Often you'll set that to a view controller."
    weak var restorationParent: (any UIStateRestoring)?
    var objectRestorationClass: (any UIObjectRestoration.Type)? { ImageFilter.self }

    init(name: String) {
        self.name = name
        super.init()
    }

    // "The last component in that array is the identifier, and often that's all you'll need to look at."
    static func object(
        withRestorationIdentifierPath identifierComponents: [String],
        coder: NSCoder
    ) -> (any UIStateRestoring)? {
        guard let name = identifierComponents.last else { return nil }
        return ImageFilter(name: name)
    }

    // "And then the filters themselves will save their own info. That's just whether they're enabled, what the intensity
    // is."
    func encodeRestorableState(with coder: NSCoder) {
        coder.encode(isEnabled, forKey: "enabled")
        coder.encode(intensity, forKey: "intensity")
    }

    func decodeRestorableState(with coder: NSCoder) {
        isEnabled = coder.decodeBool(forKey: "enabled")
        intensity = coder.decodeDouble(forKey: "intensity")
    }
}

/// The grid of thumbnails. A base object, so it needs an identifier only.
class ImageCollectionViewController: UICollectionViewController, UIDataSourceModelAssociation {
    var dataSource: ImageDataSource?
    /// The images, in the order of the grid.
    var imageIDs: [String] = []

    override func viewDidLoad() {
        super.viewDidLoad()
        collectionView.restorationIdentifier = "ImageCollectionView"
        clearsSelectionOnViewWillAppear = false
    }

    // "I hand the view controller that's coming in, our image view controller, enough information so that it can get
    // the image and set that title." "We're going to also hand that image controller to the data source as well."
    func prepareForSegue(to destination: ImageViewController, from indexPath: IndexPath) {
        destination.imageID = imageIDs[indexPath.item]
        destination.dataSource = dataSource
        destination.updateImage()
    }

    override func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int {
        imageIDs.count
    }

    override func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell {
        let cell = UICollectionViewCell(frame: .zero)
        let label = UILabel()
        label.text = dataSource?.title(forImage: imageIDs[indexPath.item])
        cell.contentView.addSubview(label)
        return cell
    }

    // "What is an identifier for this cell that makes sense to you?"
    func modelIdentifierForElement(at idx: IndexPath, in view: UIView) -> String? {
        imageIDs[idx.item]
    }

    // "Here's an identifier; where's the index path now?"
    func indexPathForElement(withModelIdentifier identifier: String, in view: UIView) -> IndexPath? {
        imageIDs.firstIndex(of: identifier).map { IndexPath(item: $0, section: 0) }
    }
}

/// The enlarged image. "Even if it's in a storyboard I can still give it a restoration class."
class ImageViewController: UIViewController, UIViewControllerRestoration {
    var imageID: String?
    var dataSource: ImageDataSource?
    var filters: [String: ImageFilter] = [:]
    var showsBars = true
    /// The image with its filters.
    let imageLabel = UILabel()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(imageLabel)
    }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String],
        coder: NSCoder
    ) -> UIViewController? {
        // "So if the image that was being shown when you saved state isn't in the database when you restore it, you may
        // not want to bring back that view controller."
        guard let dataSource = coder.decodeObject(forKey: "dataSource") as? ImageDataSource,
            let imageID = coder.decodeObject(forKey: "imageID") as? String, dataSource.title(forImage: imageID) != nil
        else { return nil }
        let vc = ImageViewController()
        vc.restorationIdentifier = identifierComponents.last
        vc.restorationClass = ImageViewController.self
        return vc
    }

    // "I'm just going to encode an object, give it a key so I can look it back up later." "Just going to encode a Boolean
    // here, and that's all we have to do."
    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)

        coder.encode(imageID, forKey: "imageID")
        coder.encode(showsBars, forKey: "showsBars")
        coder.encode(dataSource, forKey: "dataSource")
        // "Here, I actually put my filters into a dictionary."
        coder.encode(filters, forKey: "filters")
    }

    // "I don't want to update the image when I'm decoding my state because everything else might not exist yet, so I'm
    // just going to decode my state and not do that thing."
    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)

        imageID = coder.decodeObject(forKey: "imageID") as? String
        showsBars = coder.decodeBool(forKey: "showsBars")
        dataSource = coder.decodeObject(forKey: "dataSource") as? ImageDataSource
        filters = coder.decodeObject(forKey: "filters") as? [String: ImageFilter] ?? [:]
    }

    // "And then when application FinishedResotringState is called, I'll call updateImage."
    override func applicationFinishedRestoringState() {
        updateImage()
    }

    // "So I'm going to write some code that goes and fetches that image, applies the filter, sets the title, do all of
    // that."
    func updateImage() {
        title = imageID.flatMap { dataSource?.title(forImage: $0) }
        let applied = filters.values.filter(\.isEnabled).map { "\($0.name) \($0.intensity)" }.sorted()
        imageLabel.text = ([title ?? ""] + applied).joined(separator: ", ")
        navigationController?.setNavigationBarHidden(!showsBars, animated: false)
    }
}

/// The inspector of a filter, which comes from the storyboard. "All the inspector has to save here is a reference to
/// this filter object."
class FilterViewController: UIViewController {
    var filter: ImageFilter?
    let enabledSwitch = UISwitch()
    let intensitySlider = UISlider()

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(enabledSwitch)
        view.addSubview(intensitySlider)
        updateControls()
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)

        coder.encode(filter, forKey: "filter")
    }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)

        filter = coder.decodeObject(forKey: "filter") as? ImageFilter
    }

    override func applicationFinishedRestoringState() {
        updateControls()
    }

    func updateControls() {
        title = filter?.name
        enabledSwitch.isOn = filter?.isEnabled ?? false
        intensitySlider.value = Float(filter?.intensity ?? 0)
    }
}
