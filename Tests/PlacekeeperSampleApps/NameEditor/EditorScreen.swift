package import PlacekeeperStandIns
package import PlacekeeperRuntime
import PlacekeeperArchive

/// An editor with the two fields of a name. Saves only the text of the field that is being edited, because the app's
/// store has the text of the other field.
@MainActor
package final class EditorScreen: ViewController, PlaceProviding, ItemShowing {
    enum Key {
        static let user = "UserID", editField = "EditField", editedText = "EditedText"
    }

    package let firstName = NameField()
    package let lastName = NameField()
    private var user: ShownElement?
    private var people: Catalog?

    package override init() {
        super.init()
        restorationIdentifier = "Editor"
    }

    /// Shows the stored name of a person.
    package func show(_ user: ShownElement, of people: Catalog) {
        (self.user, self.people) = (user, people)
        showStoredName()
    }

    /// Shows the stored name, except in a field that is being edited. Such a field keeps its text.
    private func showStoredName() {
        title = user?.identifier.flatMap { people?[$0]?.title }
        let names = title?.split(separator: " ", maxSplits: 1).map(String.init) ?? []
        if !firstName.isFirstResponder { firstName.text = names.first ?? "" }
        if !lastName.isFirstResponder { lastName.text = names.count > 1 ? names[1] : "" }
    }

    package func itemsArrived() {
        if user?.lookAgain() == true { showStoredName() }
    }

    package override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        if let user { coder.encode(user, forKey: Key.user) }
        for (key, value) in edit { coder.encode(value, forKey: key) }
    }

    package override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        decodeEdit(from: coder)
    }

    /// The number of the field that is being edited, from 1, and its text. The number is 0 if no field is being
    /// edited.
    private var edit: [String: StateValue] {
        let fields = [firstName, lastName]
        guard let active = fields.firstIndex(where: \.isFirstResponder) else { return [Key.editField: .integer(0)] }
        return [Key.editField: .integer(Int64(active + 1)), Key.editedText: .string(fields[active].text)]
    }

    /// Restores the text of the field that was being edited, and continues editing in this field.
    func decodeEdit(from coder: StateDecoder) {
        let field: NameField
        switch coder.decodeInteger(forKey: Key.editField) {
        case 1: field = firstName
        case 2: field = lastName
        default: return
        }
        field.text = coder.decodeString(forKey: Key.editedText) ?? ""
        field.isFirstResponder = true
    }

    package func encodePlace(with coder: PlaceEncoder) {
        guard let reference = user?.reference else { return }
        coder.addStep(screen: "Editor", title: title, elements: [reference], parameters: edit)
    }
}

/// A text field for a part of a name.
@MainActor
package final class NameField: View {
    package var text = ""
    package var isFirstResponder = false
}
