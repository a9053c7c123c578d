import PlacekeeperAPI

/// The size limit of a decompressed body, and the problem for a larger body.
struct BodyLimit: Sendable {
    var bytes: Int
    var code = ProblemCode.contentTooLarge

    /// The limit for a body that the server reads and ignores.
    static let ofIgnored = BodyLimit(bytes: 64 << 10)

    var problem: Problem { Problem(code, "The body exceeds the limit of \(bytes) bytes.") }

    /// The problem for a compressed body that exceeds the limit, or 100 times its compressed size, when it is inflated.
    var inflationProblem: Problem {
        Problem(code, "The body inflates to more than the limit of \(bytes) bytes, or to more than 100 times its size.")
    }
}
