import PlacekeeperArchive

/// A view in which a person edits text. The selection is always restored. The text itself is restored only if it was
/// being edited and is not secret (row 78); otherwise it belongs to the app's data (row 31).
@MainActor
public protocol TextEditing: RestorableView {
    /// The text, its selection, and whether it is being edited.
    var editedText: EditedText { get set }
}

/// A text, its selection, and whether it is being edited.
public struct EditedText: Sendable, Equatable {
    /// The text.
    public var text: String {
        didSet { moveSelection(to: restoredRange ?? selectedRange) }
    }
    /// The selection, in UTF-16 code units from the start of the text, as in `NSRange`. An empty range is the insertion
    /// point. Always within the text.
    public private(set) var selectedRange = 0..<0
    /// Whether the text is being edited. Until editing ends, the app's model may hold an older text.
    public private(set) var isEditing = false
    /// Whether the text must never be saved, for example because it is a password.
    public var isSecret = false

    /// The selection to restore, kept until restoration is complete and the app has set the text.
    private var restoredRange: Range<Int>?
    /// The unsaved text to restore. Other objects may set the text from the model during restoration, so this text is
    /// applied again at the end.
    private var restoredText: String?
    private var isRestoring = false

    /// Creates a text that is not being edited.
    public init(_ text: String = "") { self.text = text }

    /// Selects part of the text, as a person would.
    public mutating func select(_ range: Range<Int>) {
        restoredRange = nil
        moveSelection(to: range)
    }

    /// Begins editing, like a tap on the text.
    public mutating func beginEditing() { isEditing = true }

    /// Ends editing. Call this after the app has stored the text in its data.
    public mutating func endEditing() {
        isEditing = false
        restoredText = nil
    }

    /// Replaces the selection and begins editing, as a person who types would.
    public mutating func type(_ insertion: String) {
        restoredRange = nil
        restoredText = nil
        let start = text.utf16.index(text.startIndex, offsetBy: selectedRange.lowerBound)
        let end = text.utf16.index(text.startIndex, offsetBy: selectedRange.upperBound)
        let head = String(text[..<start]) + insertion
        text = head + text[end...]
        isEditing = true
        moveSelection(to: head.utf16.count..<head.utf16.count)
    }

    private mutating func moveSelection(to range: Range<Int>) {
        selectedRange = range.clamped(to: 0..<text.utf16.count)
        // Keep `restoredRange` during restoration, and while the text is empty because the app has not set it yet. In a
        // later text, the same range would select other characters.
        if !isRestoring, !text.isEmpty { restoredRange = nil }
    }

    /// The selection to save: `restoredRange` if there is one, or else the current selection.
    fileprivate var rangeToSave: Range<Int> { restoredRange ?? selectedRange }

    fileprivate mutating func restore(_ edit: String?, _ range: Range<Int>?) {
        (restoredText, restoredRange, isRestoring) = (edit, range, true)
        restoreAgain()
    }

    /// Restores the typed text and the selection again, because another object may have set the text meanwhile.
    fileprivate mutating func restoreAgain() {
        if let restoredText {
            text = restoredText
            isEditing = true
        }
        if let restoredRange { moveSelection(to: restoredRange) }
    }

    fileprivate mutating func finishRestoring() {
        restoreAgain()
        (restoredText, isRestoring) = (nil, false)
        if !text.isEmpty { restoredRange = nil }
    }
}

extension TextEditing {
    /// The text, as set by the app. Send a person's input to `type(_:)`.
    public var text: String {
        get { editedText.text }
        set { editedText.text = newValue }
    }
    /// The selection, in UTF-16 code units.
    public var selectedRange: Range<Int> { editedText.selectedRange }
    /// Whether the text is being edited.
    public var isEditing: Bool { editedText.isEditing }

    /// Begins editing, like a tap on the text.
    public func beginEditing() { editedText.beginEditing() }
    /// Selects part of the text, as a person would.
    public func select(_ range: Range<Int>) { editedText.select(range) }
    /// Replaces the selection and begins editing, as a person who types would.
    public func type(_ text: String) { editedText.type(text) }
    /// Ends editing. Call this after the app has stored the text in its data.
    public func endEditing() { editedText.endEditing() }

    /// Saves the selection, and also the text if it is being edited and is not secret.
    public func encodeEditedText(with coder: StateEncoder) {
        let range = editedText.rangeToSave
        coder.encode([range.lowerBound, range.upperBound], forKey: TextKey.selectedRange)
        if isEditing, !editedText.isSecret { coder.encode(text, forKey: TextKey.text) }
    }

    /// Restores the state that `encodeEditedText(with:)` saved.
    public func decodeEditedText(with coder: StateDecoder) {
        let bounds = coder.decode([Int].self, forKey: TextKey.selectedRange) ?? []
        let isRange = bounds.count == 2 && bounds[0] >= 0 && bounds[0] <= bounds[1]
        editedText.restore(coder.decodeString(forKey: TextKey.text), isRange ? bounds[0]..<bounds[1] : nil)
    }

    /// Restores the typed text and the selection again, because other objects may have set the text during restoration.
    public func finishRestoringEditedText() { editedText.finishRestoring() }
}

private enum TextKey {
    static let selectedRange = "kTextSelectedRangeKey"
    static let text = "kTextUnderEditingKey"
}
