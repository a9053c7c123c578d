#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import UIKit

    /// Represents a scroll view: its zoom scale, insets and offset (seed row 78).
    class ScrollStandIn: ViewStandIn {
        private var scroll: UIScrollView? { represented as? UIScrollView }
        /// The restored position, until the window is visible: layout, and other objects that set the content, may move
        /// the content meanwhile.
        private var restored: ScrollPosition?

        override func encodeRestorableState(with coder: StateEncoder) {
            if let scroll { ScrollPosition(scroll).encode(with: coder) }
            super.encodeRestorableState(with: coder)
        }

        override func decodeRestorableState(with coder: StateDecoder) throws {
            restored = ScrollPosition(coder)
            show()
            try super.decodeRestorableState(with: coder)
        }

        override func applicationFinishedRestoringState() {
            show()
            Made.current?.whenActive { [weak self] in
                self?.show()
                self?.restored = nil
            }
            super.applicationFinishedRestoringState()
        }

        private func show() {
            guard let restored, let scroll else { return }
            scroll.layoutIfNeeded()
            restored.show(in: scroll)
        }
    }

    extension ScrollPosition {
        @MainActor
        fileprivate init(_ view: UIScrollView) {
            let (offset, inset) = (view.contentOffset, view.contentInset)
            self.init(
                scale: Double(view.zoomScale),
                insets: [inset.top, inset.left, inset.bottom, inset.right].map { Double($0) },
                offset: [offset.x, offset.y].map { Double($0) })
        }

        @MainActor
        fileprivate func show(in view: UIScrollView) {
            if let scale, view.zoomScale != CGFloat(scale) { view.zoomScale = CGFloat(scale) }
            if let insets { view.contentInset = UIEdgeInsets(insets) }
            if let offset { view.scroll(to: CGPoint(x: CGFloat(offset[0]), y: CGFloat(offset[1]))) }
        }
    }

    extension UIScrollView {
        /// Scrolls to a point, but not beyond the content: the content may be shorter here, or the view higher. Before the
        /// content has a size, the point counts.
        func scroll(to point: CGPoint) {
            let inset = adjustedContentInset
            func limited(_ value: CGFloat, _ start: CGFloat, _ end: CGFloat, _ length: CGFloat, of content: CGFloat)
                -> CGFloat
            {
                content > 0 ? max(-start, min(value, content + end - length)) : value
            }
            contentOffset = CGPoint(
                x: limited(point.x, inset.left, inset.right, bounds.width, of: contentSize.width),
                y: limited(point.y, inset.top, inset.bottom, bounds.height, of: contentSize.height))
        }
    }

    extension UIEdgeInsets {
        /// Creates insets from four numbers: top, left, bottom and right.
        init(_ numbers: [Double]) {
            self.init(
                top: CGFloat(numbers[0]), left: CGFloat(numbers[1]), bottom: CGFloat(numbers[2]),
                right: CGFloat(numbers[3]))
        }
    }
#endif
