import Foundation

/// The address and the key of a service, and the process of the service if the demo started it.
final class DemoServer: Sendable {
    struct Failure: Error { var message: String }

    let host: String
    let port: UInt16
    /// The app's publishable key.
    let key: String
    /// The events of the service in plain words. Empty for a service that the demo did not start.
    let events: AsyncStream<String>
    private let process: Process?

    /// Uses a service that runs.
    init(_ address: String, key: String) throws(Failure) {
        guard let url = URL(string: address), url.scheme == "http", let host = url.host, let port = url.port,
            let port = UInt16(exactly: port)
        else { throw Failure(message: "\(address) is not an address such as http://127.0.0.1:8080") }
        (self.host, self.port, self.key, process) = (host, port, key, nil)
        events = AsyncStream { $0.finish() }
    }

    /// Starts `placekeeper dev` on a free port, with its data in `folder`.
    init(command: URL, folder: URL) throws {
        let output = Pipe()
        let log = folder.appendingPathComponent("service.log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let process = Process()
        process.executableURL = command
        process.arguments = [
            "dev", "com.example.photos", "--listen", "127.0.0.1:0", "--data",
            folder.appendingPathComponent("data").path, "--json",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        do { try process.run() } catch {
            throw Failure(message: "\(command.path) cannot be run. Build it, or name it with --service PATH")
        }
        CleanUp.add { Self.stop(process) }
        let reader = output.fileHandleForReading
        var lines = Lines()
        var first: [Event] = []
        while first.isEmpty {
            let data = reader.availableData
            guard !data.isEmpty else {
                let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                throw Failure(message: "the service did not start: \(text)")
            }
            first = lines.add(data)
        }
        guard let address = first[0].url.flatMap({ URL(string: $0) }), let host = address.host,
            let port = address.port.flatMap({ UInt16(exactly: $0) }), let key = first[0].key
        else { throw Failure(message: "the service tells no address") }
        (self.host, self.port, self.key, self.process) = (host, port, key, process)
        let (events, told) = AsyncStream.makeStream(of: String.self)
        self.events = events
        let rest = first.dropFirst().compactMap(\.text)
        for text in rest { told.yield(text) }
        let box = LinesBox(lines)
        reader.readabilityHandler = { reader in
            let data = reader.availableData
            if data.isEmpty {
                reader.readabilityHandler = nil
                told.finish()
            }
            for event in box.add(data) { if let text = event.text { told.yield(text) } }
        }
    }

    private static func stop(_ process: Process) {
        guard process.isRunning else { return }
        process.terminate()
        process.waitUntilExit()
    }

    /// A line of `placekeeper dev --json`.
    private struct Event: Decodable {
        var text: String?
        var url: String?
        var key: String?
    }

    /// The bytes of a line that has not ended yet.
    private struct Lines {
        var rest = Data()

        mutating func add(_ data: Data) -> [Event] {
            rest += data
            var parts = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
            rest = parts.popLast().map { Data($0) } ?? Data()
            return parts.compactMap { try? JSONDecoder().decode(Event.self, from: Data($0)) }
        }
    }

    /// The lines of the process. Only the handler of the pipe uses them: it is called for one piece at a time.
    private final class LinesBox: @unchecked Sendable {
        private var lines: Lines

        init(_ lines: Lines) { self.lines = lines }

        func add(_ data: Data) -> [Event] { lines.add(data) }
    }
}
