/// The position of an element in a list: a section and an index within it.
public struct ElementIndexPath: Sendable, Hashable, Comparable {
    /// The section, counted from 0.
    public var section: Int
    /// The element's index in the section, counted from 0.
    public var item: Int

    /// Creates an index path.
    public init(section: Int = 0, item: Int) {
        self.section = section
        self.item = item
    }

    /// Returns whether `left` comes before `right` in the list.
    public static func < (left: Self, right: Self) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}
