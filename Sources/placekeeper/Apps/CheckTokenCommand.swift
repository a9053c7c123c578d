import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTokens

extension Subcommand {
    static let appCheckToken = Subcommand(
        name: "app check-token", summary: "say why the service accepts or refuses a sign-in token",
        operands: ["APP"], options: [.data, .database, .databasePassword, .json],
        discussion: """
            The command reads one token from standard input, and verifies it now with the app's settings and keys. It
            prints the token's subject, or the reason why the token is refused. The service itself never reveals this
            reason. The token is not an argument, because other users can see the arguments of a process. Exit code 1
            means that the token is refused. The command signs nobody in.
            """,
        examples: [("app check-token com.example.photos --data DIR", "verifies the token on standard input")]
    ) { arguments throws(CommandFailure) in
        // Twice the length of the longest token, so the verification itself rejects a token that is too long.
        var token = try Files.read("-", limit: 16 << 10)[...]
        while let last = token.last, [0x0A, 0x0D, 0x20].contains(last) { token.removeLast() }
        return try await Wiring.withDatabase(of: arguments) { [token] opened throws(CommandFailure) in
            let app = try await opened.app(arguments.operands[0])
            let verifier = TokenSignIn { Output.report("placekeeper: " + $0) }
            var report = TokenReport()
            do throws(TokenError) {
                report.subject = try verifier.verify(Array(token), for: app, at: opened.service.clock.now()).text
            } catch {
                report.reason = error.name
                report.detail = error.text(for: app)
            }
            try Output.show(report, as: report.line, for: arguments)
            return report.reason == nil ? .success : .failure
        }
    }
}

/// The result of checking a token, as JSON.
private struct TokenReport: Encodable {
    /// The subject of an accepted token.
    var subject: String?
    /// The name of the reason why a token is rejected.
    var reason: String?
    var detail: String?

    var line: String {
        if let subject { return "accepted: the subject is \(quoted(subject))" }
        return "refused: \(detail ?? "")"
    }
}
