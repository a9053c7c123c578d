#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    import PlacekeeperClient
    import PlacekeeperRuntime
    public import UIKit

    #if canImport(ObjectiveC)
        import ObjectiveC
    #endif

    /// An app's subclass of a UIKit class that saves state of its own: of a navigation, tab bar or split view
    /// controller, or of a scroll, table, collection or text view, a text field, an image view or a web view.
    ///
    /// Placekeeper restores what UIKit's class shows, but doesn't call an override of `encodeRestorableState(with:)` in
    /// such a subclass: the override calls `super`, and UIKit's implementation expects a coder of UIKit. So save the
    /// subclass's part in these methods, without calling `super`. Overrides in subclasses of `UIViewController`, its
    /// table, collection, page and search controllers, and `UIView` are called as they are.
    @MainActor
    public protocol RestorableSubclass: UIResponder {
        /// Saves the state that the subclass adds.
        func encodeSubclassState(with coder: NSCoder)
        /// Restores the state that `encodeSubclassState(with:)` saved.
        func decodeSubclassState(with coder: NSCoder)
    }

    /// The app's methods of state restoration, and which of them are called.
    ///
    /// Apple asks apps not to call `encodeRestorableState(with:)` of a view controller, and doesn't say why. An
    /// override of the app is called nevertheless, because it is the app's code, and because with scenes nobody else
    /// calls it. UIKit's own implementations are reached only through `super`, and only those of `UIViewController` and
    /// `UIResponder`.
    /// https://developer.apple.com/documentation/uikit/uiviewcontroller/encoderestorablestate(with:)
    @MainActor
    enum AppCode {
        enum Method {
            case encodeRestorableState, decodeRestorableState, applicationFinishedRestoringState
        }

        static func encode(_ object: UIResponder, with coder: RestorationCoder, _ encode: (NSCoder) -> Void) {
            if let object = object as? any RestorableSubclass {
                object.encodeSubclassState(with: coder)
            } else if mayCall(.encodeRestorableState, of: object) {
                encode(coder)
            }
        }

        static func decode(
            _ object: UIResponder, with coder: RestorationCoder, _ decode: (NSCoder) -> Void
        ) throws {
            if let object = object as? any RestorableSubclass {
                object.decodeSubclassState(with: coder)
            } else if mayCall(.decodeRestorableState, of: object) {
                decode(coder)
            }
            try coder.check()
        }

        /// Returns whether the object's class or one of its superclasses in the app overrides a method, and the
        /// implementation that `super` reaches is trusted with a coder that isn't UIKit's.
        static func mayCall(_ method: Method, of object: UIResponder) -> Bool {
            let type = type(of: object)
            if let known = answers[ObjectIdentifier(type)]?[method] { return known }
            let answer = mayCall(method, of: type)
            answers[ObjectIdentifier(type), default: [:]][method] = answer
            return answer
        }

        private static var answers: [ObjectIdentifier: [Method: Bool]] = [:]

        #if canImport(ObjectiveC)
            private static func mayCall(_ method: Method, of object: UIResponder.Type) -> Bool {
                let selector =
                    switch method {
                    case .encodeRestorableState: #selector(UIViewController.encodeRestorableState(with:))
                    case .decodeRestorableState: #selector(UIViewController.decodeRestorableState(with:))
                    case .applicationFinishedRestoringState:
                        #selector(UIViewController.applicationFinishedRestoringState)
                    }
                var isOverridden = false
                var next: AnyClass? = object
                while let type = next {
                    next = class_getSuperclass(type)
                    // https://developer.apple.com/documentation/objectivec/class_getinstancemethod(_:_:)
                    guard let own = class_getInstanceMethod(type, selector) else { break }
                    if let next, class_getInstanceMethod(next, selector) == own { continue }
                    guard !isOfApp(type) else {
                        isOverridden = true
                        continue
                    }
                    let isTrusted = type == UIViewController.self || type == UIResponder.self
                    if isOverridden, !isTrusted {
                        DeveloperLog.write(
                            "\(selector) of \(object) isn't called, because \(type) has an implementation of its own. Adopt RestorableSubclass."
                        )
                    }
                    return isOverridden && isTrusted
                }
                return isOverridden
            }

            /// Whether a class isn't of a system framework. An app's own frameworks have identifiers of their own.
            static func isOfApp(_ type: AnyClass) -> Bool {
                Bundle(for: type).bundleIdentifier?.hasPrefix("com.apple.") != true
            }
        #else
            /// Without Objective-C, only the double of UIKit in the tests exists. It can't detect overrides, so every
            /// class of the app counts as overriding.
            private static func mayCall(_ method: Method, of type: UIResponder.Type) -> Bool {
                isOfApp(type) && !encodesOwnState(type)
            }

            static func isOfApp(_ type: AnyClass) -> Bool { !String(reflecting: type).hasPrefix("UIKit.") }

            private static func encodesOwnState(_ type: UIResponder.Type) -> Bool {
                let types: [UIResponder.Type] = [
                    UINavigationController.self, UITabBarController.self, UISplitViewController.self,
                    UIScrollView.self, UITextField.self, UIImageView.self,
                ]
                var next: AnyClass? = type
                while let type = next {
                    if types.contains(where: { $0 == type }) { return true }
                    next = _getSuperclass(type)
                }
                return false
            }
        #endif
    }
#endif
