extension Subcommand {
    static let configShow = Subcommand(
        name: "config show", summary: "show each setting of serve, and where its value comes from",
        options: serve.options + [.json],
        discussion: """
            The command takes the settings from the flags, the environment and the configuration file, as serve does. It
            does not check them. A password is never shown, only the path of its file.
            """,
        examples: [
            ("config show", "prints a line for each setting"),
            ("config show --config FILE --json", "prints an array"),
        ]
    ) { arguments throws(CommandFailure) in
        let reports = serve.allOptions.filter(\.isSetting).map { SettingReport($0, of: arguments) }
        let table = Table(header: ["SETTING", "VALUE", "FROM"], rows: reports.map(\.row))
        let flags = arguments.flagText(of: serve.allOptions)
        try Output.show(reports, as: table.text, next: "placekeeper config check\(flags)", for: arguments)
        return .success
    }

    static let configCheck = Subcommand(
        name: "config check", summary: "check the settings of serve, and report all problems at once",
        options: serve.options + [.json],
        discussion: """
            The command reads the flags, the environment and the configuration file as serve does. It also checks whether
            serve can use the data directory, the directory of --public and the password file. It starts nothing and
            creates nothing, and a service may run at the same time. It does not connect to the database. Exit code 78
            means that there are problems. An environment variable that begins with PLACEKEEPER_ and looks like a
            misspelled setting is a problem; other unknown variables are only listed.
            """,
        examples: [
            ("config check", "checks the settings of an installed service before it is restarted"),
            ("config check --config FILE", "checks another file"),
            ("config check --json", "prints an object with the problems"),
        ],
        toleratesFaults: true
    ) { arguments throws(CommandFailure) in
        let report = ConfigurationReport(
            arguments, settings: Command.parser.subcommands.flatMap(\.allOptions).filter(\.isSetting))
        let exit: Exit = report.problems.isEmpty ? .success : .configuration
        if try arguments.isOn(.json) {
            try Output.json(report)
            return exit
        }
        report.problems.forEach { Output.report("placekeeper: \($0)") }
        report.ignoredVariables.forEach {
            Output.report("placekeeper: \(escapedForTerminal($0)) is not a setting, and is ignored")
        }
        guard exit == .success else { return exit }
        try Output.print("no problems found")
        let isInstalled = arguments.file.name == ConfigurationFile.installed
        let next =
            isInstalled
            ? "systemctl restart placekeeper" : "placekeeper serve\(arguments.flagText(of: serve.allOptions))"
        try Output.next(next, for: arguments)
        return .success
    }
}
