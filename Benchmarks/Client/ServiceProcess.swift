import Foundation

/// A process of the release build of the service, on a port that the system chooses.
final class ServiceProcess: Sendable {
    struct Failure: Error, CustomStringConvertible {
        var description: String
    }

    let port: UInt16
    /// The app's publishable key.
    let key: String
    private let process: Process

    init(command: String, folder: URL) throws {
        let app = Pipe()
        let create = Process()
        create.executableURL = URL(fileURLWithPath: command)
        create.arguments = ["app", "create", "com.example.bench", "--data", folder.path, "--json"]
        create.standardOutput = app
        try create.run()
        struct Created: Decodable {
            var publishableKey: String
        }
        key = try JSONDecoder().decode(Created.self, from: app.fileHandleForReading.readDataToEndOfFile())
            .publishableKey
        create.waitUntilExit()

        let log = Pipe()
        process = Process()
        process.executableURL = URL(fileURLWithPath: command)
        process.arguments = ["serve", "--listen", "127.0.0.1:0", "--data", folder.path]
        process.standardError = log
        try process.run()
        var text = ""
        while !text.contains("\n") || !text.contains("listening on") {
            let data = log.fileHandleForReading.availableData
            guard !data.isEmpty else { throw Failure(description: "the service did not start: \(text)") }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let match = text.firstMatch(of: /listening on http:\/\/127\.0\.0\.1:(\d+)/), let port = UInt16(match.1)
        else { throw Failure(description: "the service names no port: \(text)") }
        self.port = port
    }

    /// Ends the process, and waits for its end.
    func stop() {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }
}
