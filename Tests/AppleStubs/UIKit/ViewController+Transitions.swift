// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
import Foundation

/// Where a view controller is between two appearances.
enum Appearance {
    case gone
    case coming
    case shown
    case going
}

extension UIViewController {
    /// Begins an appearance or a disappearance. False if there is nothing to begin.
    func begin(appearing: Bool) -> Bool {
        switch (appearance, appearing) {
        case (.gone, true), (.going, true):
            appearance = .coming
            viewWillAppear(false)
        case (.shown, false), (.coming, false):
            appearance = .going
            viewWillDisappear(false)
        default:
            return false
        }
        return true
    }

    func end() {
        switch appearance {
        case .coming:
            appearance = .shown
            viewDidAppear(false)
        case .going:
            appearance = .gone
            viewDidDisappear(false)
        default:
            break
        }
    }

    static func end(_ controllers: [UIViewController], in window: UIWindow?) {
        guard !controllers.isEmpty else { return }
        for controller in controllers where controller.appearance == .coming { controller.viewIsAppearing(false) }
        window?.layoutIfNeeded()
        for controller in controllers { controller.end() }
    }

    /// Whether the view is in a shown window.
    var isOnScreen: Bool { viewIfLoaded?.window?.isShown == true }

    /// Exchanges the views of two children of this container, or of two controllers of a presentation.
    func exchange(_ old: [UIViewController], for new: [UIViewController], in container: UIView) {
        let old = old.filter { one in one.viewIfLoaded?.superview != nil && !new.contains { $0 === one } }
        guard container.window?.isShown == true else {
            for controller in old { controller.viewIfLoaded?.removeFromSuperview() }
            // Before the window's scene is in the foreground, a presented view is in the window and hasn't appeared.
            if (container as? UIWindow)?.isVisible == true { for controller in new { controller.place(in: container) } }
            return
        }
        for controller in new { controller.loadViewIfNeeded() }
        let appearing = new.flatMap { $0.view.owners(appearing: true) }
        let leaving = old.flatMap { $0.view.owners(appearing: false) }.filter { $0.begin(appearing: false) }
        let coming = appearing.filter { $0.begin(appearing: true) }
        for controller in old { controller.view.removeFromSuperview() }
        for controller in new { controller.place(in: container) }
        UIViewController.end(leaving + coming, in: container.window)
    }

    /// Adds the view to its container.
    func place(in container: UIView) {
        guard view.superview !== container else { return }
        view.frame = CGRect(origin: .zero, size: container.bounds.size)
        container.addSubview(view)
    }
}

// MARK: Presentation

extension UIViewController {
    /// Whether the presenter's view leaves the window.
    var hidesPresenter: Bool { [.fullScreen, .currentContext].contains(modalPresentationStyle) }

    /// The controller that presents in the end: the root of the containers, or one that defines a context.
    private func presenter(for style: UIModalPresentationStyle) -> UIViewController {
        var current = self
        let isInContext = [.currentContext, .overCurrentContext].contains(style)
        while let parent = current.parent, !(isInContext && current.definesPresentationContext) { current = parent }
        return current
    }

    func presentNow(_ controller: UIViewController, _ completion: (() -> Void)?) {
        let presenter = presenter(for: controller.modalPresentationStyle)
        guard let window = viewIfLoaded?.window, window.isVisible else {
            return complain("The view of \(type(of: self)) is in no window, so that it presents nothing.")
        }
        guard presentedViewController == nil, presenter.presentedByThis == nil else {
            return complain("\(type(of: presenter)) is already presenting.")
        }
        precondition(controller.parent == nil && controller.presenter == nil, "The controller is shown already.")
        presenter.presentedByThis = controller
        controller.presenter = presenter
        controller.isBeingPresented = true
        let hidden = controller.hidesPresenter ? [presenter] : []
        let place = presenter.viewIfLoaded?.superview ?? window
        presenter.exchange(hidden, for: [controller], in: place)
        controller.isBeingPresented = false
        completion?()
    }

    func dismissNow(_ completion: (() -> Void)?) {
        var current: UIViewController? = self
        while let one = current, one.presentedByThis == nil { current = one.parent }
        guard let presenter = current ?? presentingViewController else { return }
        presenter.dismissPresented()
        completion?()
    }

    /// Removes what this controller presents, and everything above.
    private func dismissPresented() {
        guard let top = presentedByThis, let place = top.viewIfLoaded?.superview ?? viewIfLoaded?.superview else {
            return dismissAll()
        }
        var chain = [top]
        while let next = chain.last?.presentedByThis { chain.append(next) }
        for controller in chain { controller.isBeingDismissed = true }
        exchange(chain.reversed(), for: top.hidesPresenter ? [self] : [], in: place)
        forget(chain)
    }

    /// Removes what is presented over this controller, when its window gets another root.
    func dismissAll() {
        var chain: [UIViewController] = []
        while let next = (chain.last ?? self).presentedByThis { chain.append(next) }
        for controller in chain.reversed() { controller.viewIfLoaded?.removeFromSuperview() }
        forget(chain)
    }

    private func forget(_ chain: [UIViewController]) {
        for controller in chain {
            controller.isBeingDismissed = false
            controller.presenter?.presentedByThis = nil
            controller.presenter = nil
        }
    }

    private func complain(_ text: String) {
        FileHandle.standardError.write(Data(("UIKit: " + text + "\n").utf8))
    }
}
