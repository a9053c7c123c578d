import PlacekeeperArchive
public import PlacekeeperRuntime

/// A sheet that shows actions for some content. While the sheet only shows actions, it isn't saved, because the content
/// is large and may be gone by the next launch (seed row 58). If the user is writing a mail draft in the sheet and the
/// sheet has an identifier, the sheet and its draft are saved (row 59).
///
/// The draft is saved even if a subclass saves its own state without calling `super`. The class of a sheet (this class
/// or a subclass) is also its restoration class. List a subclass with `RestorationEnvironment.add(_:)`.
@MainActor
open class ActivityViewController: ViewController, ViewControllerRestoration {
    /// A mail draft.
    public struct MailDraft: Sendable, Hashable {
        /// The addresses of the recipients.
        public var recipients: [String]
        /// The subject.
        public var subject: String
        /// The text of the mail.
        public var body: String

        /// Creates a draft.
        public init(recipients: [String] = [], subject: String = "", body: String = "") {
            self.recipients = recipients
            self.subject = subject
            self.body = body
        }
    }

    /// The draft that the user is writing. Nil while the sheet only shows actions.
    public final var draft: MailDraft?

    /// Creates a sheet.
    public required override init() {
        super.init()
        restorationClass = type(of: self)
    }

    /// Whether the sheet only shows actions. Such a sheet isn't restored.
    open override var isTransient: Bool { draft == nil }

    /// Creates a sheet, whose draft is later restored by `decodeContainment(with:)`.
    public static func viewController(
        withRestorationIdentifierPath path: [String], coder: StateDecoder
    ) -> (any RestorableViewController)? {
        let sheet = Self()
        sheet.restorationIdentifier = path.last
        return sheet
    }

    open override func encodeContainment(with coder: StateEncoder) {
        super.encodeContainment(with: coder)
        guard let draft else { return }
        let fields: [String: StateValue] = [
            "recipients": .array(draft.recipients.map { .string($0) }), "subject": .string(draft.subject),
            "body": .string(draft.body),
        ]
        coder.encodeStructure(.dictionary(fields), forKey: ReservedKey.Structure.draft)
    }

    open override func decodeContainment(with coder: StateDecoder) {
        super.decodeContainment(with: coder)
        if case .dictionary(let fields)? = coder.value(forKey: ReservedKey.Structure.draft) {
            draft = MailDraft { fields[$0] }
        } else if coder.containsValue(forKey: "recipients") {
            // Earlier versions of this library saved each field of the draft under a separate key.
            draft = MailDraft(coder.value)
        }
    }
}

extension ActivityViewController.MailDraft {
    fileprivate init(_ field: (String) -> StateValue?) {
        func text(_ value: StateValue?) -> String? { if case .string(let text)? = value { text } else { nil } }
        var recipients: [String] = []
        if case .array(let saved)? = field("recipients") { recipients = saved.compactMap(text) }
        self.init(
            recipients: recipients, subject: text(field("subject")) ?? "", body: text(field("body")) ?? "")
    }
}
