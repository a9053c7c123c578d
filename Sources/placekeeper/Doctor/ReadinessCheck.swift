import PlacekeeperSockets

/// What a running service says about itself.
enum ReadinessCheck {
    static func findings(_ arguments: Arguments, _ processes: ServiceProcesses) -> [Finding] {
        guard let address = try? arguments.listenAddress() else { return [] }  // `SettingsCheck` reports it.
        do throws(HTTPProbe.Failure) {
            let reply = try HTTPProbe(target: HTTPProbe.Target(address: address)).reply()
            return findings(status: reply.status, body: reply.body, at: "http://\(address)")
        } catch {
            guard let service = processes.service else { return [.skipped("service", "no service runs")] }
            return [
                .problem(
                    "service", "the process \(service) uses the data directory, but \(error.message)",
                    do: "give doctor the service's --listen; if it is right, restart the service")
            ]
        }
    }

    /// - Parameter body: the body of `/readyz`.
    static func findings(status: Int, body: String, at url: String) -> [Finding] {
        let lines = body.split(separator: "\n").map(String.init)
        guard status == 200, lines.first == "ok" else {
            let reason = lines.joined(separator: " ").prefix(300)
            return [
                .problem(
                    "service", "\(url)/readyz answers \(status): \(reason)",
                    do: "see Troubleshooting in docs/operating.md, and the service's log")
            ]
        }
        let mark = "warning: "
        return lines.filter { $0.hasPrefix(mark) }.map {
            .problem("service", String($0.dropFirst(mark.count)), do: "see Health checks in docs/operating.md")
        }.orOK("service", "\(url) is ready")
    }
}
