#if canImport(UIKit) && !os(watchOS)
    public import PlacekeeperClient
    public import UIKit

    // - <https://developer.apple.com/documentation/uikit/uiscenesession/staterestorationactivity>
    // - <https://developer.apple.com/documentation/uikit/uiscenesession/userinfo>
    extension Placekeeper {
        /// Returns the scene of a window, for `scene(_:willConnectTo:options:)`. The first window of a role gets the scene
        /// with the role's name, as on the user's other devices. Each further window, as on an iPad, gets its own scene,
        /// such as `main-2`, which starts fresh. A window keeps its scene until the user closes it.
        /// - Parameters:
        ///   - type: The type of the window's state.
        ///   - role: The role of a new window.
        ///   - session: The window's session, which stores the name.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        @MainActor
        public func scene<Value: Codable>(
            _ type: Value.Type, _ role: String = "main", of session: UISceneSession
        ) -> Scene<Value> { Scene(scene(role, of: session)) }

        /// Returns the scene of a window.
        @available(iOSApplicationExtension, unavailable)
        @available(tvOSApplicationExtension, unavailable)
        @available(visionOSApplicationExtension, unavailable)
        @MainActor
        package func scene(_ role: String = "main", of session: UISceneSession) -> KeptScene {
            let others = UIApplication.shared.openSessions.filter { $0 != session }.compactMap { $0.nameOfScene }
            let name = WindowNames.name(role, remembered: session.nameOfScene, taken: Set(others))
            session.remember(name.text)
            return windowScene(name)
        }
    }

    extension UIScene.ConnectionOptions {
        /// Whether the user opened an address, a notification or a shortcut, to which the app navigates itself.
        package var opensOtherContent: Bool {
            #if !os(tvOS)
                if notificationResponse != nil || shortcutItem != nil { return true }
            #endif
            return !urlContexts.isEmpty
        }
    }

    extension UISceneSession {
        private static let key = "placekeeper.scene"

        /// The name of the window's scene. The activity contains it too, in case the system didn't keep `userInfo`.
        fileprivate var nameOfScene: String? {
            userInfo?[Self.key] as? String ?? PlaceActivity(userInfo: stateRestorationActivity?.userInfo)?.scene
        }

        fileprivate func remember(_ name: String) {
            var info = userInfo ?? [:]
            info[Self.key] = name
            userInfo = info
        }
    }
#endif
