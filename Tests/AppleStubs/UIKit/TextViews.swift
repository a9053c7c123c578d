// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uitextfield
@MainActor open class UITextField: UIControl, UITextInput, UITextInputTraits {
    public enum BorderStyle: Int, Sendable {
        case none = 0
        case line = 1
        case bezel = 2
        case roundedRect = 3
    }
    open weak var delegate: (any UITextFieldDelegate)?
    var content = EditedText()
    open private(set) var isEditing = false
    open var text: String? {
        get { content.text }
        set {
            content.set(newValue ?? "")
            selectionDidChange()
        }
    }
    open var placeholder: String?
    open var font: UIFont? = .systemFont(ofSize: 17)
    open var textColor: UIColor?
    open var textAlignment: NSTextAlignment = .natural
    open var borderStyle: BorderStyle = .none
    open var isSecureTextEntry = false
    open var textContentType: UITextContentType!
    open var keyboardType: UIKeyboardType = .default
    open var returnKeyType: UIReturnKeyType = .default
    open var clearsOnBeginEditing = false

    open var selectedTextRange: UITextRange? {
        get { UITextRange(content.selection) }
        set {
            guard let newValue else { return }
            content.selection = newValue.range
            selectionDidChange()
        }
    }
    open var beginningOfDocument: UITextPosition { UITextPosition(0) }
    open var endOfDocument: UITextPosition { UITextPosition(content.count) }
    open func position(from position: UITextPosition, offset: Int) -> UITextPosition? {
        shifted(position, by: offset)
    }
    open func offset(from: UITextPosition, to toPosition: UITextPosition) -> Int { toPosition.offset - from.offset }
    open func textRange(from fromPosition: UITextPosition, to toPosition: UITextPosition) -> UITextRange? {
        range(fromPosition, toPosition)
    }
    open func text(in range: UITextRange) -> String? { content.text(in: range.range) }
    open func replace(_ range: UITextRange, withText text: String) {
        content.replace(range.range, with: text)
        sendActions(for: .editingChanged)
    }
    open func insertText(_ text: String) { replace(UITextRange(content.selection), withText: text) }
    open func deleteBackward() {
        var range = content.selection
        if range.length == 0, range.location > 0 { range = NSRange(location: range.location - 1, length: 1) }
        replace(UITextRange(range), withText: "")
    }
    open func selectAll(_ sender: Any?) {
        content.selection = NSRange(location: 0, length: content.count)
        selectionDidChange()
    }
    private func selectionDidChange() { if isEditing { delegate?.textFieldDidChangeSelection(self) } }

    open override var canBecomeFirstResponder: Bool { isEnabled }
    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        if isFirstResponder { return true }
        guard window != nil, delegate?.textFieldShouldBeginEditing(self) != false, super.becomeFirstResponder() else {
            return false
        }
        isEditing = true
        if clearsOnBeginEditing { text = "" }
        sendActions(for: .editingDidBegin)
        delegate?.textFieldDidBeginEditing(self)
        return true
    }
    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        guard delegate?.textFieldShouldEndEditing(self) != false, super.resignFirstResponder() else { return false }
        isEditing = false
        sendActions(for: .editingDidEnd)
        delegate?.textFieldDidEndEditing(self)
        return true
    }

    open override func encodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("encodeRestorableState(with:)", of: "UITextField", in: self)
    }
    open override func decodeRestorableState(with coder: NSCoder) {
        UIKitDouble.noteCoder("decodeRestorableState(with:)", of: "UITextField", in: self)
    }
}

// uikit/uitextview
@MainActor open class UITextView: UIScrollView, UITextInput, UITextInputTraits {
    private weak var textDelegate: (any UITextViewDelegate)?
    open var delegate: (any UITextViewDelegate)? {
        get { textDelegate }
        set {
            textDelegate = newValue
            scrollDelegate = newValue
        }
    }
    var content = EditedText()
    open var text: String! {
        get { content.text }
        set {
            content.set(newValue ?? "")
            textDelegate?.textViewDidChangeSelection(self)
        }
    }
    open var font: UIFont?
    open var textColor: UIColor?
    open var textAlignment: NSTextAlignment = .natural
    open var isEditable = true
    open var isSelectable = true
    open var isSecureTextEntry = false
    open var textContentType: UITextContentType!
    open var keyboardType: UIKeyboardType = .default

    open var selectedRange: NSRange {
        get { content.selection }
        set {
            content.selection = newValue
            textDelegate?.textViewDidChangeSelection(self)
        }
    }
    open var selectedTextRange: UITextRange? {
        get { UITextRange(content.selection) }
        set { if let newValue { selectedRange = newValue.range } }
    }
    open var beginningOfDocument: UITextPosition { UITextPosition(0) }
    open var endOfDocument: UITextPosition { UITextPosition(content.count) }
    open func position(from position: UITextPosition, offset: Int) -> UITextPosition? {
        shifted(position, by: offset)
    }
    open func offset(from: UITextPosition, to toPosition: UITextPosition) -> Int { toPosition.offset - from.offset }
    open func textRange(from fromPosition: UITextPosition, to toPosition: UITextPosition) -> UITextRange? {
        range(fromPosition, toPosition)
    }
    open func text(in range: UITextRange) -> String? { content.text(in: range.range) }
    open func replace(_ range: UITextRange, withText text: String) {
        content.replace(range.range, with: text)
        textDelegate?.textViewDidChange(self)
    }
    open func insertText(_ text: String) { replace(UITextRange(content.selection), withText: text) }
    open func scrollRangeToVisible(_ range: NSRange) {}

    open override var canBecomeFirstResponder: Bool { isEditable || isSelectable }
    @discardableResult
    open override func becomeFirstResponder() -> Bool {
        if isFirstResponder { return true }
        if isEditable, window == nil || textDelegate?.textViewShouldBeginEditing(self) == false { return false }
        guard super.becomeFirstResponder() else { return false }
        if isEditable { textDelegate?.textViewDidBeginEditing(self) }
        return true
    }
    @discardableResult
    open override func resignFirstResponder() -> Bool {
        guard isFirstResponder else { return true }
        if isEditable, textDelegate?.textViewShouldEndEditing(self) == false { return false }
        guard super.resignFirstResponder() else { return false }
        if isEditable { textDelegate?.textViewDidEndEditing(self) }
        return true
    }
}

extension UITextField { public var double: UITextFieldDouble { UITextFieldDouble(field: self) } }
extension UITextView { public var double: UITextViewDouble { UITextViewDouble(view: self) } }

/// What the user does with a text field.
@MainActor public struct UITextFieldDouble {
    let field: UITextField

    /// Types a text in place of the selection. The field begins to edit first if it doesn't yet.
    public func type(_ text: String) {
        precondition(field.becomeFirstResponder(), "The text field doesn't begin to edit.")
        let range = field.content.selection
        let mayChange = field.delegate?.textField(field, shouldChangeCharactersIn: range, replacementString: text)
        if mayChange != false { field.insertText(text) }
    }

    /// Presses the return key.
    public func pressReturn() {
        if field.delegate?.textFieldShouldReturn(field) != false { field.sendActions(for: .editingDidEndOnExit) }
    }
}

/// What the user does with a text view.
@MainActor public struct UITextViewDouble {
    let view: UITextView

    /// Types a text in place of the selection. The view begins to edit first if it doesn't yet.
    public func type(_ text: String) {
        precondition(view.isEditable && view.becomeFirstResponder(), "The text view doesn't begin to edit.")
        let range = view.content.selection
        if view.delegate?.textView(view, shouldChangeTextIn: range, replacementText: text) != false {
            view.insertText(text)
        }
    }
}
