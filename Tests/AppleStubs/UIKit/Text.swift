// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
public import Foundation

// uikit/uitextposition, uikit/uitextrange
@MainActor open class UITextPosition: NSObject {
    let offset: Int
    init(_ offset: Int) { self.offset = offset }
}
@MainActor open class UITextRange: NSObject {
    open var start: UITextPosition
    open var end: UITextPosition
    open var isEmpty: Bool { start.offset == end.offset }
    init(_ range: NSRange) {
        start = UITextPosition(range.location)
        end = UITextPosition(range.location + range.length)
    }
    var range: NSRange { NSRange(location: start.offset, length: end.offset - start.offset) }
}

// uikit/uitextinput
@MainActor public protocol UITextInput: AnyObject {
    var selectedTextRange: UITextRange? { get set }
    var beginningOfDocument: UITextPosition { get }
    var endOfDocument: UITextPosition { get }
    func position(from position: UITextPosition, offset: Int) -> UITextPosition?
    func offset(from: UITextPosition, to toPosition: UITextPosition) -> Int
    func textRange(from fromPosition: UITextPosition, to toPosition: UITextPosition) -> UITextRange?
    func text(in range: UITextRange) -> String?
    func replace(_ range: UITextRange, withText text: String)
}

// uikit/uitextinputtraits
@MainActor public protocol UITextInputTraits: NSObjectProtocol {
    var isSecureTextEntry: Bool { get set }
    var textContentType: UITextContentType! { get set }
}

// uikit/uitextcontenttype
public struct UITextContentType: RawRepresentable, Hashable, Sendable {
    public init(rawValue: String) { self.rawValue = rawValue }
    public let rawValue: String
    public static let name = UITextContentType(rawValue: "name")
    public static let username = UITextContentType(rawValue: "username")
    public static let emailAddress = UITextContentType(rawValue: "email")
    public static let password = UITextContentType(rawValue: "password")
    public static let newPassword = UITextContentType(rawValue: "new-password")
    public static let oneTimeCode = UITextContentType(rawValue: "one-time-code")
    public static let creditCardNumber = UITextContentType(rawValue: "cc-number")
    public static let URL = UITextContentType(rawValue: "url")
}

// uikit/uikeyboardtype, uikit/uireturnkeytype
public enum UIKeyboardType: Int, Sendable {
    case `default` = 0
    case asciiCapable = 1
    case numbersAndPunctuation = 2
    case URL = 3
    case numberPad = 4
    case phonePad = 5
    case emailAddress = 7
}
public enum UIReturnKeyType: Int, Sendable {
    case `default` = 0
    case go = 1
    case next = 4
    case search = 6
    case done = 9
}

/// A text and its selection, in UTF-16 units as UIKit counts.
struct EditedText {
    private(set) var text = ""
    var selection = NSRange(location: 0, length: 0) {
        didSet {
            let start = max(0, min(count, selection.location))
            let end = max(start, min(count, selection.location + selection.length))
            selection = NSRange(location: start, length: end - start)
        }
    }
    var count: Int { text.utf16.count }

    /// Sets the text, and puts the cursor behind it.
    mutating func set(_ text: String) {
        self.text = text
        selection = NSRange(location: text.utf16.count, length: 0)
    }
    func text(in range: NSRange) -> String {
        let units = Array(text.utf16)
        let (start, end) = (max(0, range.location), min(units.count, range.location + range.length))
        return start < end ? String(decoding: units[start..<end], as: UTF16.self) : ""
    }
    mutating func replace(_ range: NSRange, with new: String) {
        let units = Array(text.utf16)
        let start = max(0, min(units.count, range.location))
        let end = max(start, min(units.count, range.location + range.length))
        text = String(decoding: units[..<start] + Array(new.utf16) + units[end...], as: UTF16.self)
        selection = NSRange(location: start + new.utf16.count, length: 0)
    }
}

extension UITextInput {
    func shifted(_ position: UITextPosition, by offset: Int) -> UITextPosition? {
        let new = position.offset + offset
        return (0...endOfDocument.offset) ~= new ? UITextPosition(new) : nil
    }
    func range(_ first: UITextPosition, _ second: UITextPosition) -> UITextRange {
        let (start, end) = (min(first.offset, second.offset), max(first.offset, second.offset))
        return UITextRange(NSRange(location: start, length: end - start))
    }
}

// uikit/uitextfielddelegate
@MainActor public protocol UITextFieldDelegate: NSObjectProtocol {
    func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool
    func textFieldDidBeginEditing(_ textField: UITextField)
    func textFieldShouldEndEditing(_ textField: UITextField) -> Bool
    func textFieldDidEndEditing(_ textField: UITextField)
    func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool
    func textFieldDidChangeSelection(_ textField: UITextField)
    func textFieldShouldReturn(_ textField: UITextField) -> Bool
}
extension UITextFieldDelegate {
    public func textFieldShouldBeginEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidBeginEditing(_ textField: UITextField) {}
    public func textFieldShouldEndEditing(_ textField: UITextField) -> Bool { true }
    public func textFieldDidEndEditing(_ textField: UITextField) {}
    public func textField(
        _ textField: UITextField, shouldChangeCharactersIn range: NSRange, replacementString string: String
    ) -> Bool { true }
    public func textFieldDidChangeSelection(_ textField: UITextField) {}
    public func textFieldShouldReturn(_ textField: UITextField) -> Bool { true }
}

// uikit/uitextviewdelegate
@MainActor public protocol UITextViewDelegate: UIScrollViewDelegate {
    func textViewShouldBeginEditing(_ textView: UITextView) -> Bool
    func textViewDidBeginEditing(_ textView: UITextView)
    func textViewShouldEndEditing(_ textView: UITextView) -> Bool
    func textViewDidEndEditing(_ textView: UITextView)
    func textView(_ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String) -> Bool
    func textViewDidChange(_ textView: UITextView)
    func textViewDidChangeSelection(_ textView: UITextView)
}
extension UITextViewDelegate {
    public func textViewShouldBeginEditing(_ textView: UITextView) -> Bool { true }
    public func textViewDidBeginEditing(_ textView: UITextView) {}
    public func textViewShouldEndEditing(_ textView: UITextView) -> Bool { true }
    public func textViewDidEndEditing(_ textView: UITextView) {}
    public func textView(
        _ textView: UITextView, shouldChangeTextIn range: NSRange, replacementText text: String
    ) -> Bool { true }
    public func textViewDidChange(_ textView: UITextView) {}
    public func textViewDidChangeSelection(_ textView: UITextView) {}
}
