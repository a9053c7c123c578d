/// The systemd unit of the service.
enum UnitCheck {
    static func findings(_ arguments: Arguments) -> [Finding] {
        // With other settings, the installed service isn't the one that is examined.
        guard arguments.file.name == ConfigurationFile.installed || arguments.file.name.isEmpty else {
            return [.skipped("unit", "the settings are not those of the installed service")]
        }
        let names = "LoadState,ActiveState,UnitFileState,NeedDaemonReload,NRestarts,Result"
        let line = ["show", "placekeeper.service", "--property", names]
        let shown = ChildProgram("systemctl", line, arguments.environment).run()
        switch shown.end {
        case .exit(0): return findings(shown.output)
        case .exit: return [.skipped("unit", "systemd does not run here")]
        case .unstartable: return [.skipped("unit", "there is no systemctl")]
        case .signal, .late, .stopped: return [.skipped("unit", "systemctl did not answer")]
        }
    }

    /// - Parameter properties: the output of `systemctl show`.
    static func findings(_ properties: String) -> [Finding] {
        var values: [Substring: Substring] = [:]
        for line in properties.split(separator: "\n") {
            guard let equals = line.firstIndex(of: "=") else { continue }
            values[line[..<equals]] = line[line.index(after: equals)...]
        }
        guard values["LoadState"] == "loaded" else { return [.skipped("unit", "there is no placekeeper.service")] }
        var findings: [Finding] = []
        if values["ActiveState"] == "failed" {
            findings.append(
                .problem(
                    "unit", "the service has failed (\(values["Result"] ?? "no reason"))",
                    do: "journalctl --unit placekeeper shows why; then systemctl restart placekeeper"))
        }
        if let state = values["UnitFileState"], ["disabled", "masked"].contains(state) {
            findings.append(
                .problem(
                    "unit", "the service does not start with the machine: it is \(state)",
                    do: state == "masked" ? "systemctl unmask placekeeper" : "systemctl enable placekeeper"))
        }
        if values["NeedDaemonReload"] == "yes" {
            findings.append(
                .problem(
                    "unit", "the unit has changed since systemd read it",
                    do: "systemctl daemon-reload && systemctl restart placekeeper"))
        }
        if let restarts = values["NRestarts"].flatMap({ Int($0) }), restarts > 0 {
            findings.append(
                .problem(
                    "unit", "systemd has restarted the service \(restarts) times after it ended by itself",
                    do: "journalctl --unit placekeeper shows why; a restart by hand resets the number"))
        }
        return findings.orOK("unit", "placekeeper.service is \(values["ActiveState"] ?? "loaded")")
    }
}
