#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit
    public import Foundation
    public import PlacekeeperClient

    // Windows of AppKit:
    // - <https://developer.apple.com/documentation/appkit/nswindow/restorationclass>
    // - <https://developer.apple.com/documentation/appkit/nswindowdelegate/window(_:willencoderestorablestate:)>
    // - <https://developer.apple.com/documentation/appkit/nswindowrestoration/restorewindow(withidentifier:state:completionhandler:)>
    // - <https://developer.apple.com/documentation/appkit/nsapplicationdelegate/application(_:continue:restorationhandler:)>
    extension KeptPlace {
        /// Attaches the place to a window: launches the client's scene, restores its state, and lets the system restore
        /// the window through `KeptWindowRestoration`. Each window has its own scene, whose name the app chooses.
        ///
        /// Call `encodeRestorableState(with:)` in the window delegate's `window(_:willEncodeRestorableState:)`. With an
        /// activity type, call `continue(_:)` in the app delegate's `application(_:continue:restorationHandler:)`.
        /// - Parameters:
        ///   - window: The window.
        ///   - activityType: The type of the app's activities, listed under `NSUserActivityTypes` in Info.plist. The
        ///     place is advertised for Handoff while the window is the key window. Nil for no Handoff.
        /// - Returns: The launch, for an app that shows `Launch.offer`.
        @discardableResult
        public func attach(to window: NSWindow, activityType: String? = nil) -> Task<Launch, Never> {
            window.identifier = NSUserInterfaceItemIdentifier(rawValue: scene.name)
            window.isRestorable = true
            window.restorationClass = KeptWindowRestoration.self
            if let activityType {
                advertise(
                    activityType, of: window, isActive: window.isKeyWindow, from: NSWindow.didBecomeKeyNotification,
                    until: NSWindow.didResignKeyNotification)
            }
            return Task {
                let launch = await launch()
                window.invalidateRestorableState()
                return launch
            }
        }

        /// Goes to the place of an activity and saves it. Call this method in the app delegate's
        /// `application(_:continue:restorationHandler:)`.
        /// - Returns: Whether the activity has a place, and at least its first screen was reached. False for another
        ///   activity, such as a universal link, which the app must handle itself.
        @discardableResult
        public func `continue`(_ activity: NSUserActivity) async -> Bool {
            guard let activity = PlaceActivity(userInfo: activity.userInfo) else { return false }
            return await self.continue(activity)
        }

        /// Saves the state, and writes the scene's name into the window's restorable state, with the archive if it is
        /// small.
        public func encodeRestorableState(with coder: NSCoder) {
            save(isInteraction: false)
            PlaceActivity(scene: scene.name, archive: archive()).encode(with: coder)
        }
    }

    /// Restores the windows of kept scenes when the system relaunches the app.
    ///
    /// ```swift
    /// KeptWindowRestoration.makeWindow = { scene in windows.open(placekeeper.scene(scene)) }
    /// ```
    /// The client restores the content of the window (`KeptPlace.attach(to:)`). The system's copy of the archive isn't
    /// restored.
    @MainActor
    public final class KeptWindowRestoration: NSObject, NSWindowRestoration {
        /// Opens the window of a scene, given the scene's name. Set it in `applicationWillFinishLaunching(_:)`. Return
        /// nil for an unknown scene.
        public static var makeWindow: (@MainActor (_ scene: String) -> NSWindow?)?

        /// Opens the window of the scene in the restorable state.
        public static func restoreWindow(
            withIdentifier identifier: NSUserInterfaceItemIdentifier, state: NSCoder,
            completionHandler: @escaping (NSWindow?, (any Error)?) -> Void
        ) {
            completionHandler(makeWindow?(PlaceActivity(coder: state)?.scene ?? identifier.rawValue), nil)
        }
    }
#endif
