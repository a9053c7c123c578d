import PlacekeeperKit
import UIKit

// recipe: document app
final class DocumentController: UIViewController {
    private var window: DocumentWindow?

    func open(_ file: TextFile, _ placekeeper: Placekeeper) async {
        guard await file.open(), let document = file.content else { return }
        window = DocumentWindow(document, placekeeper)
        await window?.open()
    }

    /// The user scrolled to a paragraph, or typed in it.
    func userDidMove(to paragraph: String) { window?.userDidMove(to: paragraph) }
}
// end of recipe

@MainActor
final class TextFile: UIDocument {
    var content: TextDocument?
}
