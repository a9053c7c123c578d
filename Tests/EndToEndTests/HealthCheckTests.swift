import PlacekeeperSystem
import Testing

@Suite(.onOwnThreads) struct HealthCheckTests {
    @Test func exitsWith69IfNobodyListens() throws {
        // The socket is bound to a free port but does not listen, so the kernel refuses connections.
        let descriptor = Platform.makeSocket(AF_INET, blocks: true)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length)
                getsockname(descriptor, $0, &length)
            }
            return UInt16(bigEndian: $0.pointee.sin_port)
        }
        let (end, output, error) = try ChildProcess.run("healthcheck", "http://127.0.0.1:\(port)")
        #expect(end == .exit(69))
        #expect(output.isEmpty)
        #expect(error.contains("does not accept a connection"))
    }

    @Test func exitsWith2ForAnHTTPSAddress() throws {
        #expect(try ChildProcess.run("healthcheck", "https://example.com").end == .exit(2))
    }
}
