// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uiview
@MainActor open class UIView: UIResponder, @preconcurrency NSCoding {
    // uikit/uiview/autoresizingmask-swift.struct
    public struct AutoresizingMask: OptionSet, Sendable {
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public let rawValue: UInt
        public static let flexibleLeftMargin = AutoresizingMask(rawValue: 1)
        public static let flexibleWidth = AutoresizingMask(rawValue: 2)
        public static let flexibleRightMargin = AutoresizingMask(rawValue: 4)
        public static let flexibleTopMargin = AutoresizingMask(rawValue: 8)
        public static let flexibleHeight = AutoresizingMask(rawValue: 16)
        public static let flexibleBottomMargin = AutoresizingMask(rawValue: 32)
    }
    // uikit/uiview/contentmode-swift.enum
    public enum ContentMode: Int, Sendable {
        case scaleToFill = 0
        case scaleAspectFit = 1
        case scaleAspectFill = 2
        case redraw = 3
        case center = 4
    }

    public init(frame: CGRect) {
        super.init()
        self.frame = frame
    }
    public required init?(coder: NSCoder) { super.init() }
    public convenience override init() { self.init(frame: .zero) }
    open func encode(with coder: NSCoder) {}

    // MARK: Geometry

    open var frame: CGRect {
        get {
            guard transform.isIdentity else { return boundingFrame }
            let origin = CGPoint(x: center.x - bounds.width / 2, y: center.y - bounds.height / 2)
            return CGRect(origin: origin, size: bounds.size)
        }
        set {
            center = CGPoint(x: newValue.origin.x + newValue.width / 2, y: newValue.origin.y + newValue.height / 2)
            bounds = CGRect(origin: bounds.origin, size: newValue.size)
        }
    }
    open var bounds: CGRect = .zero {
        didSet {
            guard bounds.size != oldValue.size else { return }
            for view in subviews { view.resize(from: oldValue.size, to: bounds.size) }
            setNeedsLayout()
        }
    }
    open var center: CGPoint = .zero
    open var transform: CGAffineTransform = .identity
    open var autoresizingMask: AutoresizingMask = []
    open var autoresizesSubviews = true
    open var translatesAutoresizingMaskIntoConstraints = true
    open var contentMode: ContentMode = .scaleToFill
    open var safeAreaInsets: UIEdgeInsets { .zero }
    open var traitCollection: UITraitCollection { window?.traitCollection ?? .ofDevice }
    open func traitCollectionDidChange(_ previousTraitCollection: UITraitCollection?) {}

    private var boundingFrame: CGRect {
        let (width, height) = (bounds.width / 2, bounds.height / 2)
        let corners = [(-width, -height), (width, -height), (-width, height), (width, height)].map {
            CGPoint(x: $0.0, y: $0.1).applying(transform)
        }
        let (left, right) = (corners.map(\.x).min() ?? 0, corners.map(\.x).max() ?? 0)
        let (top, bottom) = (corners.map(\.y).min() ?? 0, corners.map(\.y).max() ?? 0)
        return CGRect(x: center.x + left, y: center.y + top, width: right - left, height: bottom - top)
    }

    private func resize(from old: CGSize, to new: CGSize) {
        guard let superview, superview.autoresizesSubviews else { return }
        var frame = frame
        if autoresizingMask.contains(.flexibleWidth) { frame.size.width += new.width - old.width }
        if autoresizingMask.contains(.flexibleHeight) { frame.size.height += new.height - old.height }
        if frame != self.frame { self.frame = frame }
    }

    open func convert(_ point: CGPoint, to view: UIView?) -> CGPoint {
        let inRoot = pointInRoot(point)
        guard let origin = view?.pointInRoot(.zero) else { return inRoot }
        return CGPoint(x: inRoot.x - origin.x, y: inRoot.y - origin.y)
    }
    open func convert(_ rect: CGRect, to view: UIView?) -> CGRect {
        CGRect(origin: convert(rect.origin, to: view), size: rect.size)
    }
    private func pointInRoot(_ point: CGPoint) -> CGPoint {
        guard let superview else { return point }
        return superview.pointInRoot(
            CGPoint(x: point.x - bounds.origin.x + frame.origin.x, y: point.y - bounds.origin.y + frame.origin.y))
    }
    open func sizeToFit() {}
    open func sizeThatFits(_ size: CGSize) -> CGSize { bounds.size }

    // MARK: Hierarchy

    open internal(set) weak var superview: UIView?
    open var subviews: [UIView] { children }
    var children: [UIView] = []
    open var window: UIWindow? { self as? UIWindow ?? superview?.window }
    /// The view controller whose view this is.
    weak var owner: UIViewController?

    open func addSubview(_ view: UIView) { insert(view, at: nil) }
    open func insertSubview(_ view: UIView, at index: Int) { insert(view, at: index) }
    open func insertSubview(_ view: UIView, aboveSubview siblingSubview: UIView) {
        insert(view, at: children.firstIndex { $0 === siblingSubview }.map { $0 + 1 })
    }
    open func insertSubview(_ view: UIView, belowSubview siblingSubview: UIView) {
        insert(view, at: children.firstIndex { $0 === siblingSubview })
    }
    open func bringSubviewToFront(_ view: UIView) { reorder(view, to: children.count - 1) }
    open func sendSubviewToBack(_ view: UIView) { reorder(view, to: 0) }
    open func removeFromSuperview() { if superview != nil { UIView.move(self, to: nil, at: nil) } }
    open func isDescendant(of view: UIView) -> Bool {
        view === self || superview?.isDescendant(of: view) == true
    }
    open func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        for view in children { if let found = view.viewWithTag(tag) { return found } }
        return nil
    }

    open func didAddSubview(_ subview: UIView) {}
    open func willRemoveSubview(_ subview: UIView) {}
    open func willMove(toSuperview newSuperview: UIView?) {}
    open func didMoveToSuperview() {}
    open func willMove(toWindow newWindow: UIWindow?) {}
    open func didMoveToWindow() {}

    private func insert(_ view: UIView, at index: Int?) {
        if view.superview === self, index == nil { return reorder(view, to: children.count - 1) }
        UIView.move(view, to: self, at: index)
    }
    private func reorder(_ view: UIView, to index: Int) {
        guard let old = children.firstIndex(where: { $0 === view }) else { return }
        children.insert(children.remove(at: old), at: index)
    }

    // MARK: Layout

    private(set) var needsLayout = true
    open func setNeedsLayout() { needsLayout = true }
    open func setNeedsDisplay() {}
    open func setNeedsUpdateConstraints() {}
    open func layoutSubviews() {}
    open func layoutIfNeeded() {
        if needsLayout {
            needsLayout = false
            owner?.viewWillLayoutSubviews()
            layoutSubviews()
            owner?.viewDidLayoutSubviews()
        }
        for view in children { view.layoutIfNeeded() }
    }

    // MARK: Appearance and touches

    open var isHidden = false
    open var alpha: CGFloat = 1
    open var isOpaque = true
    open var clipsToBounds = false
    open var tag = 0
    open var backgroundColor: UIColor?
    open var tintColor: UIColor!
    open var isUserInteractionEnabled = true
    open var accessibilityIdentifier: String?
    open var accessibilityLabel: String?
    open var isAccessibilityElement = false
    open var gestureRecognizers: [UIGestureRecognizer]?
    open func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        gestureRecognizers = (gestureRecognizers ?? []) + [gestureRecognizer]
        gestureRecognizer.view = self
    }
    open func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        gestureRecognizers?.removeAll { $0 === gestureRecognizer }
        if gestureRecognizer.view === self { gestureRecognizer.view = nil }
    }
    @discardableResult
    open func endEditing(_ force: Bool) -> Bool {
        guard let first = window?.firstResponder as? UIView, first.isDescendant(of: self) else { return false }
        return first.resignFirstResponder()
    }

    open override var next: UIResponder? { owner ?? superview }
    override var windowOfResponder: UIWindow? { window }

    // uikit/uiview/animate(withduration:animations:completion:): no time passes.
    public class func animate(
        withDuration duration: TimeInterval, animations: () -> Void, completion: ((Bool) -> Void)? = nil
    ) {
        animations()
        completion?(true)
    }
    public class func performWithoutAnimation(_ actionsWithoutAnimation: () -> Void) { actionsWithoutAnimation() }

    // MARK: State restoration

    open var restorationIdentifier: String?
    open func encodeRestorableState(with coder: NSCoder) {}
    open func decodeRestorableState(with coder: NSCoder) {}
}
