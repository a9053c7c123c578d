extension Subcommand {
    static let healthCheck = Subcommand(
        name: "healthcheck", summary: "check that a running service is ready: exit code 0 if ready, otherwise 69",
        operands: ["[URL]"], options: [.listen],
        discussion: """
            Without a URL the command uses the listening address of a service with the same settings. Without a path
            the command requests /readyz. It waits at most three seconds to connect, to send, and to receive.
            """,
        examples: [
            ("healthcheck", "checks http://127.0.0.1:8080/readyz"),
            ("healthcheck http://127.0.0.1:9000/livez", "checks only that the process answers"),
        ]
    ) { arguments throws(CommandFailure) in
        let target: HTTPProbe.Target
        if let url = arguments.operands.first {
            do throws(HTTPProbe.Failure) {
                target = try HTTPProbe.Target(url)
            } catch {
                throw CommandFailure(.usage, error.message)
            }
        } else {
            target = HTTPProbe.Target(address: try arguments.listenAddress())
        }
        do throws(HTTPProbe.Failure) {
            let status = try HTTPProbe(target: target).status()
            guard status == 200 else {
                throw HTTPProbe.Failure(message: "http://\(target.address)\(target.path) answers \(status)")
            }
        } catch {
            throw CommandFailure(.unavailable, error.message)
        }
        try Output.print("http://\(target.address)\(target.path) answers 200")
        return .success
    }
}
