import Foundation

/// A phone and an iPad with a photo browser, side by side in a terminal.
@main
@MainActor
enum Demo {
    private static let usage = """
        usage: placekeeper-demo [--script [--pace SECONDS]] [--service PATH | --url URL --key KEY]

        Without options, keys drive the two devices. It needs a terminal of at least 80 columns and 24 rows.

          --script          play the built-in story, print each step as text, and exit with 1 if a step fails
          --pace SECONDS    the pause after each step of the story (0)
          --service PATH    the placekeeper command, which the demo starts (the file beside the demo)
          --url URL         use a service that runs, such as http://127.0.0.1:8080, which tells no events here
          --key KEY         the app's publishable key
        """

    static func main() async {
        CleanUp.catchSignals()
        do {
            try await run(try Options(CommandLine.arguments.dropFirst()))
            CleanUp.exit(0)
        } catch let error as Options.Unusable {
            fail("\(error.message)\n\n\(usage)", status: 2)
        } catch let error as Stage.Failure {
            fail(error.message, status: 1)
        } catch let error as DemoServer.Failure {
            fail(error.message, status: 69)
        } catch {
            fail("\(error)", status: 69)
        }
    }

    private static func fail(_ message: String, status: Int32) -> Never {
        CleanUp.exit(status, "placekeeper-demo: \(message)\n")
    }

    private static func run(_ options: Options) async throws {
        if options.isHelp { return Terminal.write(usage + "\n") }
        guard options.isScript || Terminal.isThere else {
            throw Options.Unusable(message: "there is no terminal: use --script")
        }
        if !options.isScript, let size = Terminal.size, size.columns < Screen.width || size.rows < Screen.height {
            throw DemoServer.Failure(
                message: "the terminal has \(size.columns) columns and \(size.rows) rows. Enlarge it to at least "
                    + "\(Screen.width) columns and \(Screen.height) rows, or use --script")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "placekeeper-demo-\(UUID().uuidString)")
        CleanUp.add {
            // This process's clients may still be writing files.
            for _ in 1...100 where FileManager.default.fileExists(atPath: folder.path) {
                try? FileManager.default.removeItem(at: folder)
            }
        }
        do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
            throw DemoServer.Failure(
                message: "cannot create the folder \(folder.path) for the data. Set TMPDIR to a folder in which you "
                    + "may write")
        }
        let server =
            if let url = options.url, let key = options.key {
                try DemoServer(url, key: key)
            } else {
                try DemoServer(command: options.service, folder: folder)
            }
        let stage = Stage(server, folder: folder)
        if options.isScript {
            try await Story(stage: stage) {
                let lines = stage.screen.lines.map { $0.trimmingSuffix(while: { $0 == " " }) }
                Terminal.write(lines.joined(separator: "\n") + "\n\n")
                if options.pace > 0 { try? await Task.sleep(for: .seconds(options.pace)) }
            }.play()
            Terminal.write("All steps of the story passed.\n")
        } else {
            try await Player(stage: stage, terminal: Terminal()).play()
        }
    }

    /// The options of the command line.
    struct Options {
        struct Unusable: Error { var message: String }

        var isHelp = false
        var isScript = false
        var pace = 0.0
        var service = (Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0]))
            .resolvingSymlinksInPath().deletingLastPathComponent().appendingPathComponent("placekeeper")
        var url: String?
        var key: String?

        init(_ arguments: some Sequence<String>) throws(Unusable) {
            var rest = Array(arguments)[...]
            while let name = rest.popFirst() {
                switch name {
                case "--help", "-h": isHelp = true
                case "--script": isScript = true
                case "--pace", "--service", "--url", "--key":
                    guard let value = rest.popFirst() else { throw Unusable(message: "\(name) needs a value") }
                    try set(name, value)
                default: throw Unusable(message: "unknown option \(name)")
                }
            }
            if (url == nil) != (key == nil) { throw Unusable(message: "--url and --key belong together") }
            if isScript, url != nil { throw Unusable(message: "the story needs the events of its own service") }
        }

        private mutating func set(_ name: String, _ value: String) throws(Unusable) {
            switch name {
            case "--pace":
                guard let seconds = Double(value), (0...60).contains(seconds) else {
                    throw Unusable(message: "--pace is \(value): give 0 to 60 seconds")
                }
                pace = seconds
            case "--service": service = URL(fileURLWithPath: value)
            case "--url": url = value
            default: key = value
            }
        }
    }
}
