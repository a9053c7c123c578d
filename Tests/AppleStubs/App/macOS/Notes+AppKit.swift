import AppKit
import PlacekeeperClient
import PlacekeeperUI

/// The AppKit app of docs/your-app.md.
@MainActor
final class NotesWindowDelegate: NSObject, NSWindowDelegate {
    let place: KeptPlace
    let window = NSWindow()

    init(_ scene: KeptScene, _ navigator: any PlaceNavigator) {
        place = KeptPlace(scene, navigator: navigator)
        super.init()
        window.delegate = self
        place.attach(to: window, activityType: "com.example.reading")
    }

    func window(_ window: NSWindow, willEncodeRestorableState state: NSCoder) {
        place.encodeRestorableState(with: state)
    }

    func windowWillClose(_ notification: Notification) { Self.delegates.removeAll { $0 === self } }

    static var delegates: [NotesWindowDelegate] = []

    static func register(_ placekeeper: Placekeeper, _ navigator: any PlaceNavigator) {
        KeptWindowRestoration.makeWindow = { scene in
            let delegate = NotesWindowDelegate(placekeeper.scene(scene), navigator)
            delegates.append(delegate)
            return delegate.window
        }
    }
}

@MainActor
final class NotesAppDelegate: NSObject, NSApplicationDelegate {
    var place: KeptPlace?

    func application(
        _ application: NSApplication, continue userActivity: NSUserActivity,
        restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
    ) -> Bool {
        guard let place else { return false }
        Task { await place.continue(userActivity) }
        return true
    }
}
