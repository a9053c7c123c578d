import PlacekeeperSystem

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The program. It reads the command line, runs the command, and ends with the command's exit code.
@main
struct Command {
    static let parser = ArgumentParser(subcommands: [
        .serve, .dev, .walkThrough, .appCreate, .appList, .appPolicy, .appKeys, .appCheckKeys, .appCheckToken, .appDataSources,
        .users,
        .userShow, .userExport, .userImport, .userErase, .adminCreate, .adminList, .adminReset, .adminRemove,
        .adminTokenCreate, .adminTokenList, .adminTokenRevoke, .audit, .explain,
        .identityMerge, .identitySplit, .identityUndecide, .identityDecisions, .identityAmbiguous, .backupCreate,
        .backupRestore, .transferToPostgreSQL, .transferToSQLite, .healthCheck, .inspect, .diff, .sample, .generate,
        .version,
    ])

    static func main() async {
        // These signals are ignored, so that write(2) fails and the process does not end if the reader of a pipe is
        // gone (SIGPIPE) or a file has reached its size limit (SIGXFSZ).
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
                try Output.print(HelpText.program(parser.subcommands))
            case .overview(let word?):
                try Output.print(HelpText.group(word, of: parser.subcommands))
            case .help(let subcommand):
                try Output.print(HelpText.subcommand(subcommand))
            case .run(let subcommand, var arguments):
                arguments.environment = environment
                arguments.file = try configurationFile(of: subcommand, arguments)
                return try await subcommand.run(arguments)
            }
            return .success
        } catch {
            Output.report("placekeeper: " + error.message)
            return error.exit
        }
    }

    /// Reads the configuration file. One file may have the settings of all commands. A command uses only its own
    /// settings.
    private static func configurationFile(
        of subcommand: Subcommand, _ arguments: Arguments
    ) throws(CommandFailure) -> ConfigurationFile {
        guard subcommand.allOptions.contains(.config), let path = arguments.value(of: .config) else {
            return ConfigurationFile()
        }
        let bytes: [UInt8]
        do throws(CommandFailure) {
            bytes = try Files.read(path, limit: 64 * 1024)
        } catch {
            throw CommandFailure(arguments.exit(over: .config), error.message)
        }
        let options = parser.subcommands.flatMap(\.options)
        return try ConfigurationFile(String(decoding: bytes, as: UTF8.self), options: options, name: path)
    }
}
