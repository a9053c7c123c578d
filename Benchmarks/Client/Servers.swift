import Foundation
import PlacekeeperHTTP
import PlacekeeperSockets

/// A server that answers each request late.
final class SlowServer: Sendable {
    private let server: HTTPServer

    init(delay: Duration) throws {
        var configuration = HTTPServer.Configuration()
        configuration.address = SocketAddress(host: "127.0.0.1", port: 0)
        configuration.workers = 1
        server = try HTTPServer(configuration: configuration, responder: Late(delay: delay))
        server.start()
    }

    var port: UInt16 { server.address.port }

    func stop() async { await server.drain(within: .zero) }

    private struct Late: Responder {
        let delay: Duration

        func admit(_ head: RequestHead, from peer: String) -> Admission { .accept(bodyLimit: 1 << 20) }

        func answer(to request: Request) -> Answer {
            .handler {
                try? await Task.sleep(for: delay)
                return Response(.notFound)
            }
        }

        func response(to refusal: Refusal, of head: RequestHead?, from peer: String) -> Response {
            Response(refusal.status)
        }
    }
}

/// A loopback port without a server. If it listens, the system accepts connections that nobody answers.
final class SilentPort: Sendable {
    let port: UInt16
    private let descriptor: Int32

    init(listens: Bool) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let isBound = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
            }
        }
        guard isBound, !listens || listen(descriptor, 4096) == 0 else {
            throw ServiceProcess.Failure(description: "a port cannot be bound: \(errno)")
        }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}
