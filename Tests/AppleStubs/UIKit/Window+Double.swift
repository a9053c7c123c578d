// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
extension UIWindow { public var double: UIWindowDouble { UIWindowDouble(window: self) } }

/// What a test does with a window.
@MainActor public struct UIWindowDouble {
    let window: UIWindow

    /// Touches a view. The recognizers of the view and of the views around it learn of the touch first.
    public func touch(_ view: UIView) {
        precondition(view.window === window, "The view isn't in this window.")
        let touch = UITouch()
        (touch.view, touch.window) = (view, window)
        var current: UIView? = view
        while let one = current {
            for recognizer in one.gestureRecognizers ?? [] { recognizer.receive(touch) }
            current = one.superview
        }
        guard view.isUserInteractionEnabled else { return }
        view.touchesBegan([touch], with: nil)
        view.touchesEnded([touch], with: nil)
    }

    /// The first responder.
    public var firstResponder: UIResponder? { window.firstResponder }

    /// Lays out the views, as UIKit does before it draws.
    public func layOut() { window.layoutIfNeeded() }
}
