import PlacekeeperSystem
import Dispatch
import Foundation

/// The address and the key of a service, started by the demo or elsewhere.
final class DemoServer: Sendable {
    struct Failure: Error { var message: String }

    let host: String
    let port: UInt16
    /// The app's publishable key.
    let key: String
    /// The events of the service in plain words. Empty if the demo didn't start the service.
    let events: AsyncStream<String>

    /// Uses a running service.
    init(_ address: String, key: String) throws(Failure) {
        guard let url = URL(string: address), url.scheme == "http", let host = url.host, let port = url.port,
            let port = UInt16(exactly: port)
        else { throw Failure(message: "\(address) is not an address such as http://127.0.0.1:8080") }
        (self.host, self.port, self.key) = (host, port, key)
        events = AsyncStream { $0.finish() }
    }

    /// Starts `placekeeper dev` on a free port, with its data in `folder`.
    init(command: URL, folder: URL) throws {
        // The service ends when its input does, so it also ends if this process is killed.
        let (input, output) = (Pipe(), Pipe())
        _ = fcntl(input.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        let log = folder.appendingPathComponent("service.log")
        _ = FileManager.default.createFile(atPath: log.path, contents: nil)
        let process = Process()
        process.executableURL = command
        process.arguments = [
            "dev", "com.example.photos", "--listen", "127.0.0.1:0", "--data",
            folder.appendingPathComponent("data").path, "--json", "--end-with-input",
        ]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = try FileHandle(forWritingTo: log)
        let hasEnded = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in hasEnded.signal() }
        do { try process.run() } catch {
            throw Failure(
                message: "\(command.path) cannot be run. Build it with swift build --product placekeeper, or name it "
                    + "with --service PATH")
        }
        CleanUp.add {
            process.terminate()
            if hasEnded.wait(timeout: .now() + 10) == .timedOut { kill(process.processIdentifier, SIGKILL) }
            // Keep the input open until the service has ended.
            withExtendedLifetime(input) {}
        }
        let reader = output.fileHandleForReading
        var lines = Lines()
        var first: [Event] = []
        while first.isEmpty {
            let data = reader.availableData
            guard !data.isEmpty else {
                let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
                throw Failure(
                    message: "\(command.path) did not start. It must have the version of the demo: build it with "
                        + "swift build --product placekeeper. It printed: \(text)")
            }
            first = lines.add(data)
        }
        guard let address = first[0].url.flatMap({ URL(string: $0) }), let host = address.host,
            let port = address.port.flatMap({ UInt16(exactly: $0) }), let key = first[0].key
        else { throw Failure(message: "the service tells no address") }
        (self.host, self.port, self.key) = (host, port, key)
        let (events, told) = AsyncStream.makeStream(of: String.self)
        self.events = events
        for event in first.dropFirst() { if let text = event.text { told.yield(text) } }
        // Read the pipe on a thread: a handler of `FileHandle` sometimes crashed the process when the pipe was closed.
        Thread.detachNewThread { [lines] in
            var lines = lines
            while case let data = reader.availableData, !data.isEmpty {
                for event in lines.add(data) { if let text = event.text { told.yield(text) } }
            }
            told.finish()
        }
    }

    /// A line of `placekeeper dev --json`.
    private struct Event: Decodable, Sendable {
        var text: String?
        var url: String?
        var key: String?
    }

    /// The bytes of an incomplete line.
    private struct Lines: Sendable {
        var rest = Data()

        mutating func add(_ data: Data) -> [Event] {
            rest += data
            var parts = rest.split(separator: 0x0A, omittingEmptySubsequences: false)
            rest = parts.popLast().map { Data($0) } ?? Data()
            return parts.compactMap { try? JSONDecoder().decode(Event.self, from: Data($0)) }
        }
    }
}
