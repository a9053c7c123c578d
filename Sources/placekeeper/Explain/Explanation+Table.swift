import PlacekeeperCore
import PlacekeeperServer
import PlacekeeperService

extension Explanation {
    /// A table for a terminal: the candidates, and the reasons against each one.
    var table: String {
        guard !candidates.isEmpty else { return "no archive is stored for this scene" }
        let rows = candidates.map { candidate in
            [
                candidate.archive.id == served ? "→" : "", "\(candidate.archive.revision.rawValue)",
                candidate.archive.stateTime.text, candidate.archive.context.idiom.name,
                candidate.archive.context.bundleVersion ?? "–", name(of: candidate.fidelity),
                candidate.reasons.map(text(of:)).joined(separator: ", "),
            ]
        }
        return Table(
            header: ["", "REVISION", "CAPTURED", "IDIOM", "VERSION", "RESTORES", "REASONS"], rows: rows
        ).text
    }

    private func name(of fidelity: Fidelity?) -> String {
        switch fidelity {
        case .full: "full"
        case .place: "place"
        case nil: "refused"
        }
    }

    /// Whether an archive was refused because the request contains no version to compare.
    var lacksVersion: Bool { candidates.contains { $0.lacksVersion(of: asked) } }

    /// Returns a reason's code with the compared values, such as `bundle-version-newer (42, asked 41)`, or with details
    /// of the failed restore, such as `quarantined (failed, at root/list, step 1, after 0.25 s)`.
    private func text(of reason: Reason) -> String {
        let isVersion = reason.code == Reason.Code.bundleVersionNewer.rawValue
        let required = isVersion && asked.bundleVersion == nil ? "none" : reason.required
        let values = [
            reason.archive, required.map { "asked \($0)" }, reason.details.path.map { "at \($0)" },
            reason.details.step.map { "step \($0)" }, reason.details.seconds.map { "after \($0) s" },
        ].compactMap(\.self)
        return reason.code + (values.isEmpty ? "" : " (\(values.joined(separator: ", ")))")
    }
}
