import UIKit

/// Two versions of a photo side by side.
final class ComparisonViewController: UIViewController {
    let left = ComparisonSideViewController("Left")
    let right = ComparisonSideViewController("Right")

    init(title: String) {
        super.init(nibName: nil, bundle: nil)
        self.title = title
        restorationIdentifier = "Comparison"
        for side in [left, right] {
            addChild(side)
            side.didMove(toParent: self)
        }
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(left.view)
        view.addSubview(right.view)
    }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(left, forKey: "left")
        coder.encode(right, forKey: "right")
    }
}

/// One side of the comparison. The filters of both sides have the same identifier, so each filter has its side as its
/// restoration parent.
final class ComparisonSideViewController: UIViewController {
    private(set) var filter: PhotoFilter?
    private let label = UILabel()

    init(_ identifier: String) {
        super.init(nibName: nil, bundle: nil)
        restorationIdentifier = identifier
    }

    required init?(coder: NSCoder) { nil }

    override func viewDidLoad() {
        super.viewDidLoad()
        view.addSubview(label)
        updateLabel()
    }

    /// Applies the filter to this side.
    func apply(_ amount: Double) {
        let filter = PhotoFilter("Filter")
        filter.amount = amount
        use(filter)
        updateLabel()
    }

    private func use(_ filter: PhotoFilter) {
        self.filter = filter
        filter.restorationParent = self
        PhotosAppDelegate.register(filter)
    }

    private func updateLabel() { label.text = "\(restorationIdentifier ?? ""): \(filter?.caption ?? "no filter")" }

    override func encodeRestorableState(with coder: NSCoder) {
        super.encodeRestorableState(with: coder)
        coder.encode(filter, forKey: "filter")
    }

    override func decodeRestorableState(with coder: NSCoder) {
        super.decodeRestorableState(with: coder)
        if let filter = coder.decodeObject(forKey: "filter") as? PhotoFilter { use(filter) }
    }

    override func applicationFinishedRestoringState() { updateLabel() }
}
