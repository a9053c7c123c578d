import Foundation
import Testing
import UIKit

/// Text fields and text views.
@MainActor
struct TextTests {
    /// How the window is opened, and where the screen is.
    struct Opening: CaseIterable {
        var appearsLate: Bool
        /// Whether the screen is pushed by the restore.
        var isPushed: Bool
        static var allCases: [Opening] {
            [false, true].flatMap { late in [false, true].map { Opening(appearsLate: late, isPushed: $0) } }
        }
    }

    private let device = Device(.phone)

    private func open(_ opening: Opening = Opening(appearsLate: false, isPushed: false)) async -> SmallWindow<FormStack>
    {
        await SmallApp(device).open(.init(appearsInForeground: opening.appearsLate)) {
            FormStack(opening.isPushed ? FirstPage("First") : Form(isFirst: true))
        }
    }

    /// Leaves a form after an action of the person, and opens it again.
    private func reopened(
        _ opening: Opening = Opening(appearsLate: false, isPushed: false), after action: (Form) -> Void
    )
        async throws -> Form
    {
        let first = await open(opening)
        try first.play { stack in
            if opening.isPushed { stack.pushViewController(Form(), animated: false) }
            action(try #require(stack.form))
        }
        try await first.leave()
        return try #require(await open(opening).root.form)
    }

    @Test("text under editing comes back with its selection, and editing goes on", arguments: Opening.allCases)
    func restoresEditing(_ opening: Opening) async throws {
        let form = try await reopened(opening) { form in
            form.name.double.type(" Lovelace")
            form.name.selection = NSRange(location: 2, length: 4)
        }
        #expect(form.name.text == "Ada Lovelace")
        #expect(form.name.isFirstResponder)
        #expect(form.name.selection == NSRange(location: 2, length: 4))

        let again = try await reopened(opening) { form in
            form.notes.double.type(" 👩🏽‍🔬 more")
            form.notes.selectedRange = NSRange(location: 1, length: 3)
        }
        #expect(again.notes.text == "Notes 👩🏽‍🔬 more")
        #expect(again.notes.isFirstResponder)
        #expect(again.notes.selectedRange == NSRange(location: 1, length: 3))
        #expect(!again.name.isFirstResponder)
    }

    @Test(
        "text under editing comes back in a field that clears its text when editing begins", arguments: [false, true])
    func restoresEditingOfClearingField(_ late: Bool) async throws {
        let form = try await reopened(Opening(appearsLate: late, isPushed: false)) { form in
            form.search.double.type("whales")
            form.search.selection = NSRange(location: 1, length: 2)
        }
        #expect(form.search.text == "whales")
        #expect(form.search.isFirstResponder)
        #expect(form.search.selection == NSRange(location: 1, length: 2))
    }

    @Test("text that isn't under editing belongs to the app, and keeps only its selection")
    func restoresSelection() async throws {
        let form = try await reopened { form in
            form.name.text = "Grace"
            form.name.selection = NSRange(location: 1, length: 2)
            form.notes.selectedRange = NSRange(location: 3, length: 1)
        }
        #expect(form.name.text == "Ada")
        #expect(form.name.selection == NSRange(location: 1, length: 2))
        #expect(form.notes.selectedRange == NSRange(location: 3, length: 1))
        #expect(!form.name.isFirstResponder && !form.notes.isFirstResponder)
    }

    @Test("a selection beyond the end of the app's text ends with it")
    func clampsSelection() async throws {
        let form = try await reopened { form in
            form.notes.text = "Notes that are much longer"
            form.notes.selectedRange = NSRange(location: 3, length: 20)
        }
        #expect(form.notes.text == "Notes")
        #expect(form.notes.selectedRange.location <= 5)
    }

    @Test("a password under editing is neither saved nor restored")
    func leavesOutPassword() async throws {
        let secrets = ["correct horse", "123456"]
        let form = try await reopened { form in
            form.password.double.type(secrets[0])
            #expect(form.password.isFirstResponder)
        }
        #expect(form.password.text == "")
        let other = try await reopened { $0.code.double.type(secrets[1]) }
        #expect(other.code.text == "")
        let files = FileManager.default.enumerator(at: device.folder, includingPropertiesForKeys: nil)
        for case let file as URL in try #require(files) {
            let text = (try? Data(contentsOf: file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
            for secret in secrets { #expect(!text.contains(secret)) }
        }
    }

    @Test("a text view keeps whether it is editable, and its offset")
    func restoresTextView() async throws {
        let form = try await reopened { form in
            form.notes.isEditable = false
            form.notes.contentOffset = CGPoint(x: 0, y: 123)
        }
        #expect(!form.notes.isEditable)
        #expect(form.notes.contentOffset.y == 123)
    }

    @Test("a selection in a text that hasn't arrived is saved again")
    func keepsSelectionOfMissingText() async throws {
        func open(_ text: String) async -> SmallWindow<FormStack> {
            await SmallApp(device).open { FormStack(Form(notes: text, isFirst: true)) }
        }
        let first = await open("Notes")
        first.play { $0.form?.notes.selectedRange = NSRange(location: 2, length: 2) }
        try await first.leave()
        try await open("").leave()
        #expect(await open("Notes").root.form?.notes.selectedRange == NSRange(location: 2, length: 2))
    }
}

/// A stack with a form.
private final class FormStack: UINavigationController {
    convenience init(_ page: UIViewController) {
        self.init(rootViewController: page)
        restorationIdentifier = "Stack"
    }
    var form: Form? { topViewController as? Form }
}

final class Form: UIViewController, UIViewControllerRestoration {
    let name = UITextField()
    let password = UITextField()
    let code = UITextField()
    let search = UITextField()
    let notes = UITextView(frame: CGRect(x: 0, y: 0, width: 300, height: 300))
    private let text: String

    init(notes text: String = "Notes", isFirst: Bool = false) {
        self.text = text
        super.init(nibName: nil, bundle: nil)
        (restorationIdentifier, restorationClass) = ("Form", isFirst ? nil : Form.self)
    }
    required init?(coder: NSCoder) { nil }

    static func viewController(
        withRestorationIdentifierPath identifierComponents: [String], coder: NSCoder
    ) -> UIViewController? { Form() }

    override func viewDidLoad() {
        super.viewDidLoad()
        name.text = "Ada"
        notes.text = text
        password.isSecureTextEntry = true
        code.textContentType = .oneTimeCode
        (search.text, search.clearsOnBeginEditing) = ("last", true)
        let views: [(UIView, String)] = [
            (name, "Name"), (password, "Password"), (code, "Code"), (search, "Search"), (notes, "Notes"),
        ]
        for (field, identifier) in views {
            field.restorationIdentifier = identifier
            view.addSubview(field)
        }
    }
}

extension UITextField {
    /// The selected range, in UTF-16 code units.
    fileprivate var selection: NSRange? {
        get {
            guard let range = selectedTextRange else { return nil }
            let start = offset(from: beginningOfDocument, to: range.start)
            return NSRange(location: start, length: offset(from: range.start, to: range.end))
        }
        set {
            guard let newValue, let start = position(from: beginningOfDocument, offset: newValue.location),
                let end = position(from: start, offset: newValue.length)
            else { return }
            selectedTextRange = textRange(from: start, to: end)
        }
    }
}
