import KeyedArchive
public import StateRestoration

/// Shows a part of something larger. The part that a person chose comes back: zoom scale, inset and offset (row 78).
@MainActor
open class ScrollView: View {
    /// A point of the content, in points.
    public struct Offset: Sendable, Hashable {
        /// From the left.
        public var x: Double
        /// From the top.
        public var y: Double

        /// Makes an offset.
        public init(x: Double = 0, y: Double = 0) {
            self.x = x
            self.y = y
        }
    }

    /// Space at the four edges, in points.
    public struct Insets: Sendable, Hashable {
        /// Space at the top.
        public var top: Double
        /// Space at the left.
        public var left: Double
        /// Space at the bottom.
        public var bottom: Double
        /// Space at the right.
        public var right: Double

        /// Makes insets.
        public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
            self.top = top
            self.left = left
            self.bottom = bottom
            self.right = right
        }
    }

    /// The point of the content that is shown at the view's own origin.
    public final var contentOffset = Offset()
    /// The space around the content.
    public final var contentInset = Insets()
    /// How many times its own size the content is shown at, within `zoomRange`.
    public final var zoomScale = 1.0 {
        didSet {
            zoomScale = zoomScale.isFinite ? min(max(zoomScale, zoomRange.lowerBound), zoomRange.upperBound) : oldValue
        }
    }
    /// How far the content can be zoomed. By default it cannot.
    public final var zoomRange = 1.0...1.0 {
        didSet { zoomScale = min(max(zoomScale, zoomRange.lowerBound), zoomRange.upperBound) }
    }

    open override func encodeRestorableState(with coder: StateEncoder) {
        coder.encode(zoomScale, forKey: ScrollKey.zoomScale)
        coder.encode(
            [contentInset.top, contentInset.left, contentInset.bottom, contentInset.right], forKey: ScrollKey.inset)
        coder.encode([contentOffset.x, contentOffset.y], forKey: ScrollKey.offset)
    }

    open override func decodeRestorableState(with coder: StateDecoder) throws {
        /// Archives may come from anywhere, and hold other numbers than these.
        func numbers(_ count: Int, _ key: String) -> [Double]? {
            let numbers = coder.decode([Double].self, forKey: key)
            return numbers?.count == count && numbers?.allSatisfy(\.isFinite) == true ? numbers : nil
        }
        if let scale = coder.decode(Double.self, forKey: ScrollKey.zoomScale) { zoomScale = scale }
        if let inset = numbers(4, ScrollKey.inset) {
            contentInset = Insets(top: inset[0], left: inset[1], bottom: inset[2], right: inset[3])
        }
        if let offset = numbers(2, ScrollKey.offset) { contentOffset = Offset(x: offset[0], y: offset[1]) }
    }
}

private enum ScrollKey {
    static let zoomScale = "kScrollViewZoomScaleKey"
    static let inset = "kScrollViewContentInsetKey"
    static let offset = "kScrollViewContentOffsetKey"
}
