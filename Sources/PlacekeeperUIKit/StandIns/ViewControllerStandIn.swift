#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import UIKit

    /// Represents a view controller. Custom containers need no further code: their children are restored like other
    /// objects, and a container that changes its children saves references to them.
    @MainActor
    class ViewControllerStandIn: StandIn, RestorableViewController {
        final var controller: UIViewController? { represented as? UIViewController }

        /// A restore loads views, because an identifier may be set in `viewDidLoad`. A save does not: a screen that was
        /// never shown has no state.
        final func loadViewIfNeeded() { if Made.current != nil { controller?.loadViewIfNeeded() } }

        override var restorationIdentifier: String? { controller?.restorationIdentifier }
        override var restorationClass: (any RestorationClass.Type)? {
            controller?.restorationClass.map { AppRestorationClasses.of($0) }
        }
        final var storyboardOrigin: StoryboardOrigin? { controller.flatMap { AppStoryboards.origin(of: $0) } }

        /// The container, the screen below a modal screen, or the window.
        override var restorationParent: (any StateRestoring)? {
            if let container = controller?.parent { return StandIns.of(container) }
            if let presenting = controller?.presentingViewController { return StandIns.of(Self.screen(in: presenting)) }
            return restorableWindow
        }
        final var restorableWindow: (any RestorableView)? {
            guard let window = controller?.viewIfLoaded?.window, window.rootViewController === controller else {
                return nil
            }
            return StandIns.of(window)
        }

        /// A view with the identifier of a child has the same path, so it isn't saved.
        final var restorableViews: [any RestorableView] {
            guard let view = controller?.viewIfLoaded else { return [] }
            let taken = Set(restorableChildren.compactMap(\.restorationIdentifier))
            let views = NamedViews.first(from: view)
            return taken.isEmpty ? views : views.filter { !taken.contains($0.restorationIdentifier ?? "") }
        }

        /// UIKit presents from the outermost container, and each view controller in it answers the same. Here, the
        /// visible screen presents: without it, its modal screen isn't restored.
        /// https://developer.apple.com/documentation/uikit/uiviewcontroller/presentingviewcontroller
        final var restorablePresented: (any RestorableViewController)? {
            guard let presented = controller?.presentedViewController, !presented.isBeingDismissed,
                let presenting = presented.presentingViewController, Self.screen(in: presenting) === controller
            else { return nil }
            return StandIns.of(presented)
        }

        /// Returns the visible screen of a container, at any depth.
        private static func screen(in container: UIViewController) -> UIViewController {
            var screen = container
            while let next = shown(in: screen) { screen = next }
            return screen
        }

        private static func shown(in controller: UIViewController) -> UIViewController? {
            switch controller {
            case let stack as UINavigationController: stack.topViewController
            case let tabs as UITabBarController: tabs.selectedViewController
            case let split as UISplitViewController: split.viewControllers.last
            default: nil
            }
        }

        final func restorePresented(_ presented: any RestorableViewController) {
            // UIKit raises an exception for a view controller that is presented, or is in a container.
            guard let presented = (presented as? ViewControllerStandIn)?.controller, presented.parent == nil,
                presented.presentingViewController == nil
            else { return }
            // A container adds the view of its screen when it appears. UIKit presents from the outermost container anyway.
            var presenter = controller
            while let next = presenter, next.viewIfLoaded?.window == nil, let parent = next.parent {
                presenter = parent
            }
            presenter?.present(presented, animated: false)
        }

        /// Sheets with actions are not restored: their actions are closures, which can't be saved.
        final var isTransient: Bool {
            #if !os(tvOS)
                if controller is UIActivityViewController { return true }
            #endif
            return controller is UIAlertController
        }

        var restorableChildren: [any RestorableViewController] { (controller?.children ?? []).map { StandIns.of($0) } }
        var placeChildren: [any RestorableViewController] { [] }
        /// Children that share an identifier are told apart by their index, so that none of them stops a save.
        final var disambiguatesChildren: Bool { true }

        func encodeContainment(with coder: StateEncoder) {
            coder.encodePresented(of: self)
            guard let presented = (restorablePresented as? ViewControllerStandIn)?.controller else { return }
            coder.encode(presented.modalPresentationStyle.rawValue, forKey: Self.styleKey)
            coder.encode(presented.isModalInPresentation, forKey: Self.isModalKey)
        }
        func decodeContainment(with coder: StateDecoder) {
            let child = coder.child(forKey: ReservedKey.Structure.presented, of: self)
            if let presented = (child as? ViewControllerStandIn)?.controller, presented.presentingViewController == nil
            {
                // A popover needs a view that it points to, which can't be saved, and a custom presentation an object.
                if let saved = coder.decode(Int.self, forKey: Self.styleKey), Self.styles.contains(saved),
                    let style = UIModalPresentationStyle(rawValue: saved)
                {
                    presented.modalPresentationStyle = style
                }
                if let isModal = coder.decode(Bool.self, forKey: Self.isModalKey) {
                    presented.isModalInPresentation = isModal
                }
            }
            // Before the scene is active, the window may not be visible, and the app may present a screen of its own first.
            if Made.current?.isActive == false {
                coder.deferPresented(of: self)
            } else {
                coder.decodePresented(into: self)
            }
        }

        /// Automatic, full screen, page sheet, form sheet, current context, and over the full screen and the context.
        private static let styles: Set = [-2, 0, 1, 2, 3, 5, 6]
        private static let styleKey = "kUIViewControllerPresentationStyleKey"
        private static let isModalKey = "kUIViewControllerIsModalKey"

        final override func encodeRestorableState(with coder: StateEncoder) {
            guard let controller else { return }
            AppCode.encode(controller, with: RestorationCoder(forApp: coder)) {
                controller.encodeRestorableState(with: $0)
            }
        }
        final override func decodeRestorableState(with coder: StateDecoder) throws {
            guard let controller else { return }
            try AppCode.decode(controller, with: RestorationCoder(forApp: coder)) {
                controller.decodeRestorableState(with: $0)
            }
        }
        final override func applicationFinishedRestoringState() {
            guard let controller, AppCode.mayCall(.applicationFinishedRestoringState, of: controller) else { return }
            controller.applicationFinishedRestoringState()
        }
    }

    extension [any RestorableViewController] {
        /// The represented view controllers that still exist.
        @MainActor
        var controllers: [UIViewController] { compactMap { ($0 as? ViewControllerStandIn)?.controller } }
    }
#endif
