// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// How views get into a window, and what their view controllers learn of it.

extension UIView {
    /// The view controllers whose views are in this view, parents first. Containers that are about to appear add the
    /// views of their visible children first.
    func owners(appearing: Bool) -> [UIViewController] {
        if appearing { owner?.installContents() }
        return [owner].compactMap { $0 } + children.flatMap { $0.owners(appearing: appearing) }
    }

    static func move(_ view: UIView, to parent: UIView?, at index: Int?) {
        precondition(parent.map { !$0.isDescendant(of: view) } ?? true, "A view can't be in itself.")
        let (old, oldWindow, newWindow) = (view.superview, view.window, parent?.window)
        let (isShown, willBeShown) = (oldWindow?.isShown == true, newWindow?.isShown == true)
        let owners = isShown == willBeShown ? [] : view.owners(appearing: willBeShown)
        let changed = owners.filter { $0.begin(appearing: willBeShown) }

        if oldWindow !== newWindow {
            if let window = oldWindow { view.resignFirstResponder(in: window) }
            view.eachView { $0.willMove(toWindow: newWindow) }
        }
        view.willMove(toSuperview: parent)
        old?.willRemoveSubview(view)
        old?.children.removeAll { $0 === view }
        view.superview = parent
        if let parent {
            parent.children.insert(view, at: min(index ?? parent.children.count, parent.children.count))
            parent.didAddSubview(view)
            parent.setNeedsLayout()
        }
        view.didMoveToSuperview()
        if oldWindow !== newWindow { view.eachView { $0.didMoveToWindow() } }
        UIViewController.end(changed, in: newWindow)
    }

    private func eachView(_ body: (UIView) -> Void) {
        body(self)
        for view in children { view.eachView(body) }
    }

    /// UIKit takes the first responder's role from a view that leaves the window.
    private func resignFirstResponder(in window: UIWindow) {
        guard let first = window.firstResponder else { return }
        let view = first as? UIView ?? (first as? UIViewController)?.viewIfLoaded
        guard view?.isDescendant(of: self) == true else { return }
        _ = first.resignFirstResponder()
        if window.firstResponder === first { window.firstResponder = nil }
    }
}
