#if canImport(UIKit) && !os(watchOS)
    import Foundation
    import PlacekeeperRuntime
    import UIKit

    /// The app's restoration classes, which need no registration: an archive contains the name of the class, and only a
    /// class with that name that conforms to UIKit's protocol is used.
    @MainActor
    enum AppRestorationClasses {
        static func of(_ type: any UIViewControllerRestoration.Type) -> any RestorationClass.Type { adapted(type) }
        static func of(_ type: any UIObjectRestoration.Type) -> any RestorationClass.Type { adapted(type) }

        static func named(_ name: String) -> (any RestorationClass.Type)? {
            switch NSClassFromString(name) {
            case let type as any UIViewControllerRestoration.Type: of(type)
            case let type as any UIObjectRestoration.Type: of(type)
            default: nil
            }
        }

        private static func adapted<App: UIViewControllerRestoration>(_ type: App.Type) -> any RestorationClass.Type {
            ViewControllerClass<App>.self
        }
        private static func adapted<App: UIObjectRestoration>(_ type: App.Type) -> any RestorationClass.Type {
            ObjectClass<App>.self
        }

        private enum ViewControllerClass<App: UIViewControllerRestoration>: RestorationClass {
            static var restorationClassName: String { NSStringFromClass(App.self) }
            static func restoredObject(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any StateRestoring)? {
                App.viewController(
                    withRestorationIdentifierPath: path, coder: RestorationCoder(forApp: coder)
                ).map {
                    Made.retain($0)
                    return StandIns.of($0)
                }
            }
        }

        private enum ObjectClass<App: UIObjectRestoration>: RestorationClass {
            static var restorationClassName: String { NSStringFromClass(App.self) }
            static func restoredObject(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any StateRestoring)? {
                App.object(
                    withRestorationIdentifierPath: path, coder: RestorationCoder(forApp: coder)
                ).map {
                    Made.retain($0)
                    return StandIns.of($0)
                }
            }
        }
    }
#endif
