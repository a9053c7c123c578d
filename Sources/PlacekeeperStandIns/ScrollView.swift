import PlacekeeperArchive
public import PlacekeeperRuntime

/// A view that shows a part of larger content. The zoom scale, the inset and the offset are restored (seed row 78).
@MainActor
open class ScrollView: View {
    /// A position in the content, in points.
    public struct Offset: Sendable, Hashable {
        /// The distance from the left edge of the content.
        public var x: Double
        /// The distance from the top edge of the content.
        public var y: Double

        /// Creates an offset.
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

        /// Creates insets.
        public init(top: Double = 0, left: Double = 0, bottom: Double = 0, right: Double = 0) {
            self.top = top
            self.left = left
            self.bottom = bottom
            self.right = right
        }
    }

    /// The position in the content at the top left corner of the view.
    public final var contentOffset = Offset()
    /// The space around the content.
    public final var contentInset = Insets()
    /// The scale of the content, within `zoomRange`. At scale 1, the content has its original size.
    public final var zoomScale = 1.0 {
        didSet {
            awaitedScale = nil
            zoomScale = zoomScale.isFinite ? min(max(zoomScale, zoomRange.lowerBound), zoomRange.upperBound) : oldValue
        }
    }
    /// The range of the zoom scale. By default, the content can't be zoomed.
    public final var zoomRange = 1.0...1.0 {
        didSet { showScale(awaitedScale ?? zoomScale) }
    }
    /// The saved scale, if `zoomRange` does not allow it yet, for example because the image is not loaded.
    private var awaitedScale: Double?

    private func showScale(_ scale: Double) {
        zoomScale = min(max(scale, zoomRange.lowerBound), zoomRange.upperBound)
        if zoomScale != scale { awaitedScale = scale }
    }

    open override func encodeRestorableState(with coder: StateEncoder) {
        let position = ScrollPosition(
            scale: awaitedScale ?? zoomScale,
            insets: [contentInset.top, contentInset.left, contentInset.bottom, contentInset.right],
            offset: [contentOffset.x, contentOffset.y])
        position.encode(with: coder)
    }

    open override func decodeRestorableState(with coder: StateDecoder) throws {
        let position = ScrollPosition(coder)
        if let scale = position.scale { showScale(scale) }
        if let inset = position.insets {
            contentInset = Insets(top: inset[0], left: inset[1], bottom: inset[2], right: inset[3])
        }
        if let offset = position.offset { contentOffset = Offset(x: offset[0], y: offset[1]) }
    }
}
