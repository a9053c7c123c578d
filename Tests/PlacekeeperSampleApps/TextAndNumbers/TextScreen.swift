package import PlacekeeperStandIns
package import PlacekeeperRuntime
import PlacekeeperArchive

/// A screen with a selectable text.
@MainActor
package final class TextScreen: ViewController, PlaceProviding {
    package let view = SelectableText()

    package override init() {
        super.init()
        title = "Text"
        restorationIdentifier = "Text"
        view.restorationIdentifier = "TextView"
        views = [view]
    }

    package func encodePlace(with coder: PlaceEncoder) {
        coder.addStep(screen: "Text", title: title, parameters: view.selection)
    }
}

/// A view that saves its selection, because a person changes the selection independently of the app's data.
@MainActor
package final class SelectableText: View {
    private enum Key {
        static let length = "kMyTextViewSelectionRangeLength", location = "kMyTextViewSelectionRangeLocation"
    }

    package var selectedRange = 0..<0

    var selection: [String: StateValue] {
        [Key.location: .integer(Int64(selectedRange.lowerBound)), Key.length: .integer(Int64(selectedRange.count))]
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        for (key, value) in selection { coder.encode(value, forKey: key) }
    }

    package override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        decodeSelection(from: coder)
    }

    func decodeSelection(from coder: StateDecoder) {
        guard coder.containsValue(forKey: Key.location), coder.containsValue(forKey: Key.length) else { return }
        let location = coder.decodeInteger(forKey: Key.location)
        let length = coder.decodeInteger(forKey: Key.length)
        // Ignores an invalid range, because an archive may come from an untrusted source, and the range would end the
        // process.
        guard location >= 0, length > 0, length <= Int.max - location else { return }
        selectedRange = location..<(location + length)
    }
}
