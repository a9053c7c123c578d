/// Keys whose values change with the layout or when a list scrolls. A change to them does not mean that a person did
/// something in the app.
package enum LayoutKey {
    package static let scrollInset = "kScrollViewContentInsetKey"
    package static let scrollOffset = "kScrollViewContentOffsetKey"
    /// The scroll position, read from a view's public properties.
    package static let contentOffset = "contentOffset"

    package static let all: Set<String> = [
        scrollInset, scrollOffset, contentOffset, ListKey.firstVisible, ListKey.firstVisibleOffset,
        ListKey.firstVisibleFraction, ListKey.visible, ListKey.visibleOffsets, ListKey.viewport,
        ReservedKey.ignoresSnapshot,
        ReservedKey.shown,
    ]
}
