import RestorationService

extension Explanation {
    /// The candidates for a terminal, each with what speaks against it.
    var table: String {
        guard !candidates.isEmpty else { return "nothing is stored for this scene" }
        let rows = candidates.map { candidate in
            [
                candidate.archive.id == served ? "→" : "", "\(candidate.archive.revision.rawValue)",
                candidate.archive.capturedAt.text, candidate.archive.context.idiom.name,
                candidate.archive.context.bundleVersion ?? "–", name(of: candidate.fidelity),
                candidate.reasons.map(text(of:)).joined(separator: ", "),
            ]
        }
        return Table(
            header: ["", "REVISION", "CAPTURED", "IDIOM", "VERSION", "RESTORES", "AGAINST IT"], rows: rows
        ).text
    }

    private func name(of fidelity: Fidelity?) -> String {
        switch fidelity {
        case .full: "full"
        case .place: "place"
        case nil: "refused"
        }
    }

    /// Whether something was refused for want of a version to compare by.
    var lacksVersion: Bool { candidates.contains { $0.lacksVersion(of: asked) } }

    /// Such as `bundle-version-newer (42, asked 41)`.
    private func text(of reason: Reason) -> String {
        let isVersion = reason.code == Reason.Code.bundleVersionNewer.rawValue
        let required = isVersion && asked.bundleVersion == nil ? "none" : reason.required
        let values = [reason.archive, required.map { "asked \($0)" }].compactMap(\.self)
        return reason.code + (values.isEmpty ? "" : " (\(values.joined(separator: ", ")))")
    }
}
