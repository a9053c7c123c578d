import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService

extension Problem {
    /// The refused archives of a scene, newest first.
    struct Refused: Sendable {
        /// The archives' user. The offload queue encodes the document when it is this user's turn.
        var owner: UserKey
        var candidates: [JudgedArchive]
        /// The number of refused archives missing from `candidates`.
        var omitted: Int
    }

    /// Creates the problem for a device that may not restore any archive of the scene. `asked` is the context of the
    /// device.
    init(_ refused: Refused, asked: Context, head: Revision) {
        self.init(
            .nothingCompatible, "Every archive of the scene is refused. Each candidate lists the reasons.", head: head)
        self.refused = refused
        if refused.candidates.contains(where: { $0.lacksVersion(of: asked) }) {
            document.detail += " The request gives no bundleVersion, which counts as 0. Give the version of the app."
            document.parameter = "bundleVersion"
        }
    }
}

extension Wire.Problem {
    /// Adds as many candidates as fit into `Limits.refusedCandidates` bytes of JSON, starting with the first.
    mutating func tell(_ refused: Problem.Refused) throws {
        var told: [Wire.Candidate] = []
        var size = 0
        for candidate in refused.candidates {
            let next = Wire.Candidate(candidate)
            // The 1 is for the comma between two candidates.
            size += try JSONBody.encode(next).count + 1
            guard size <= Limits.refusedCandidates else { break }
            told.append(next)
        }
        candidates = told
        let omitted = refused.candidates.count - told.count + refused.omitted
        omittedCandidates = omitted > 0 ? omitted : nil
    }
}
