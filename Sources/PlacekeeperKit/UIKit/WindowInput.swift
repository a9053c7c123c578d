#if canImport(UIKit) && !os(watchOS)
    package import UIKit

    /// Reports each touch and press in a window, without changing them.
    ///
    /// A recognizer of the window asks this object about each touch. It refuses them all, so nothing is recognized, and
    /// each touch goes on to its view.
    /// https://developer.apple.com/documentation/uikit/uigesturerecognizerdelegate/gesturerecognizer(_:shouldreceive:)-1h84b
    @MainActor
    package final class WindowInput: NSObject, UIGestureRecognizerDelegate {
        private let report: @MainActor () -> Void
        private lazy var recognizer = UITapGestureRecognizer(target: nil, action: nil)

        package init(_ report: @escaping @MainActor () -> Void) { self.report = report }

        /// Observes a window instead of the one before. Nil to observe none.
        package func observe(_ window: UIWindow?) {
            recognizer.delegate = self
            recognizer.view?.removeGestureRecognizer(recognizer)
            window?.addGestureRecognizer(recognizer)
        }

        package func gestureRecognizer(
            _ gestureRecognizer: UIGestureRecognizer, shouldReceive touch: UITouch
        ) -> Bool {
            report()
            return false
        }

        package func gestureRecognizer(
            _ gestureRecognizer: UIGestureRecognizer, shouldReceive press: UIPress
        ) -> Bool {
            report()
            return false
        }
    }
#endif
