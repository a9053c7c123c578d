/// Where an element of a list stands at the moment.
public struct ElementIndexPath: Sendable, Hashable, Comparable {
    /// The section, from 0.
    public var section: Int
    /// The element's place in it, from 0.
    public var item: Int

    /// Names a place in a list.
    public init(section: Int = 0, item: Int) {
        self.section = section
        self.item = item
    }

    /// In the list's order.
    public static func < (left: Self, right: Self) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}
