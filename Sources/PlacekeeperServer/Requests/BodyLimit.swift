import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService

/// The size limit of a decompressed body, and the problem for a larger body.
struct BodyLimit: Sendable {
    var bytes: Int
    var code = ProblemCode.contentTooLarge

    /// The size in bytes up to which the worker of a connection reads a body itself.
    static let short = Limits.readAtOnce

    /// The limit of every route that does not need long bodies, and so of every route that needs no credential.
    static let ofShortBody = BodyLimit(bytes: short)

    var problem: Problem { Problem(code, "The body exceeds the limit of \(bytes) bytes.") }

    /// The problem for a compressed body that exceeds the limit, or 100 times its compressed size, when it is inflated.
    var inflationProblem: Problem {
        Problem(code, "The body inflates to more than the limit of \(bytes) bytes, or to more than 100 times its size.")
    }
}
