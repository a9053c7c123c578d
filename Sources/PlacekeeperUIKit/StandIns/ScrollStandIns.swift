#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import UIKit

    /// Represents a scroll view: its zoom scale, insets and offset (seed row 78).
    class ScrollStandIn: ViewStandIn {
        private var scroll: UIScrollView? { represented as? UIScrollView }
        /// The restored position, until restoration is complete: layout, and other objects that set the content, may
        /// move the content meanwhile.
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
            scroll?.layoutIfNeeded()
            show()
            restored = nil
            super.applicationFinishedRestoringState()
        }

        private func show() {
            if let restored, let scroll { restored.show(in: scroll) }
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
            if let offset { view.contentOffset = CGPoint(x: CGFloat(offset[0]), y: CGFloat(offset[1])) }
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
