// The AppKit app of docs/your-app.md and docs/recipes.md.
import AppKit
import PlacekeeperKit

/// The state of a window.
struct Reading: Codable, Hashable {
    var book: Book.Reference?
    var progress = 0.0
}

extension Reading: PlaceScreen {
    var placeProgress: Double? { progress }
}

@MainActor
final class ReaderWindow: NSObject, NSWindowDelegate {
    let window = NSWindow()
    private let scene = placekeeper.scene(Reading.self)
    private let shelf: Shelf
    private var reading = Reading()

    init(_ shelf: Shelf) {
        self.shelf = shelf
        super.init()
        window.delegate = self
        window.isRestorable = false  // the client restores the window's state
    }

    func open() async {
        if let restored = await scene.restore(items: shelf.books).value { reading = restored }
    }

    func userDidRead(to progress: Double) {
        reading.progress = progress
        scene.save(reading, items: shelf.books)
    }

    func windowWillClose(_ notification: Notification) { Task { try await placekeeper.flush() } }
}
