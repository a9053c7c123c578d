import Foundation
import PlacekeeperClient
import PlacekeeperSocketTransport

/// A transport that uses the network.
enum NetworkTransport: String, Sendable, CaseIterable {
    case sockets, urlSession

    func transport(to port: UInt16) throws -> any Transport {
        switch self {
        case .sockets: SocketTransport(host: "127.0.0.1", port: port, configuration: .patient)
        case .urlSession: URLSessionTransport(try address(port))
        }
    }

    private func address(_ port: UInt16) throws -> URL {
        guard let url = URL(string: "http://127.0.0.1:\(port)") else { throw URLError(.badURL) }
        return url
    }
}

extension TransportRequest {
    /// A request with a token.
    static func sample(
        _ method: String = "GET", target: String = "/v1/manifest", body: [UInt8] = [], deadline: Double = 600,
        responseLimit: Int = 1 << 20
    ) -> TransportRequest {
        TransportRequest(
            method, target, fields: [.init("Authorization", "Bearer secret")], body: body, deadline: deadline,
            responseLimit: responseLimit)
    }
}

extension Transport {
    /// Sends a request, and returns its error. Nil if the response arrived.
    func error(of request: TransportRequest) async -> TransportError? {
        do throws(TransportError) { _ = try await send(request) } catch { return error }
        return nil
    }

    /// Follows a stream, and returns its error. Nil if the stream ended without an error.
    func streamError(
        of request: TransportRequest = .sample(), idleLimit: Double = 600,
        receive: @escaping @Sendable ([UInt8]) -> Bool = { _ in true }
    ) async -> TransportError? {
        do throws(TransportError) { try await stream(request, idleLimit: idleLimit, receive: receive) } catch {
            return error
        }
        return nil
    }
}

extension TransportError {
    var isInvalid: Bool { if case .invalid = self { true } else { false } }
    var isUnreachable: Bool { if case .unreachable = self { true } else { false } }
}

extension SocketTransport.Configuration {
    /// A configuration that keeps unused connections, also if a busy machine pauses the test.
    static var patient: Self {
        var configuration = Self()
        configuration.idleLimit = 3600
        return configuration
    }
}
