import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperService

/// The maximum size of a decompressed body, and the problem for a larger one.
struct BodyLimit: Sendable {
    var bytes: Int
    var code = ProblemCode.contentTooLarge

    /// The size in bytes up to which a connection's worker reads a body itself.
    static let short = Limits.readAtOnce

    /// The limit of routes that don't need long bodies. Every route that requires no credential has this limit.
    static let ofShortBody = BodyLimit(bytes: short)

    var problem: Problem { Problem(code, "The body exceeds the limit of \(bytes) bytes.") }

    /// The problem for a compressed body that inflates to more than the limit, or to more than 100 times its size.
    var inflationProblem: Problem {
        Problem(code, "The body inflates to more than the limit of \(bytes) bytes, or to more than 100 times its size.")
    }
}
