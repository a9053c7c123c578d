// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

/// Where the delegate of a scroll view is declared, so that the subclasses can narrow its type as UIKit's do.
@MainActor public protocol UIScrollViewDelegating: UIScrollView {}
extension UIScrollViewDelegating {
    // uikit/uiscrollview/delegate
    public var delegate: (any UIScrollViewDelegate)? {
        get { scrollDelegate }
        set { scrollDelegate = newValue }
    }
}

// uikit/uiscrollviewdelegate. All members are optional in UIKit.
@MainActor public protocol UIScrollViewDelegate: NSObjectProtocol {
    func scrollViewDidScroll(_ scrollView: UIScrollView)
    func scrollViewDidZoom(_ scrollView: UIScrollView)
    func scrollViewWillBeginDragging(_ scrollView: UIScrollView)
    func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool)
    func scrollViewDidEndDecelerating(_ scrollView: UIScrollView)
    func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView)
    func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat)
    func viewForZooming(in scrollView: UIScrollView) -> UIView?
}
extension UIScrollViewDelegate {
    public func scrollViewDidScroll(_ scrollView: UIScrollView) {}
    public func scrollViewDidZoom(_ scrollView: UIScrollView) {}
    public func scrollViewWillBeginDragging(_ scrollView: UIScrollView) {}
    public func scrollViewDidEndDragging(_ scrollView: UIScrollView, willDecelerate decelerate: Bool) {}
    public func scrollViewDidEndDecelerating(_ scrollView: UIScrollView) {}
    public func scrollViewDidEndScrollingAnimation(_ scrollView: UIScrollView) {}
    public func scrollViewDidEndZooming(_ scrollView: UIScrollView, with view: UIView?, atScale scale: CGFloat) {}
    public func viewForZooming(in scrollView: UIScrollView) -> UIView? { nil }
}

// uikit/uiscrollview
@MainActor open class UIScrollView: UIView, UIScrollViewDelegating {
    weak var scrollDelegate: (any UIScrollViewDelegate)?

    open var contentSize: CGSize = .zero
    open var contentInset: UIEdgeInsets = .zero
    open var adjustedContentInset: UIEdgeInsets { contentInset }
    open var contentOffset: CGPoint {
        get { bounds.origin }
        set { bounds = CGRect(origin: newValue, size: bounds.size) }
    }
    open func setContentOffset(_ contentOffset: CGPoint, animated: Bool) {
        self.contentOffset = contentOffset
        if animated { scrollDelegate?.scrollViewDidEndScrollingAnimation(self) }
    }
    open override var bounds: CGRect {
        didSet {
            guard bounds.origin != oldValue.origin else { return }
            setNeedsLayout()
            scrollDelegate?.scrollViewDidScroll(self)
        }
    }
    open func scrollRectToVisible(_ rect: CGRect, animated: Bool) {
        var offset = contentOffset
        if rect.minX < bounds.minX { offset.x = rect.minX } else { offset.x += max(0, rect.maxX - bounds.maxX) }
        if rect.minY < bounds.minY { offset.y = rect.minY } else { offset.y += max(0, rect.maxY - bounds.maxY) }
        if offset != contentOffset { setContentOffset(offset, animated: animated) }
    }

    open var minimumZoomScale: CGFloat = 1
    open var maximumZoomScale: CGFloat = 1
    private var scale: CGFloat = 1
    open var zoomScale: CGFloat {
        get { scale }
        set {
            let clamped = max(minimumZoomScale, min(maximumZoomScale, newValue))
            // UIKit zooms nothing but the delegate's view. The double leaves the transform of that view alone.
            guard clamped != scale, scrollDelegate?.viewForZooming(in: self) != nil else { return }
            let factor = clamped / scale
            contentSize = CGSize(width: contentSize.width * factor, height: contentSize.height * factor)
            scale = clamped
            scrollDelegate?.scrollViewDidZoom(self)
        }
    }
    open func setZoomScale(_ scale: CGFloat, animated: Bool) { zoomScale = scale }

    open var isScrollEnabled = true
    open var isPagingEnabled = false
    open var bounces = true
    open var alwaysBounceVertical = false
    open var alwaysBounceHorizontal = false
    open var isTracking: Bool { false }
    open var isDragging: Bool { false }
    open var isDecelerating: Bool { false }
    open var showsVerticalScrollIndicator = true
    open var showsHorizontalScrollIndicator = true

    /// The largest offset, at which the end of the content is at the end of the view.
    var largestOffset: CGPoint {
        let inset = adjustedContentInset
        return CGPoint(
            x: max(-inset.left, contentSize.width + inset.right - bounds.width),
            y: max(-inset.top, contentSize.height + inset.bottom - bounds.height))
    }

    open override func encodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("encodeRestorableState(with:)", of: "UIScrollView", in: self)
    }
    open override func decodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("decodeRestorableState(with:)", of: "UIScrollView", in: self)
    }
}
