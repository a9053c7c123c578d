import KeyedArchive
public import StateRestoration

/// A sheet that offers what can be done with something. It is not saved, since what it was given is heavy and may be
/// gone (seed row 58). A mail that is being written in it is: give it an identifier, and the draft comes back (row 59).
///
/// The runtime saves the draft by itself, whatever a subclass saves. A subclass is made anew by itself: list it by
/// `RestorationEnvironment.add(_:)`.
@MainActor
open class ActivityViewController: ViewController, ViewControllerRestoration {
    /// A mail that is being written.
    public struct MailDraft: Sendable, Hashable {
        /// Whom it is for.
        public var recipients: [String]
        /// What it is about.
        public var subject: String
        /// What it says.
        public var body: String

        /// Makes a draft.
        public init(recipients: [String] = [], subject: String = "", body: String = "") {
            self.recipients = recipients
            self.subject = subject
            self.body = body
        }
    }

    /// The mail that is being written; nil while the sheet merely offers.
    public final var draft: MailDraft?

    /// Makes a sheet.
    public required override init() {
        super.init()
        restorationClass = type(of: self)
    }

    /// Whether it merely offers.
    open override var isTransient: Bool { draft == nil }

    /// A sheet for the draft.
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
            // As earlier versions saved it.
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
