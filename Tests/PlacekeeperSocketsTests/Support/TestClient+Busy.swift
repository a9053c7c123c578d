import PlacekeeperSystem

/// Calls for a server whose only worker is busy. They return when the server's end of the connection has what the
/// client sent, because a loaded machine delivers it later than the call that sends it returns.
extension TestClient {
    func sendToBusyServer(_ text: String) async throws {
        let end = await serverEnd()
        try await send(text)
        var waiting = [UInt8](repeating: 0, count: text.utf8.count)
        while true {
            let count = recv(end, &waiting, waiting.count, Int32(MSG_PEEK))
            if count == waiting.count { return }
            // The socket doesn't block.
            guard count > 0 || (count < 0 && errno == EAGAIN) else { throw Failure(call: "recv", number: errno) }
            await Task.yield()
        }
    }

    func resetBusyServer() async throws {
        var entry = pollfd(fd: await serverEnd(), events: 0, revents: 0)
        try await reset()
        while entry.revents & Int16(POLLERR) == 0 {
            guard poll(&entry, 1, 0) >= 0 else { throw Failure(call: "poll", number: errno) }
            await Task.yield()
        }
    }

    /// The descriptor of the server's end, which belongs to this process too.
    private func serverEnd() async -> Int32 {
        while true {
            // Another connection of this process may have the same port at one of its ends.
            if let end = (0..<4096).first(where: {
                Self.port(of: $0, getpeername) == port && Self.port(of: $0, getsockname) == serverPort
            }) {
                return end
            }
            await Task.yield()
        }
    }

    private static func port(
        of descriptor: Int32, _ name: (Int32, UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
    ) -> UInt16? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let result = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { name(descriptor, $0, &length) }
        }
        return result == 0 && address.sin_family == sa_family_t(AF_INET) ? address.sin_port.bigEndian : nil
    }
}
