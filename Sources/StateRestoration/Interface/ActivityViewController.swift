import KeyedArchive

/// A sheet that offers what can be done with something. It is not saved, since what it was given is heavy and may be
/// gone (seed row 58). A mail that is being written in it is: give it an identifier, and the draft comes back (row 59).
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
        restorationClass = ActivityViewController.self
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

    open override func encodeRestorableState(with coder: StateEncoder) {
        guard let draft else { return }
        coder.encode(.array(draft.recipients.map { .string($0) }), forKey: "recipients")
        coder.encode(draft.subject, forKey: "subject")
        coder.encode(draft.body, forKey: "body")
    }

    open override func decodeRestorableState(with coder: StateDecoder) throws {
        var recipients: [String] = []
        if case .array(let saved)? = coder.value(forKey: "recipients") {
            recipients = saved.compactMap { if case .string(let text) = $0 { text } else { nil } }
        }
        draft = MailDraft(
            recipients: recipients, subject: coder.decodeString(forKey: "subject") ?? "",
            body: coder.decodeString(forKey: "body") ?? "")
    }
}
