import Synchronization

/// The address of a service. All test devices share this object, because the port changes when the service restarts.
final class ServiceAddress: Sendable {
    private let state: Mutex<UInt16>

    init(port: UInt16) { state = Mutex(port) }

    var port: UInt16 {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func request(
        _ method: String, _ target: String, fields: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> Reply {
        try await Line(port: port).run { try $0.request(method, target, fields: fields, body: body) }
    }
}
