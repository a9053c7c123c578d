/// A result of `doctor` about one part of the installation.
struct Finding: Encodable, Hashable {
    enum Result: String, Encodable {
        case ok
        /// Something that an operator must change.
        case problem
        /// Not looked at, for example because nothing runs.
        case skipped
    }

    /// The part, such as `disk`.
    var check: String
    var result: Result
    /// What was found, such as `no backup was made`.
    var text: String
    /// What to do about a problem, such as `chmod 600 keys.json`.
    var action: String?

    static func ok(_ check: String, _ text: String) -> Finding { Finding(check: check, result: .ok, text: text) }

    static func skipped(_ check: String, _ text: String) -> Finding {
        Finding(check: check, result: .skipped, text: text)
    }

    static func problem(_ check: String, _ text: String, do action: String) -> Finding {
        Finding(check: check, result: .problem, text: text, action: action)
    }
}

extension [Finding] {
    /// The findings, or else the clause `text` about a sound part.
    func orOK(_ check: String, _ text: String) -> [Finding] { isEmpty ? [.ok(check, text)] : self }
}
