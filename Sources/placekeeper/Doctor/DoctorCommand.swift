import Dispatch
import PlacekeeperSQLite
import PlacekeeperService
import PlacekeeperSystem

extension Subcommand {
    static let doctor = Subcommand(
        name: "doctor", summary: "look for faults of the installation, and say what to do about each",
        operands: ["[URL]"], options: serve.options + [.json],
        discussion: """
            The command reads the settings of serve, and looks at the data directory, SQLite or PostgreSQL, the disk, the
            open files, the clock, the systemd unit, the backups, and the files with keys and passwords. If a service
            runs, the command asks it whether it is ready. It also asks through URL, by default the setting url, as a
            client does, and compares the address, scheme and host that reach the service; this needs curl. The command
            changes nothing, and waits at most a few seconds for each answer. Exit code 1 means that there are problems.
            """,
        examples: [
            ("doctor", "examines the installed service"),
            ("doctor https://places.example.com", "also asks the service through its proxy"),
            ("doctor --json", "prints an array of findings"),
        ],
        toleratesFaults: true
    ) { arguments throws(CommandFailure) in
        let findings = await examine(arguments)
        let problems = findings.filter { $0.result == .problem }
        if try arguments.isOn(.json) {
            try Output.json(findings)
        } else {
            for finding in findings {
                let mark = finding.result == .problem ? "PROBLEM" : finding.result.rawValue
                try Output.print("\(mark)  \(finding.check): \(escapedForTerminal(finding.text))")
                if let action = finding.action { try Output.print("         \(escapedForTerminal(action))") }
            }
            let count = problems.count == 1 ? "1 problem" : "\(problems.count) problems"
            try Output.print(problems.isEmpty ? "no problems found" : count)
        }
        return problems.isEmpty ? .success : .failure
    }

    private static func examine(_ arguments: Arguments) async -> [Finding] {
        let directory = arguments.value(of: .data) ?? ""
        let usesPostgres = arguments.value(of: .database) != nil
        let processes = ServiceProcesses(of: directory)
        var findings = SettingsCheck.findings(arguments)
        findings += DirectoryCheck.findings(of: directory)
        let isCurrent: Bool
        if usesPostgres {
            let examined = await DatabaseCheck.examine(arguments)
            (findings, isCurrent) = (findings + examined.findings, examined.isCurrent)
        } else {
            let check = SQLiteCheck(of: directory, processes)
            (findings, isCurrent) = (findings + check.findings, check.isCurrent)
        }
        findings += DiskCheck.findings(of: directory, maximumBytes: (try? arguments.maximumBytes()) ?? nil)
        findings += MachineCheck.files(processes)
        findings += MachineCheck.clock()
        findings += UnitCheck.findings(arguments)
        findings += ReadinessCheck.findings(arguments, processes)
        findings += ProxyCheck.findings(arguments)
        if !usesPostgres { findings += BackupCheck.findings(of: directory, at: SystemClock().now()) }
        findings += await KeyFileCheck.findings(arguments, mayOpen: isCurrent)
        return findings
    }
}
