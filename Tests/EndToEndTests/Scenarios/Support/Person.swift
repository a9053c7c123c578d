import FoundationEssentials
import PlacekeeperAPI
import Synchronization

/// An app that a service knows.
struct TestApp: Sendable {
    var key: String
    var address: ServiceAddress

    func person() -> Person { Person(uses: self) }

    /// What registering is answered with.
    func register(_ idiom: Wire.Idiom, code: String? = nil) async throws -> Reply {
        let body = Wire.Registration(app: key, idiom: idiom, name: "My \(idiom.rawValue)", linkCode: code)
        return try await address.request(
            "POST", "/v1/devices", fields: [("Content-Type", "application/json")], body: body.json)
    }
}

/// Someone with devices. The first registers on its own, the others with a code that the first one made.
final class Person: Sendable {
    let app: TestApp
    private let first = Mutex<TestDevice?>(nil)

    init(uses app: TestApp) { self.app = app }

    func device(_ idiom: Wire.Idiom) async throws -> TestDevice {
        let known = first.withLock { $0 }
        let code = try await known?.linkCode()
        let reply = try await app.register(idiom, code: code)
        guard reply.status == 201 else { throw UnexpectedReply(reply) }
        let device = TestDevice(try reply.json(), idiom: idiom, app: app)
        first.withLock { $0 = $0 ?? device }
        return device
    }
}

/// A reply that a story cannot go on with.
struct UnexpectedReply: Error, CustomStringConvertible {
    var description: String
    init(_ reply: Reply) { description = "\(reply.status) \(reply.text)" }
}

extension Encodable {
    var json: [UInt8] { get throws { [UInt8](try JSONEncoder().encode(self)) } }
}
