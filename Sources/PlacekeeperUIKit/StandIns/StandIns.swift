#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import UIKit

    /// The stand-ins of UIKit's objects. The runtime restores these, and each reads and changes the object that it
    /// represents through UIKit's public properties.
    ///
    /// An object has the same stand-in as long as it exists, because the runtime tells objects apart by identity.
    @MainActor
    enum StandIns {
        private static var known: [ObjectIdentifier: StandIn] = [:]
        /// The number of stand-ins at which those of released objects are removed.
        private static var limit = 256

        static func of(_ controller: UIViewController) -> ViewControllerStandIn {
            standIn(of: controller) {
                switch controller {
                case let controller as UINavigationController: NavigationStandIn(controller)
                case let controller as UITabBarController: TabBarStandIn(controller)
                case let controller as UISplitViewController: SplitStandIn(controller)
                case let controller as UIPageViewController: PageStandIn(controller)
                default: ViewControllerStandIn(controller)
                }
            }
        }

        static func of(_ view: UIView) -> ViewStandIn {
            standIn(of: view) {
                switch view {
                case let view as UITableView: TableStandIn(view)
                case let view as UICollectionView: CollectionStandIn(view)
                case let view as UITextView: TextViewStandIn(view)
                case let view as UIScrollView: ScrollStandIn(view)
                case let view as UITextField: TextFieldStandIn(view)
                default: ViewStandIn(view)
                }
            }
        }

        /// Returns nil if the object takes no part in state restoration. UIKit declares that view controllers conform to
        /// `UIStateRestoring`, and not that views do.
        static func of(_ object: Any) -> StandIn? {
            switch object {
            case let controller as UIViewController: of(controller)
            case let view as UIView: of(view)
            case let object as any UIStateRestoring: standIn(of: object) { ObjectStandIn(object) }
            default: nil
            }
        }

        private static func standIn<Result: StandIn>(of object: AnyObject, _ make: () -> Result) -> Result {
            // A stand-in whose object was released may be listed under the address of a new object.
            if let known = known[ObjectIdentifier(object)] as? Result, known.represented === object { return known }
            if known.count >= limit { removeReleased() }
            let made = make()
            known[ObjectIdentifier(object)] = made
            return made
        }
    }

    extension StandIns {
        /// Removes the stand-ins of released objects, so that none of them is saved.
        static func removeReleased() {
            known = known.filter { $0.value.represented != nil }
            limit = max(256, 2 * known.count)
        }
    }

    /// Represents an object of UIKit, which it does not retain.
    @MainActor
    class StandIn: RestorableStandIn {
        private(set) final weak var represented: AnyObject?

        init(_ represented: AnyObject) { self.represented = represented }

        var restorationIdentifier: String? { nil }
        var restorationParent: (any StateRestoring)? { nil }
        var restorationClass: (any RestorationClass.Type)? { nil }
        func encodeRestorableState(with coder: StateEncoder) {}
        func decodeRestorableState(with coder: StateDecoder) throws {}
        func applicationFinishedRestoringState() {}
    }

    /// What an `NSCoder` of the runtime must know about UIKit.
    enum UIKitFramework: RestorationFramework {
        static func standIn(for object: Any) -> (any StateRestoring)? { StandIns.of(object) }

        static func storyboard(for storyboard: Storyboard) -> AnyObject {
            UIStoryboard(name: storyboard.name, bundle: nil)
        }
    }

    extension RestorationCoder {
        /// Creates a coder for the app's own code.
        convenience init(forApp encoder: StateEncoder) { self.init(encoder, of: UIKitFramework.self) }
        /// Creates a coder for the app's own code.
        convenience init(forApp decoder: StateDecoder) { self.init(decoder, of: UIKitFramework.self) }

        /// Throws the error that the app's code passed to `failWithError(_:)`, if any.
        func check() throws { if let error { throw error } }
    }
#endif
