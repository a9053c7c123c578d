import Foundation
import PlacekeeperKit

// recipe: document app
/// A document's window. Its scene has the identifier that the file contains, because the file's path differs on each
/// device.
@MainActor
final class DocumentWindow {
    let scene: Placekeeper.Scene<Reading>
    private let document: TextDocument
    private(set) var reading = Reading()

    init(_ document: TextDocument, _ placekeeper: Placekeeper) {
        (scene, self.document) = (placekeeper.scene(Reading.self, "document-\(document.id)"), document)
    }

    func open() async {
        guard let saved = await scene.restore().value, document.paragraphs.contains(saved.paragraph) else { return }
        reading = saved
    }

    func userDidMove(to paragraph: String) {
        reading.paragraph = paragraph
        scene.save(reading, title: document.title)
    }
}

struct Reading: Codable { var paragraph = "" }
// end of recipe

/// A document as the file has it.
struct TextDocument {
    var id: UUID
    var title: String
    /// The identifiers of the paragraphs.
    var paragraphs: [String]
}
