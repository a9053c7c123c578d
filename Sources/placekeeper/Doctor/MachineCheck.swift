import PlacekeeperCore
import PlacekeeperSystem

/// The machine's limit on open files, and its clock.
enum MachineCheck {
    /// The fewest open files with which a service is useful: each connected device needs one.
    static let fewestFiles = 4096

    static func files(_ processes: ServiceProcesses) -> [Finding] {
        if let service = processes.service {
            return files(limit: ServiceProcesses.fileLimit(of: service), isOfService: true)
        }
        var limit = rlimit()
        guard getrlimit(Platform.openFiles, &limit) == 0 else { return [] }
        return files(limit: Int(clamping: limit.rlim_max), isOfService: false)
    }

    /// - Parameter limit: the hard limit, because the service raises its soft limit to it. Nil if it can't be read.
    static func files(limit: Int?, isOfService: Bool) -> [Finding] {
        guard let limit else { return [.skipped("files", "only root may read the limits of the service")] }
        let holder = isOfService ? "the service" : "a service that is started here"
        guard limit < fewestFiles else { return [.ok("files", "\(holder) may open \(limit) files")] }
        return [
            .problem(
                "files", "\(holder) may open only \(limit) files, and each connected device needs one",
                do: "set LimitNOFILE=1048576 in the unit, or ulimit -Hn before serve")
        ]
    }

    static func clock() -> [Finding] {
        clock(isSynchronized: Platform.isClockSynchronized, now: Int(SystemClock().now().milliseconds / 1000))
    }

    /// - Parameters:
    ///   - isSynchronized: nil if the system doesn't say.
    ///   - now: the seconds since 1970.
    static func clock(isSynchronized: Bool?, now: Int) -> [Finding] {
        // 2026-01-01: this program is newer.
        if now < 1_767_225_600 {
            return [.problem("clock", "the clock is years behind", do: "set the clock: timedatectl set-ntp true")]
        }
        switch isSynchronized {
        case true?: return [.ok("clock", "synchronized")]
        case false?:
            return [
                .problem(
                    "clock", "no program synchronizes the clock, by which sign-in tokens and sessions are judged",
                    do: "timedatectl set-ntp true, or install chrony")
            ]
        case nil: return [.skipped("clock", "the system does not say whether the clock is synchronized")]
        }
    }
}
