import PlacekeeperClient
import StateRestoration
import UIKit

// recipe: document app
@MainActor
final class DocumentController: UIViewController {
    static var placekeeper: Placekeeper?
    private var window: DocumentWindow?

    /// Shows a file that the person opened.
    func open(_ file: TextFile) async {
        guard await file.open(), let document = file.content, let placekeeper = Self.placekeeper else { return }
        let window = DocumentWindow(document, placekeeper, on: RestorationContext(UITraitCollection()))
        self.window = window
        await window.place.launch()
    }

    /// The person scrolled to a paragraph, or typed in it.
    func didMove(to paragraph: String, byTyping: Bool) {
        window?.paragraph = paragraph
        window?.place.setNeedsSave(isInteraction: byTyping)
    }
}
// end of recipe

@MainActor
final class TextFile: UIDocument {
    var content: TextDocument?
}
