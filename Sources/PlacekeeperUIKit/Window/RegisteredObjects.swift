#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import UIKit

    /// The objects that the app registered, for all its windows. UIKit has no way to read the objects that were
    /// registered with `UIApplication`.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @MainActor
    enum RegisteredObjects {
        private struct Entry {
            weak var object: (any UIStateRestoring)?
            let identifier: String
            weak var application: UIApplication?
        }
        private struct Window {
            weak var environment: RestorationEnvironment?
            weak var application: UIApplication?
        }

        private static var entries: [Entry] = []
        private static var windows: [Window] = []
        /// A process has one application. Tests play several.
        private static var application: UIApplication { .shared }

        /// Registers the application's objects in the environment of a window, now and later.
        static func add(to environment: RestorationEnvironment) {
            windows = windows.filter { $0.environment != nil }
            windows.append(Window(environment: environment, application: application))
            for entry in entries where entry.application === application {
                guard let standIn = entry.object.flatMap({ StandIns.of($0) }) else { continue }
                environment.registerObject(standIn, restorationIdentifier: entry.identifier)
            }
        }

        static func add(_ object: any UIStateRestoring, _ identifier: String) {
            entries = entries.filter { $0.object != nil && $0.object !== object }
            entries.append(Entry(object: object, identifier: identifier, application: application))
            guard let standIn = StandIns.of(object) else { return }
            for window in windows where window.application === application {
                window.environment?.registerObject(standIn, restorationIdentifier: identifier)
            }
        }
    }
#endif
