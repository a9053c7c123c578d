#if canImport(AppKit) && !targetEnvironment(macCatalyst)
    public import AppKit
    public import Foundation
    public import PlacekeeperClient

    extension KeptPlace {
        /// Attaches the place to a window: launches the client's scene, restores its state, and lets the system restore
        /// the window by `KeptWindowRestoration`.
        ///
        /// Call `encodeRestorableState(with:)` in the window delegate's `window(_:willEncodeRestorableState:)`.
        /// - Returns: The launch, for an app that shows `Launch.offer`.
        @discardableResult
        public func attach(to window: NSWindow) -> Task<Launch, Never> {
            window.identifier = NSUserInterfaceItemIdentifier(rawValue: scene.name)
            window.isRestorable = true
            window.restorationClass = KeptWindowRestoration.self
            return Task {
                let launch = await launch()
                window.invalidateRestorableState()
                return launch
            }
        }

        /// Saves the state, and writes the name of the scene into the restorable state of the window, with the archive if
        /// it is small.
        public func encodeRestorableState(with coder: NSCoder) {
            save(isInteraction: false)
            PlaceActivity(scene: scene.name, archive: archive()).encode(with: coder)
        }
    }

    /// Restores the windows of kept scenes, when the system starts the app again.
    ///
    /// ```swift
    /// KeptWindowRestoration.makeWindow = { scene in windows.open(placekeeper.scene(scene)) }
    /// ```
    /// The client restores the content of the window (`KeptPlace.attach(to:)`). The system's copy of the archive is not
    /// restored.
    @MainActor
    public final class KeptWindowRestoration: NSObject, NSWindowRestoration {
        /// Opens the window of a scene, by its name. Set it in `applicationWillFinishLaunching(_:)`. Return nil for a
        /// scene that the app does not know.
        public static var makeWindow: (@MainActor (_ scene: String) -> NSWindow?)?

        /// Opens the window whose scene the restorable state names.
        public static func restoreWindow(
            withIdentifier identifier: NSUserInterfaceItemIdentifier, state: NSCoder,
            completionHandler: @escaping (NSWindow?, (any Error)?) -> Void
        ) {
            completionHandler(makeWindow?(PlaceActivity(coder: state)?.scene ?? identifier.rawValue), nil)
        }
    }
#endif
