#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperArchive
    import PlacekeeperRuntime
    import UIKit

    /// Passes the runtime's questions on to the app's delegate.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    final class WindowDelegate: ApplicationLifeCycleDelegate {
        private weak var window: UIWindow?
        private let application = UIApplication.shared
        /// What the last restore has left behind.
        private(set) var made: Made?
        /// The archive of the last restore.
        private var archive: StateArchive?
        /// The same, if view controllers or views in it are missing.
        private var lacking: StateArchive?
        var lacksObjects: Bool { lacking != nil }

        init(_ window: UIWindow) { self.window = window }

        /// Whether the window's scene is active. A window without a scene counts as active.
        var isActive: Bool { window?.windowScene.map { $0.activationState == .foregroundActive } ?? true }

        private var app: AppDelegateMethods? {
            application.delegate.map { AppDelegateMethods(application: application, delegate: $0) }
        }

        /// The app has created its interface. A restore begins here.
        func loadInterface() {
            made = Made()
            made?.begin(isActive: isActive)
        }
        /// A restore ends here, unless the app extends it.
        func didFinishLaunching(_ result: LaunchResult) {
            made?.end()
            lacking = nil
            if case .restored(let restoration) = result, !restoration.missing.isEmpty { lacking = archive }
        }
        /// Restores the last archive once more, if objects were missing, because the app's data may have arrived.
        func restoreMissing(_ environment: RestorationEnvironment) {
            guard let archive = lacking else { return }
            loadInterface()
            let restorer = StateRestorer(environment, roots: { self.roots })
            didFinishLaunching(.restored(restorer.restore(archive)))
            if isActive { made?.becomeActive() }
        }

        var roots: [any RestorableViewController] {
            (window?.rootViewController).map { [StandIns.of($0)] } ?? []
        }

        func applicationFinishedRestoringState() { window?.layoutIfNeeded() }

        func dismissModalScreens() {
            guard let root = window?.rootViewController, root.presentedViewController != nil else { return }
            root.dismiss(animated: false)
        }

        /// Lets the lists of all screens look for elements that have arrived.
        func findRows(hasInput: Bool) { forEachList { $0.itemsDidArrive(hasInput: hasInput) } }

        /// Selects the rows again that the app has deselected by reloading a list.
        func keepSelections() { forEachList { $0.keepSelection() } }

        private func forEachList(_ action: (ListStandIn) -> Void) {
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
                    if let list = view as? ListStandIn { action(list) }
                }
            }
        }

        func shouldSaveSecureApplicationState(_ coder: StateEncoder) -> Bool {
            app?.shouldSave(RestorationCoder(forApp: coder)) ?? true
        }
        func shouldRestoreSecureApplicationState(_ coder: StateDecoder) -> Bool {
            archive = coder.context.archive
            return app?.shouldRestore(RestorationCoder(forApp: coder)) ?? true
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
            app?.viewController(path, RestorationCoder(forApp: coder)).map { Made.standIn(of: $0) }
        }
    }
#endif
