/// The keys of an object's state that change with the layout or with a scroll. They do not tell whether a person has
/// worked.
package enum LayoutKey {
    package static let scrollInset = "kScrollViewContentInsetKey"
    package static let scrollOffset = "kScrollViewContentOffsetKey"
    /// The scroll position that is read from a view's public properties.
    package static let contentOffset = "contentOffset"

    package static let all: Set<String> = [
        scrollInset, scrollOffset, contentOffset, ListKey.firstVisible, ListKey.firstVisibleOffset,
        ListKey.firstVisibleFraction, ListKey.visible, ListKey.visibleOffsets, ReservedKey.ignoresSnapshot,
        ReservedKey.shown,
    ]
}
