/// Keys whose values change with the layout or when a list scrolls. A change to them does not mean that a person did
/// something in the app.
package enum LayoutKey {
    package static let scrollInset = "kScrollViewContentInsetKey"
    package static let scrollOffset = "kScrollViewContentOffsetKey"
    /// The scroll position, read from a view's public properties.
    package static let contentOffset = "contentOffset"

    /// True if the system must not show its snapshot at the next launch. The key is absent if it may.
    package static let ignoresSnapshot = "kIgnoreSnapshotKey"
    /// References to the view controllers visible in the system's snapshot.
    package static let shown = "kShownViewControllersKey"

    package static let all: Set<String> = [
        scrollInset, scrollOffset, contentOffset, ListKey.firstVisible, ListKey.firstVisibleOffset,
        ListKey.firstVisibleFraction, ListKey.visible, ListKey.visibleOffsets, ListKey.viewport,
        ignoresSnapshot, shown,
    ]
}

package enum ListKey {
    package static let selection = "kListSelectedElementsKey"
    package static let firstVisible = "kListFirstVisibleElementKey"
    package static let firstVisibleFraction = "kListFirstVisibleFractionKey"
    package static let firstVisibleOffset = "kListFirstVisibleOffsetKey"
    package static let visible = "kListVisibleElementsKey"
    package static let visibleOffsets = "kListVisibleOffsetsKey"
    package static let viewport = "kListViewportKey"
}
