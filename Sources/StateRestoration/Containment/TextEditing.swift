import KeyedArchive

/// A view in which a person edits a text: adopt it, and the selection comes back, and the text as far as it is under
/// editing (row 78). A text that nobody edits belongs to the app's data, and is not saved (row 31).
@MainActor
public protocol TextEditing: RestorableView {
    /// The text, its selection, and whether a person is editing it.
    var editedText: EditedText { get set }
}

/// A text that a person may be editing.
public struct EditedText: Sendable, Hashable {
    /// The text.
    public var text: String {
        didSet { moveSelection(to: restoredRange ?? selectedRange) }
    }
    /// The selection, in UTF-16 code units from the start of the text, as `NSRange` counts; where it is empty, the
    /// insertion point. It never exceeds the text.
    public private(set) var selectedRange = 0..<0
    /// Whether a person is editing the text: the app's model may hold an older text.
    public private(set) var isEditing = false
    /// Whether the text is never saved, such as a password.
    public var isSecret = false

    /// The selection to restore. It is kept until everything is restored, and then until the text arrives.
    private var restoredRange: Range<Int>?
    /// The text that was typed and not kept. Until everything is restored, other objects may set the text to the
    /// model's.
    private var restoredText: String?
    private var isRestoring = false

    /// Makes a text that nobody edits.
    public init(_ text: String = "") { self.text = text }

    /// A person selects a part of the text.
    public mutating func select(_ range: Range<Int>) {
        restoredRange = nil
        moveSelection(to: range)
    }

    /// A person begins to edit the text.
    public mutating func beginEditing() { isEditing = true }

    /// The text is taken into the app's data: nobody edits it any more.
    public mutating func endEditing() {
        isEditing = false
        restoredText = nil
    }

    /// A person types: the selection is replaced, and the text is under editing.
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
        // Only an empty text has yet to arrive: in another text the selection would be of something else.
        if !isRestoring, !text.isEmpty { restoredRange = nil }
    }

    /// The selection, or the one to restore once the text is there.
    fileprivate var rangeToSave: Range<Int> { restoredRange ?? selectedRange }

    fileprivate mutating func restore(_ edit: String?, _ range: Range<Int>?) {
        (restoredText, restoredRange, isRestoring) = (edit, range, true)
        restoreAgain()
    }

    /// Brings the typed text back, although the text was set meanwhile.
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
    /// The text. To set it is the app's part, not a person's.
    public var text: String {
        get { editedText.text }
        set { editedText.text = newValue }
    }
    /// The selection, in UTF-16 code units.
    public var selectedRange: Range<Int> { editedText.selectedRange }
    /// Whether a person is editing the text.
    public var isEditing: Bool { editedText.isEditing }

    /// A person begins to edit the text.
    public func beginEditing() { editedText.beginEditing() }
    /// A person selects a part of the text.
    public func select(_ range: Range<Int>) { editedText.select(range) }
    /// A person types: the selection is replaced, and the text is under editing.
    public func type(_ text: String) { editedText.type(text) }
    /// The text is taken into the app's data: nobody edits it any more.
    public func endEditing() { editedText.endEditing() }

    /// Saves the selection, and the text while it is under editing.
    public func encodeEditedText(with coder: StateEncoder) {
        let range = editedText.rangeToSave
        coder.encode([range.lowerBound, range.upperBound], forKey: TextKey.selectedRange)
        if isEditing, !editedText.isSecret { coder.encode(text, forKey: TextKey.text) }
    }

    /// Brings back what `encodeEditedText(with:)` saved.
    public func decodeEditedText(with coder: StateDecoder) {
        let bounds = coder.decode([Int].self, forKey: TextKey.selectedRange) ?? []
        let isRange = bounds.count == 2 && bounds[0] >= 0 && bounds[0] <= bounds[1]
        editedText.restore(coder.decodeString(forKey: TextKey.text), isRange ? bounds[0]..<bounds[1] : nil)
    }

    /// Brings the typed text back once more, since other objects may have set the text while they were restored.
    public func finishRestoringEditedText() { editedText.finishRestoring() }
}

private enum TextKey {
    static let selectedRange = "kTextSelectedRangeKey"
    static let text = "kTextUnderEditingKey"
}
