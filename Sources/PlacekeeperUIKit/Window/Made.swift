#if canImport(UIKit) && !os(watchOS)
    /// What a restore leaves behind: the objects that it made, which stand-ins don't retain and which the app may put into
    /// the interface late, and what UIKit can do only in an active scene.
    @MainActor
    final class Made {
        /// Of the window that is being restored.
        static var current: Made?
        private var objects: [AnyObject] = []

        private var actions: [@MainActor () -> Void] = []

        static func retain(_ object: AnyObject) { current?.objects.append(object) }
        func release() { objects = [] }

        /// Runs an action when the window's scene has become active.
        func whenActive(_ action: @escaping @MainActor () -> Void) { actions.append(action) }
        func becomeActive() {
            for action in actions { action() }
            actions = []
        }
    }
#endif
