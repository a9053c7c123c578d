#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import UIKit

    /// Passes the runtime's questions on to the app's delegate.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    final class WindowDelegate: ApplicationLifeCycleDelegate {
        private weak var window: UIWindow?
        private let application = UIApplication.shared
        /// The objects that the restore has made.
        var made: Made?

        init(_ window: UIWindow) { self.window = window }

        private var app: AppDelegateMethods? {
            application.delegate.map { AppDelegateMethods(application: application, delegate: $0) }
        }

        /// The app has created its interface. A restore begins here.
        func loadInterface() {
            (made, ViewControllerStandIn.loadsViews) = (Made(), true)
            Made.current = made
        }
        /// A restore ends here, unless the app extends it.
        func didFinishLaunching(_ result: LaunchResult) {
            (Made.current, ViewControllerStandIn.loadsViews) = (nil, false)
        }

        var roots: [any RestorableViewController] {
            (window?.rootViewController).map { [StandIns.of($0)] } ?? []
        }

        /// Lets the lists of all screens look for elements that have arrived.
        func itemsDidArrive() {
            var waiting: [any StateRestoring] = roots
            var visited: Set<ObjectIdentifier> = []
            while let next = waiting.popLast() {
                guard visited.insert(ObjectIdentifier(next)).inserted else { continue }
                if let controller = next as? ViewControllerStandIn {
                    waiting += controller.restorableChildren as [any StateRestoring]
                    waiting += controller.restorableViews as [any StateRestoring]
                    if let presented = controller.restorablePresented { waiting.append(presented) }
                } else if let view = next as? ViewStandIn {
                    waiting += view.restorableSubviews as [any StateRestoring]
                    (view as? ListStandIn)?.applyPendingList()
                }
            }
        }

        func shouldSaveSecureApplicationState(_ coder: StateEncoder) -> Bool {
            app?.shouldSave(RestorationCoder(forApp: coder)) ?? true
        }
        func shouldRestoreSecureApplicationState(_ coder: StateDecoder) -> Bool {
            app?.shouldRestore(RestorationCoder(forApp: coder)) ?? true
        }
        func willEncodeRestorableState(with coder: StateEncoder) {
            app?.willEncode(RestorationCoder(forApp: coder))
        }
        func didDecodeRestorableState(with coder: StateDecoder) {
            app?.didDecode(RestorationCoder(forApp: coder))
        }
        func viewController(
            withRestorationIdentifierPath path: [String], coder: StateDecoder
        ) -> (any RestorableViewController)? {
            app?.viewController(path, RestorationCoder(forApp: coder)).map {
                Made.retain($0)
                return StandIns.of($0)
            }
        }
    }
#endif
