public import PlacekeeperRuntime

/// A view with a line of editable text. The selection is restored, and so is the text if the user was editing it (seed
/// row 78).
@MainActor
open class TextField: View, TextEditing {
    /// The text, its selection, and whether the user is editing it.
    public final var editedText = EditedText()

    open override func encodeRestorableState(with coder: StateEncoder) { encodeEditedText(with: coder) }
    open override func decodeRestorableState(with coder: StateDecoder) throws { decodeEditedText(with: coder) }
    open override func applicationFinishedRestoringState() { finishRestoringEditedText() }
}
