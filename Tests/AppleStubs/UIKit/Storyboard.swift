// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uistoryboard
@MainActor open class UIStoryboard: NSObject {
    public init(name: String, bundle storyboardBundleOrNil: Bundle?) { self.name = name }
    let name: String

    open func instantiateInitialViewController() -> UIViewController? { make(nil) }
    open func instantiateViewController(withIdentifier identifier: String) -> UIViewController {
        guard let controller = make(identifier) else {
            preconditionFailure(
                "The storyboard \(name) has no view controller \(identifier). UIKit raises an exception.")
        }
        return controller
    }
    open func instantiateViewController<ViewController: UIViewController>(
        identifier: String, creator: ((NSCoder) -> ViewController?)? = nil
    ) -> ViewController {
        let made = creator?(EmptyCoder())
        made?.storyboard = self
        guard let controller = made ?? instantiateViewController(withIdentifier: identifier) as? ViewController else {
            preconditionFailure("The view controller \(identifier) is of another class.")
        }
        return controller
    }

    private func make(_ identifier: String?) -> UIViewController? {
        let key = UIStoryboardDouble.Key(storyboard: name, identifier: identifier)
        let apps = [UIApplication.shared, UIApplication.outsideTests]
        guard let maker = apps.lazy.compactMap({ $0.scenesOfStoryboards[key] }).first else { return nil }
        let controller = maker()
        controller.connect(to: self)
        return controller
    }

    public static var double: UIStoryboardDouble { UIStoryboardDouble() }
}

extension UIViewController {
    /// A container comes from the storyboard with its children.
    fileprivate func connect(to storyboard: UIStoryboard) {
        if self.storyboard == nil { self.storyboard = storyboard }
        for child in children { child.connect(to: storyboard) }
    }
}

/// What the storyboards of the current application contain.
@MainActor public struct UIStoryboardDouble {
    struct Key: Hashable {
        let storyboard: String
        let identifier: String?
    }

    /// Adds a view controller to a storyboard. Without an identifier, it is the initial one.
    public func add(
        storyboard: String, identifier: String?, _ make: @escaping @MainActor () -> UIViewController
    ) {
        UIApplication.shared.scenesOfStoryboards[Key(storyboard: storyboard, identifier: identifier)] = make
    }
}
