public import PlacekeeperRuntime

/// A scroll view with editable text of several lines. The selection and `isEditable` are restored, and so is the text
/// if the user was editing it (seed row 78).
@MainActor
open class TextView: ScrollView, TextEditing {
    /// The text, its selection, and whether the user is editing it.
    public final var editedText = EditedText()
    /// Whether the user can edit the text.
    public final var isEditable = true

    open override func encodeRestorableState(with coder: StateEncoder) {
        super.encodeRestorableState(with: coder)
        encodeEditedText(with: coder)
        coder.encode(isEditable, forKey: Self.editableKey)
    }

    open override func decodeRestorableState(with coder: StateDecoder) throws {
        try super.decodeRestorableState(with: coder)
        isEditable = coder.decode(Bool.self, forKey: Self.editableKey) ?? isEditable
        decodeEditedText(with: coder)
    }

    open override func applicationFinishedRestoringState() { finishRestoringEditedText() }

    private static let editableKey = "kTextViewEditableKey"
}
