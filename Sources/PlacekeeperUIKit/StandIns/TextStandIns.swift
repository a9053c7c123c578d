#if canImport(UIKit) && !os(watchOS)
    import PlacekeeperRuntime
    import PlacekeeperKit
    import UIKit

    /// Represents a text field: its selection, and the text under editing (seed row 78).
    final class TextFieldStandIn: ViewStandIn, TextEditing {
        private lazy var restoring = TextRestoring(represented as? UITextField)
        var editedText: EditedText {
            get { restoring.text }
            set { restoring.show(newValue) }
        }

        override func encodeRestorableState(with coder: StateEncoder) {
            encodeEditedText(with: coder)
            super.encodeRestorableState(with: coder)
        }
        override func decodeRestorableState(with coder: StateDecoder) throws {
            decodeEditedText(with: coder)
            try super.decodeRestorableState(with: coder)
        }
        override func applicationFinishedRestoringState() {
            super.applicationFinishedRestoringState()
            restoring.finish { finishRestoringEditedText() }
        }
    }

    /// Represents a text view: also whether it is editable, and what a scroll view restores.
    final class TextViewStandIn: ScrollStandIn, TextEditing {
        private lazy var restoring = TextRestoring(represented as? UITextView)
        var editedText: EditedText {
            get { restoring.text }
            set { restoring.show(newValue) }
        }

        override func encodeRestorableState(with coder: StateEncoder) {
            encodeEditedText(with: coder)
            #if !os(tvOS)
                if let view = represented as? UITextView { coder.encode(view.isEditable, forKey: Self.editableKey) }
            #endif
            super.encodeRestorableState(with: coder)
        }
        override func decodeRestorableState(with coder: StateDecoder) throws {
            #if !os(tvOS)
                if let isEditable = coder.decode(Bool.self, forKey: Self.editableKey) {
                    (represented as? UITextView)?.isEditable = isEditable
                }
            #endif
            decodeEditedText(with: coder)
            try super.decodeRestorableState(with: coder)
        }
        override func applicationFinishedRestoringState() {
            restoring.finish { finishRestoringEditedText() }
            super.applicationFinishedRestoringState()
        }

        private static let editableKey = "kTextViewEditableKey"
    }

    /// The text of a text field or a text view. A restored text and selection are kept until restoration is complete,
    /// and until the app has set a text.
    @MainActor
    private final class TextRestoring {
        private weak var view: (any TextInput)?
        private var restored: EditedText?
        private var isRestoring = false

        init(_ view: (any TextInput)?) { self.view = view }

        var text: EditedText {
            guard let view else { return restored ?? EditedText() }
            if let restored, isRestoring || view.content.isEmpty && !view.isBeingEdited { return restored }
            restored = nil
            var text = EditedText(view.content)
            if let selection = view.selection { text.select(selection) }
            if view.isBeingEdited { text.beginEditing() }
            text.isSecret = view.isSecret
            return text
        }

        func show(_ text: EditedText) {
            restored = text
            guard let view else { return }
            isRestoring = true
            if text.isEditing, view.content != text.text { view.content = text.text }
            view.selection = text.selectedRange
        }

        /// Restores the text and the selection again, because the app may have set the text meanwhile.
        func finish(_ finish: () -> Void) {
            guard isRestoring, let view else { return }
            restored?.text = view.content
            finish()
            isRestoring = false
            if let restored, restored.isEditing { beginEditing(restored) }
            if !view.content.isEmpty { restored = nil }
        }

        private func beginEditing(_ text: EditedText) {
            guard let view else { return }
            if view.beginEditing(text) { return }
            // Before the window appears, the view may be in no window, so that it can't become the first responder.
            Made.current?.whenActive { [weak view] in _ = view?.beginEditing(text) }
        }
    }

    /// What a text field and a text view have in common.
    /// https://developer.apple.com/documentation/uikit/uitextinput
    @MainActor
    private protocol TextInput: UIView {
        var content: String { get set }
        var isBeingEdited: Bool { get }
        var isSecret: Bool { get }
        var selectedTextRange: UITextRange? { get set }
        var beginningOfDocument: UITextPosition { get }
        func position(from position: UITextPosition, offset: Int) -> UITextPosition?
        func offset(from: UITextPosition, to: UITextPosition) -> Int
        func textRange(from: UITextPosition, to: UITextPosition) -> UITextRange?
    }

    extension TextInput {
        /// Begins to edit a restored text. Returns false if the view can't become the first responder.
        fileprivate func beginEditing(_ text: EditedText) -> Bool {
            guard becomeFirstResponder() else { return false }
            // https://developer.apple.com/documentation/uikit/uitextfield/clearsonbeginediting
            if content.isEmpty { content = text.text }
            selection = text.selectedRange
            return true
        }

        /// The selection, in UTF-16 code units. Setting a range beyond the end, or nil, changes nothing.
        fileprivate var selection: Range<Int>? {
            get {
                selectedTextRange.map { range in
                    let start = offset(from: beginningOfDocument, to: range.start)
                    return start..<max(start, offset(from: beginningOfDocument, to: range.end))
                }
            }
            set {
                guard let newValue, let start = position(from: beginningOfDocument, offset: newValue.lowerBound),
                    let end = position(from: beginningOfDocument, offset: newValue.upperBound),
                    let range = textRange(from: start, to: end)
                else { return }
                selectedTextRange = range
            }
        }
    }

    extension UITextField: TextInput {
        fileprivate var content: String {
            get { text ?? "" }
            set { text = newValue }
        }
        fileprivate var isBeingEdited: Bool { isEditing }
        fileprivate var isSecret: Bool { isSecureTextEntry || textContentType.isSecret }
    }

    extension UITextView: TextInput {
        fileprivate var content: String {
            get { text ?? "" }
            set { text = newValue }
        }
        fileprivate var isBeingEdited: Bool { isFirstResponder }
        fileprivate var isSecret: Bool { isSecureTextEntry || textContentType.isSecret }
    }

    extension UITextContentType? {
        /// Whether the content is a password, a code, or a part of a payment card.
        fileprivate var isSecret: Bool { self.map { DenyList.standard.deniesContentType($0.rawValue) } == true }
    }
#endif
