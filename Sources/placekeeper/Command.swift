import PlacekeeperSystem

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The program: parses the command line, runs the command, and exits with its exit code.
@main
struct Command {
    /// All commands, in the order of `--help`.
    static let groups: [CommandGroup] = [
        CommandGroup("Run it", [.serve, .dev, .walkThrough, .healthCheck, .doctor, .configShow, .configCheck]),
        CommandGroup(
            "Apps",
            [
                .appCreate, .appList, .appPolicy, .appDelete, .appKeys, .appCheckKeys, .appCheckToken, .appDataSources,
            ]),
        CommandGroup(
            "People",
            [
                .users, .userShow, .userExport, .userImport, .userErase, .identityMerge, .identitySplit,
                .identityRemoveDecision, .identityDecisions, .identityAmbiguous,
            ]),
        CommandGroup(
            "Administrators",
            [
                .adminCreate, .adminList, .adminReset, .adminRemove, .adminTokenCreate, .adminTokenList,
                .adminTokenRevoke, .audit,
            ]),
        CommandGroup(
            "Data",
            [
                .backupCreate, .backupVerify, .backupRestore, .backupFailed, .transferToPostgreSQL, .transferToSQLite,
                .generate,
            ]),
        CommandGroup("Archives", [.explain, .inspect, .diff, .sample]),
        CommandGroup("Help", [.version, .man, .completions]),
    ]

    static let parser = ArgumentParser(subcommands: groups.flatMap(\.subcommands))

    static func main() async {
        // Ignore these signals, so that write(2) fails instead of ending the process when the reader of a pipe is gone
        // (SIGPIPE) or a file has reached its size limit (SIGXFSZ).
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        let exit = await run(
            Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment)
        PlacekeeperSystem.exit(exit.rawValue)
    }

    static func run(_ line: [String], environment: [String: String]) async -> Exit {
        do throws(CommandFailure) {
            switch try parser.parse(line) {
            case .overview(nil):
                try Output.print(HelpText.program(groups))
            case .overview(let word?):
                try Output.print(HelpText.group(word, of: parser.subcommands))
            case .help(let subcommand):
                try Output.print(HelpText.subcommand(subcommand))
            case .run(let subcommand, var arguments):
                arguments.environment = environment
                arguments.file = configurationFile(of: subcommand, arguments)
                if !subcommand.toleratesFaults, let fault = arguments.file.faults.first { throw fault }
                return try await subcommand.run(arguments)
            }
            return .success
        } catch {
            Output.report("placekeeper: " + error.message)
            return error.exit
        }
    }

    /// Reads the given configuration file, or else the file of an installed service. One file may contain the settings
    /// of all commands; each command uses only its own.
    private static func configurationFile(of subcommand: Subcommand, _ arguments: Arguments) -> ConfigurationFile {
        guard subcommand.allOptions.contains(.config) else { return ConfigurationFile() }
        let named = arguments.value(of: .config)
        let isInstalled = subcommand.usesInstalledService && Files.exists(ConfigurationFile.installed)
        guard let path = named ?? (isInstalled ? ConfigurationFile.installed : nil) else {
            return ConfigurationFile()
        }
        do throws(CommandFailure) {
            let text = String(decoding: try Files.read(path, limit: 64 * 1024), as: UTF8.self)
            var file = ConfigurationFile(
                faultyText: text, options: parser.subcommands.flatMap(\.options), name: path)
            if named == nil, arguments.source(of: .data) != nil {
                file.dropDatabase(unlessDataIs: arguments.value(of: .data))
            }
            return file
        } catch {
            return ConfigurationFile(unreadable: CommandFailure(arguments.exit(over: .config), error.message))
        }
    }
}
