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
            // UIKit has restoration classes of its own, which expect a coder of UIKit.
            guard let type = NSClassFromString(name), AppCode.isOfApp(type) else { return nil }
            return switch type {
            case let type as any UIViewControllerRestoration.Type: of(type)
            case let type as any UIObjectRestoration.Type: of(type)
            default: nil
            }
        }

        private static func name(of type: AnyClass) -> String {
            #if canImport(ObjectiveC)
                NSStringFromClass(type)
            #else
                // Foundation on Linux traps for a class that isn't at the top level, and can't find it by name.
                String(reflecting: type)
            #endif
        }

        private static func adapted<App: UIViewControllerRestoration>(_ type: App.Type) -> any RestorationClass.Type {
            ViewControllerClass<App>.self
        }
        private static func adapted<App: UIObjectRestoration>(_ type: App.Type) -> any RestorationClass.Type {
            ObjectClass<App>.self
        }

        private enum ViewControllerClass<App: UIViewControllerRestoration>: RestorationClass {
            static var restorationClassName: String { AppRestorationClasses.name(of: App.self) }
            static func restoredObject(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any StateRestoring)? {
                App.viewController(
                    withRestorationIdentifierPath: path, coder: RestorationCoder(forApp: coder)
                ).map { Made.standIn(of: $0) }
            }
        }

        private enum ObjectClass<App: UIObjectRestoration>: RestorationClass {
            static var restorationClassName: String { AppRestorationClasses.name(of: App.self) }
            static func restoredObject(
                withRestorationIdentifierPath path: [String], coder: StateDecoder
            ) -> (any StateRestoring)? {
                App.object(
                    withRestorationIdentifierPath: path, coder: RestorationCoder(forApp: coder)
                ).flatMap { Made.standIn(of: $0) }
            }
        }
    }
#endif
