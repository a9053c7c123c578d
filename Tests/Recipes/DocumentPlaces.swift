import Foundation
import PlacekeeperArchive
import PlacekeeperClient
import PlacekeeperUI
import PlacekeeperRuntime

// recipe: document app
/// A window of a document. Each document has a scene, with the document's own identifier, which the file contains. The
/// file's path differs on each device.
@MainActor
final class DocumentWindow {
    let place: KeptPlace
    private let screen: DocumentScreen

    init(_ document: TextDocument, _ placekeeper: Placekeeper, on device: RestorationContext) {
        screen = DocumentScreen(document)
        place = KeptPlace(placekeeper.scene("document-\(document.id)"), navigator: screen, device: device)
    }

    /// The paragraph at the top of the window, by its identifier in the file.
    var paragraph: String? { screen.paragraph }

    /// Saves the paragraph. A scroll of the layout is not the person's.
    func personDidMove(to paragraph: String) {
        screen.paragraph = paragraph
        place.setNeedsSave(isInteraction: true)
    }
}

/// The only screen of a document. The place keeps it.
@MainActor
private final class DocumentScreen: PlaceNavigator {
    private let document: TextDocument
    var paragraph: String?

    init(_ document: TextDocument) { self.document = document }

    var placeSteps: [RouteStep] {
        [RouteStep("document", title: document.title, parameters: ["paragraph": .string(paragraph ?? "")])]
    }

    func goToFirstScreen() { paragraph = nil }

    func go(to step: PlaceStep) async -> Bool {
        guard step.screen == "document" else { return false }
        let saved = step.parameters.decodeString(forKey: "paragraph")
        paragraph = document.paragraphs.contains { $0 == saved } ? saved : nil
        return true
    }
}
// end of recipe

/// A document as the file has it.
struct TextDocument {
    var id: UUID
    var title: String
    /// The identifiers of the paragraphs.
    var paragraphs: [String]
}
