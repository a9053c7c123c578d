import PlacekeeperAPI
import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An app on a test service.
struct TestApp: Sendable {
    var key: String
    var address: ServiceAddress

    func person() -> Person { Person(uses: self) }

    /// Registers a device and returns the response.
    func register(_ idiom: Wire.Idiom, code: String? = nil) async throws -> Reply {
        let body = Wire.Registration(app: key, idiom: idiom, name: "My \(idiom.rawValue)", linkCode: code)
        return try await address.request(
            "POST", "/v1/devices", fields: [("Content-Type", "application/json")], body: body.json)
    }
}

/// A person with devices. The first device registers as a new user. Each further device registers with a link code of
/// the first device.
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

/// An unexpected response that ends a scenario.
struct UnexpectedReply: Error, CustomStringConvertible {
    var description: String
    init(_ reply: Reply) { description = "\(reply.status) \(reply.text)" }
}

extension Encodable {
    var json: [UInt8] { get throws { [UInt8](try JSONEncoder().encode(self)) } }
}
