/// The zoom scale, the insets and the offset of a scroll view, as its state (seed row 78). A part is nil if it was not
/// saved.
package struct ScrollPosition: Sendable, Equatable {
    /// The scale of the content.
    package var scale: Double?
    /// The space around the content, in points: top, left, bottom and right.
    package var insets: [Double]?
    /// The position in the content, in points: x and y.
    package var offset: [Double]?

    /// Creates a position.
    package init(scale: Double, insets: [Double], offset: [Double]) {
        (self.scale, self.insets, self.offset) = (scale, insets, offset)
    }

    /// Reads a saved position. An archive from another program may contain other numbers, which are ignored.
    @MainActor
    package init(_ coder: StateDecoder) {
        func numbers(_ count: Int, _ key: String) -> [Double]? {
            let numbers = coder.decode([Double].self, forKey: key)
            return numbers?.count == count && numbers?.allSatisfy(Self.isPosition) == true ? numbers : nil
        }
        scale = coder.decode(Double.self, forKey: Self.scaleKey).flatMap { Self.isScale($0) ? $0 : nil }
        insets = numbers(4, LayoutKey.scrollInset)
        offset = numbers(2, LayoutKey.scrollOffset)
    }

    /// Saves the position.
    @MainActor
    package func encode(with coder: StateEncoder) {
        coder.encode(scale, forKey: Self.scaleKey)
        coder.encode(insets, forKey: LayoutKey.scrollInset)
        coder.encode(offset, forKey: LayoutKey.scrollOffset)
    }

    /// Whether a number can be a position or an inset, in points. A layout with larger numbers ends the process on Apple's
    /// systems.
    package static func isPosition(_ number: Double) -> Bool { abs(number) <= 1e7 }
    /// Whether a number can be the scale of a content.
    package static func isScale(_ number: Double) -> Bool { (1e-4...1e4).contains(number) }

    private static let scaleKey = "kScrollViewZoomScaleKey"
}
