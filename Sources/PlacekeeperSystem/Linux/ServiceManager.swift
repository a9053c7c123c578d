import Glibc

/// The program that started the service, such as systemd.
package enum ServiceManager {
    /// Tells systemd that the service is ready, for a unit of `Type=notify` (sd_notify(3)). Without systemd, does nothing.
    package static func noteReady() {
        guard let value = getenv("NOTIFY_SOCKET") else { return }
        var path = Array(String(cString: value).utf8)
        var address = sockaddr_un()
        guard path.first == UInt8(ascii: "/") || path.first == UInt8(ascii: "@"),
            path.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return }
        // A name that begins with @ is no file: it is in a namespace of its own (unix(7)).
        if path[0] == UInt8(ascii: "@") { path[0] = 0 }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        let size = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
        let message = Array("READY=1".utf8)
        _ = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, message, message.count, Platform.noSignal, $0, size)
            }
        }
    }
}
