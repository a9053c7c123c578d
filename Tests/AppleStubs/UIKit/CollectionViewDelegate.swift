// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uicollectionviewdatasource
@MainActor public protocol UICollectionViewDataSource: NSObjectProtocol {
    func collectionView(_ collectionView: UICollectionView, numberOfItemsInSection section: Int) -> Int
    func collectionView(
        _ collectionView: UICollectionView, cellForItemAt indexPath: IndexPath
    ) -> UICollectionViewCell
    func numberOfSections(in collectionView: UICollectionView) -> Int
}
extension UICollectionViewDataSource {
    public func numberOfSections(in collectionView: UICollectionView) -> Int { 1 }
}

// uikit/uicollectionviewdelegate
@MainActor public protocol UICollectionViewDelegate: UIScrollViewDelegate {
    func collectionView(_ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath) -> Bool
    func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath)
    func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath)
}
extension UICollectionViewDelegate {
    public func collectionView(
        _ collectionView: UICollectionView, shouldSelectItemAt indexPath: IndexPath
    ) -> Bool { true }
    public func collectionView(_ collectionView: UICollectionView, didSelectItemAt indexPath: IndexPath) {}
    public func collectionView(_ collectionView: UICollectionView, didDeselectItemAt indexPath: IndexPath) {}
}

// uikit/uicollectionviewdelegateflowlayout
@MainActor public protocol UICollectionViewDelegateFlowLayout: UICollectionViewDelegate {
    func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
    ) -> CGSize
}
extension UICollectionViewDelegateFlowLayout {
    public func collectionView(
        _ collectionView: UICollectionView, layout collectionViewLayout: UICollectionViewLayout,
        sizeForItemAt indexPath: IndexPath
    ) -> CGSize {
        (collectionViewLayout as? UICollectionViewFlowLayout)?.itemSize ?? .zero
    }
}

// uikit/uicollectionreusableview, uikit/uicollectionviewcell
@MainActor open class UICollectionReusableView: UIView {
    open internal(set) var reuseIdentifier: String?
    open func prepareForReuse() {}
}
@MainActor open class UICollectionViewCell: UICollectionReusableView {
    open private(set) lazy var contentView: UIView = makeContent()
    open var isSelected = false
    open var isHighlighted = false
    open var backgroundView: UIView?
    open var selectedBackgroundView: UIView?
    private func makeContent() -> UIView {
        let view = UIView(frame: bounds)
        view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        addSubview(view)
        return view
    }
}

// uikit/uicollectionviewlayoutattributes
@MainActor open class UICollectionViewLayoutAttributes: NSObject {
    public convenience init(forCellWith indexPath: IndexPath) {
        self.init()
        self.indexPath = indexPath
    }
    open var indexPath = IndexPath(item: 0, section: 0)
    open var frame: CGRect = .zero
    open var bounds: CGRect { CGRect(origin: .zero, size: frame.size) }
    open var size: CGSize { frame.size }
    open var center: CGPoint { CGPoint(x: frame.midX, y: frame.midY) }
    open var alpha: CGFloat = 1
    open var isHidden = false
}

// uikit/uicollectionviewlayout
@MainActor open class UICollectionViewLayout: NSObject {
    open internal(set) weak var collectionView: UICollectionView?
    open var collectionViewContentSize: CGSize { .zero }
    open func prepare() {}
    open func invalidateLayout() {
        collectionView?.layoutIsPrepared = false
        collectionView?.setNeedsLayout()
    }
    open func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? { nil }
    open func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? { nil }
}

// uikit/uicollectionview/scrolldirection
extension UICollectionView {
    public enum ScrollDirection: Int, Sendable {
        case vertical = 0
        case horizontal = 1
    }
}

// uikit/uicollectionviewflowlayout: lines of items of one size. UIKit starts with 50 × 50; the double with 100 × 100.
@MainActor open class UICollectionViewFlowLayout: UICollectionViewLayout {
    open var itemSize = CGSize(width: 100, height: 100) { didSet { invalidateLayout() } }
    open var estimatedItemSize: CGSize = .zero
    open var minimumLineSpacing: CGFloat = 10 { didSet { invalidateLayout() } }
    open var minimumInteritemSpacing: CGFloat = 10 { didSet { invalidateLayout() } }
    open var sectionInset: UIEdgeInsets = .zero { didSet { invalidateLayout() } }
    open var headerReferenceSize: CGSize = .zero
    open var scrollDirection: UICollectionView.ScrollDirection = .vertical { didSet { invalidateLayout() } }
    private var frames: [[CGRect]] = []
    private var size: CGSize = .zero

    open override var collectionViewContentSize: CGSize { size }
    open override func prepare() {
        frames = []
        size = .zero
        guard let view = collectionView else { return }
        let isVertical = scrollDirection == .vertical
        let inset = sectionInset
        let breadth =
            isVertical
            ? view.bounds.width - inset.left - inset.right : view.bounds.height - inset.top - inset.bottom
        var along: CGFloat = 0
        for section in 0..<view.numberOfSections {
            let count = view.numberOfItems(inSection: section)
            let sizes = (0..<count).map { size(of: IndexPath(item: $0, section: section), in: view) }
            let (first, start) = isVertical ? (inset.top, inset.left) : (inset.left, inset.top)
            var across: CGFloat = 0
            var thickness: CGFloat = 0
            var found: [CGRect] = []
            along += first
            for item in sizes {
                let (length, depth) = isVertical ? (item.width, item.height) : (item.height, item.width)
                if across > 0, across + length > breadth {
                    along += thickness + minimumLineSpacing
                    (across, thickness) = (0, 0)
                }
                let (x, y) = isVertical ? (start + across, along) : (along, start + across)
                found.append(CGRect(x: x, y: y, width: item.width, height: item.height))
                across += length + minimumInteritemSpacing
                thickness = max(thickness, depth)
            }
            along += thickness + (isVertical ? inset.bottom : inset.right)
            frames.append(found)
        }
        let (width, height) = (view.bounds.width, view.bounds.height)
        size = isVertical ? CGSize(width: width, height: along) : CGSize(width: along, height: height)
    }
    private func size(of path: IndexPath, in view: UICollectionView) -> CGSize {
        let delegate = view.delegate as? any UICollectionViewDelegateFlowLayout
        return delegate?.collectionView(view, layout: self, sizeForItemAt: path) ?? itemSize
    }
    open override func layoutAttributesForItem(at indexPath: IndexPath) -> UICollectionViewLayoutAttributes? {
        collectionView?.prepareLayout()
        guard frames.indices.contains(indexPath.section), frames[indexPath.section].indices.contains(indexPath.item)
        else { return nil }
        let attributes = UICollectionViewLayoutAttributes(forCellWith: indexPath)
        attributes.frame = frames[indexPath.section][indexPath.item]
        return attributes
    }
    open override func layoutAttributesForElements(in rect: CGRect) -> [UICollectionViewLayoutAttributes]? {
        collectionView?.prepareLayout()
        return frames.indices.flatMap { section in
            frames[section].indices.compactMap { item in
                frames[section][item].intersects(rect)
                    ? layoutAttributesForItem(at: IndexPath(item: item, section: section)) : nil
            }
        }
    }
}
