import PlacekeeperAPI
import RestorationService

extension Problem {
    /// The archives of which none may be restored, from the head backwards.
    struct Refused: Sendable {
        /// The user whose archives they are: the document is written in the user's turn of the offload queue.
        var owner: UserKey
        var candidates: [Explanation.Candidate]
        /// How many more were refused.
        var omitted: Int
    }

    /// Nothing of a scene may be restored by a device that runs `asked`.
    init(_ refused: Refused, asked: Context, head: Revision) {
        self.init(.nothingCompatible, "Each archive of the scene is refused for the reasons given with it.", head: head)
        self.refused = refused
        if refused.candidates.contains(where: { $0.lacksVersion(of: asked) }) {
            document.detail += " The request gives no bundleVersion, which counts as 0: give the version of the app."
            document.parameter = "bundleVersion"
        }
    }
}

extension Wire.Problem {
    /// Tells the first candidates, as many as fit into `Limits.refusedCandidates` bytes of JSON.
    mutating func tell(_ refused: Problem.Refused) throws {
        var told: [Wire.Candidate] = []
        var size = 0
        for candidate in refused.candidates {
            let next = Wire.Candidate(candidate)
            // With the comma between two.
            size += try JSONBody.encode(next).count + 1
            guard size <= Limits.refusedCandidates else { break }
            told.append(next)
        }
        candidates = told
        let omitted = refused.candidates.count - told.count + refused.omitted
        omittedCandidates = omitted > 0 ? omitted : nil
    }
}
