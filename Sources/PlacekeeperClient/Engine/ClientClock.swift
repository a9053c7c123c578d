import Foundation

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The clocks of the client.
package protocol ClientClock: Sendable {
    /// The current time.
    func now() -> ClockReading
    /// Waits until an uptime, or until the task is canceled.
    func sleep(until uptime: Double) async
}

/// The system's clocks. The uptime keeps counting while the device sleeps.
package struct SystemClock: ClientClock {
    private static let boot = named(readBoot())

    package init() {}

    package func now() -> ClockReading {
        ClockReading(wall: Date().timeIntervalSince1970, uptime: Self.uptime(), boot: Self.boot)
    }

    package func sleep(until uptime: Double) async {
        let seconds = uptime - Self.uptime()
        guard seconds > 0 else { return }
        try? await Task.sleep(nanoseconds: UInt64(min(seconds, 86_400) * 1e9))
    }

    private static func uptime() -> Double {
        var time = timespec()
        #if canImport(Darwin)
            // The monotonic clock of Apple's systems counts while the device sleeps.
            clock_gettime(CLOCK_MONOTONIC, &time)
        #else
            clock_gettime(CLOCK_BOOTTIME, &time)
        #endif
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns the name of a boot. If the system does not reveal it, each process counts as its own boot, so ages use
    /// the uptime only within a process, and the wall clock between processes.
    static func named(_ boot: String) -> String { boot.isEmpty ? "process \(UUID().uuidString)" : boot }

    private static func readBoot() -> String {
        #if canImport(Darwin)
            var name = [CChar](repeating: 0, count: 64)
            var size = name.count
            guard sysctlbyname("kern.bootsessionuuid", &name, &size, nil, 0) == 0 else { return "" }
            return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        #else
            let text = try? String(contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            return text?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        #endif
    }
}
