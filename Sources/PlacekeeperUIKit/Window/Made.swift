#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import UIKit

    /// What a restore leaves behind: the objects that it made, which stand-ins don't retain and which the app may put into
    /// the interface late, and what UIKit can do only in an active scene.
    @MainActor
    final class Made {
        /// Of the window that is being restored.
        static private(set) var current: Made?
        private var objects: [AnyObject] = []
        private var actions: [@MainActor () -> Void] = []

        /// Returns the stand-in of an object that the app has made for the restore.
        static func standIn(of controller: UIViewController) -> ViewControllerStandIn {
            current?.objects.append(controller)
            return StandIns.of(controller)
        }

        /// Returns the stand-in of an object that the app has made for the restore.
        static func standIn(of object: any UIStateRestoring) -> StandIn? {
            current?.objects.append(object)
            return StandIns.of(object)
        }

        /// Of the window whose restore goes on when this one has ended: code of the app may restore a window meanwhile.
        private var outer: Made?

        /// Whether the window's scene was active at the restore, or has become active since.
        private(set) var isActive = true

        /// - Parameter isActive: Whether the window's scene is active.
        func begin(isActive: Bool) {
            self.isActive = isActive
            (outer, Self.current) = (Self.current, self)
        }
        func end() { (Self.current, outer) = (outer, nil) }

        func release() { objects = [] }

        /// Runs an action when the window's scene has become active.
        func whenActive(_ action: @escaping @MainActor () -> Void) { actions.append(action) }
        func becomeActive() {
            isActive = true
            let present = actions
            actions = []
            for action in present { action() }
        }
    }
#endif
