import RestorationService

/// An explanation as the command prints it.
struct ExplanationReport: Encodable {
    struct Candidate: Encodable {
        var archive: String
        var revision: Int64
        var device: String
        var idiom: String
        var bundleVersion: String?
        var capturedAt: String
        var place: [String]
        /// nil when it may not be restored at all.
        var fidelity: String?
        var isServed: Bool
        var reasons: [Reason]
    }

    struct Reason: Encodable {
        var code: String
        var archive: String?
        var required: String?
        var blocks: String

        /// Such as `bundle-version-newer (42, asked 41)`.
        var text: String {
            let values = [archive, required.map { "asked \($0)" }].compactMap { $0 }
            return code + (values.isEmpty ? "" : " (\(values.joined(separator: ", ")))")
        }
    }

    var head: Int64?
    var candidates: [Candidate]

    init(_ explanation: Explanation) {
        head = explanation.head?.rawValue
        candidates = explanation.candidates.map { candidate in
            let archive = candidate.archive
            return Candidate(
                archive: archive.id.description, revision: archive.revision.rawValue,
                device: archive.device.description, idiom: archive.context.idiom.name,
                bundleVersion: archive.context.bundleVersion,
                capturedAt: archive.capturedAt.text,
                place: archive.summary.place, fidelity: candidate.fidelity.map(Self.name),
                isServed: archive.id == explanation.served,
                reasons: candidate.reasons.map {
                    Reason(code: $0.code, archive: $0.archive, required: $0.required, blocks: Self.name($0.blocks))
                })
        }
    }

    var table: String {
        guard !candidates.isEmpty else { return "nothing is stored for this scene" }
        let rows = candidates.map { candidate in
            [
                candidate.isServed ? "→" : "", "\(candidate.revision)", candidate.capturedAt, candidate.idiom,
                candidate.bundleVersion ?? "–", candidate.fidelity ?? "refused",
                candidate.reasons.map(\.text).joined(separator: ", "),
            ]
        }
        return Table(
            header: ["", "REVISION", "CAPTURED", "IDIOM", "VERSION", "RESTORES", "AGAINST IT"], rows: rows
        ).text
    }

    private static func name(_ fidelity: Fidelity) -> String { fidelity == .full ? "full" : "place" }
}
