import PlacekeeperClient
import PlacekeeperRuntime
import UIKit

// recipe: document app
@MainActor
final class DocumentController: UIViewController {
    private let placekeeper: Placekeeper
    private var window: DocumentWindow?

    /// - Parameter placekeeper: The client, which the delegate of the app keeps.
    init(_ placekeeper: Placekeeper) {
        self.placekeeper = placekeeper
        super.init(nibName: nil, bundle: nil)
    }

    required init?(coder: NSCoder) { fatalError("init(coder:) is not used") }

    /// Shows a file that the person opened.
    func open(_ file: TextFile) async {
        guard await file.open(), let document = file.content else { return }
        let window = DocumentWindow(document, placekeeper, on: RestorationContext(traitCollection))
        self.window = window
        await window.place.launch()
    }

    /// The person scrolled to a paragraph, or typed in it.
    func personDidMove(to paragraph: String) { window?.personDidMove(to: paragraph) }
}
// end of recipe

@MainActor
final class TextFile: UIDocument {
    var content: TextDocument?
}
