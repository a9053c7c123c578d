import PlacekeeperAPI

/// What a body may measure, its content coding undone, and what is answered beyond.
struct BodyLimit: Sendable {
    var bytes: Int
    var code = ProblemCode.contentTooLarge

    /// Where none is wanted: it is read and left aside.
    static let ofIgnored = BodyLimit(bytes: 64 << 10)

    var problem: Problem { Problem(code, "The body is over the \(bytes) bytes that are taken here.") }

    /// Of a body whose content coding is undone.
    var inflationProblem: Problem {
        Problem(code, "The body inflates over the \(bytes) bytes that are taken here, or to over 100 times its size.")
    }
}
