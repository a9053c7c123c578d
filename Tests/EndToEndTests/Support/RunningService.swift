import PlacekeeperSystem

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A process of `placekeeper serve` or `placekeeper dev` on a free port, with a temporary directory.
final class RunningService: Sendable {
    let port: UInt16
    let data: TemporaryDirectory
    let process: ChildProcess

    /// Starts the service and waits until it is ready. Pass the `data` of a service that has ended to start a new
    /// process on the same data.
    init(
        _ command: String = "serve", data: TemporaryDirectory? = nil, options: [String] = [],
        input: String = "/dev/null"
    ) throws {
        let data = try data ?? TemporaryDirectory()
        let process = try ChildProcess(
            [command, "--listen", "127.0.0.1:0", "--data", data.path] + options, input: input)
        let prefix = "listening on http://127.0.0.1:"
        guard let port = process.line(after: prefix).flatMap({ UInt16($0) }) else {
            process.wait()
            throw ChildProcess.Failure(description: "\(command) did not start: \(process.standardError)")
        }
        self.data = data
        self.process = process
        self.port = port
    }

    /// Ends the service with SIGTERM, as systemd does, and waits.
    @discardableResult
    func stop() -> ChildProcess.End {
        process.send(SIGTERM)
        return process.wait()
    }

    /// Kills the service and waits.
    func kill() {
        process.send(SIGKILL)
        process.wait()
    }

    /// Creates an app with the command, and returns its publishable key.
    func createApp(_ id: String = "com.example.photos") throws -> String {
        struct Created: Decodable { var publishableKey: String }
        let (end, output, error) = try ChildProcess.run("app", "create", id, "--data", data.path, "--json")
        guard end == .exit(0) else { throw ChildProcess.Failure(description: "app create: \(error)") }
        return try JSONDecoder().decode(Created.self, from: Data(output.utf8)).publishableKey
    }

    func connect() throws -> Connection { try Connection(port: port) }

    /// Sends a request on a new connection, with a device's token if `token` is given.
    func request(
        _ method: String, _ target: String, token: String? = nil, fields: [(String, String)] = [], body: [UInt8] = []
    ) throws -> Reply {
        let authorization = token.map { [("Authorization", "Bearer \($0)")] } ?? []
        return try connect().request(method, target, fields: authorization + fields, body: body)
    }

    /// Sends a request with a JSON body.
    func request(_ method: String, _ target: String, token: String? = nil, json: String) throws -> Reply {
        try request(
            method, target, token: token, fields: [("Content-Type", "application/json")], body: Array(json.utf8))
    }

    struct Device: Decodable, Sendable {
        var device: String
        var token: String
        var user: String
    }

    /// Registers a device of a new user, or of the user of a link code.
    func register(app key: String, idiom: String, name: String? = nil, linkCode: String? = nil) throws -> Device {
        let link = linkCode.map { ", \"linkCode\": \"\($0)\"" } ?? ""
        let reply = try request(
            "POST", "/v1/devices",
            json: "{\"app\": \"\(key)\", \"idiom\": \"\(idiom)\", \"name\": \"\(name ?? idiom)\"\(link)}")
        guard reply.status == 201 else { throw ChildProcess.Failure(description: "register: \(reply.text)") }
        return try reply.json()
    }

    func linkCode(token: String) throws -> String {
        struct Created: Decodable { var code: String }
        let reply = try request("POST", "/v1/link-codes", token: token)
        guard 200..<300 ~= reply.status else { throw ChildProcess.Failure(description: "link code: \(reply.text)") }
        return try reply.json(Created.self).code
    }
}
