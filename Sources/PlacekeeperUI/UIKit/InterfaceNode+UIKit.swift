#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperArchive
    import PlacekeeperRuntime
    public import UIKit

    extension InterfaceNode {
        /// Reads the public properties of a view controller, of its children, and of their loaded views. A hierarchy is
        /// read only when the app calls this initializer; nothing is loaded, and `encodeRestorableState(with:)` isn't
        /// called.
        @MainActor
        public init(reading controller: UIViewController) {
            var children = controller.children.map { InterfaceNode(reading: $0) }
            if let view = controller.viewIfLoaded {
                children += InterfaceNode.views(in: view, besides: controller.children.compactMap(\.viewIfLoaded))
            }
            // Both containers of a modal presentation return the controller. Read it only from the presenter.
            // https://developer.apple.com/documentation/uikit/uiviewcontroller/presentingviewcontroller
            if let presented = controller.presentedViewController, presented.presentingViewController === controller {
                children.append(InterfaceNode(reading: presented))
            }
            self.init(
                .viewController, controller.restorationIdentifier, className: String(reflecting: type(of: controller)),
                values: InterfaceNode.values(of: controller), children: children)
        }

        @MainActor
        private static func values(of controller: UIViewController) -> [String: StateValue] {
            guard let tabs = controller as? UITabBarController,
                let selected = tabs.selectedViewController?.restorationIdentifier
            else { return [:] }
            return ["selected": .string(selected)]
        }

        /// The views with a restoration identifier, except those of child view controllers.
        @MainActor
        private static func views(in view: UIView, besides others: [UIView]) -> [InterfaceNode] {
            guard !others.contains(where: { $0 === view }) else { return [] }
            let inside = view.subviews.flatMap { views(in: $0, besides: others) }
            guard let identifier = view.restorationIdentifier else { return inside }
            return [
                InterfaceNode(
                    .view, identifier, className: String(reflecting: type(of: view)), values: values(of: view),
                    text: text(of: view), children: inside)
            ]
        }

        @MainActor
        private static func values(of view: UIView) -> [String: StateValue] {
            guard let scroll = view as? UIScrollView else { return [:] }
            return [
                LayoutKey.contentOffset: .array([
                    .real(Double(scroll.contentOffset.x)), .real(Double(scroll.contentOffset.y)),
                ])
            ]
        }

        @MainActor
        private static func text(of view: UIView) -> Text? {
            if let field = view as? UITextField {
                return Text(
                    field.text ?? "", isSecure: DenyList.deniesText(field.isSecureTextEntry, field.textContentType),
                    isEditing: field.isEditing)
            }
            guard let view = view as? UITextView else { return nil }
            return Text(
                view.text ?? "", isSecure: DenyList.deniesText(view.isSecureTextEntry, view.textContentType),
                isEditing: view.isFirstResponder)
        }
    }

    extension DenyList {
        /// Returns whether the text of a field is secret: it is hidden, or has the content type of a secret.
        package static func deniesText(_ isHidden: Bool, _ type: UITextContentType?) -> Bool {
            isHidden || type.map { standard.deniesContentType($0.rawValue) } == true
        }
    }
#endif
