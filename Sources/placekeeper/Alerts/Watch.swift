import PlacekeeperCore
import PlacekeeperServer
import PlacekeeperService
import Synchronization

/// Looks for what a person must be told, and keeps the alerts current. The breaker sets its alerts itself.
final class Watch: Sendable {
    private struct State {
        var failedChecks = 0
        var isDiskLow = false
        /// The alert of a database that is nearly full.
        var fullDatabase: Alert?
        var logIns = LogInWindow()
    }

    private let api: Server
    private let service: RestorationService
    private let directory: String
    private let maximumBytes: Int?
    private let backups: BackupWatch
    private let state = Mutex(State())

    /// - Parameter maximumBytes: the size limit of the database.
    init(
        _ api: Server, _ service: RestorationService, directory: String, maximumBytes: Int?, _ backups: BackupWatch
    ) {
        self.api = api
        self.service = service
        self.directory = directory
        self.maximumBytes = maximumBytes
        self.backups = backups
    }

    /// Looks once. Call it every 15 seconds.
    func look() async {
        let clock = service.clock
        let failures = state.withLock { $0.logIns.failures(of: service.logIns.failures, at: clock.uptime()) }
        service.alerts.update(
            .logInStorm,
            to: failures < LogInWindow.storm
                ? []
                : [
                    Alert(
                        .logInStorm, "administrators",
                        "\(failures) attempts to log in as an administrator failed in the last five minutes.")
                ], by: clock)
        let (failed, old) = backups.alerts(at: clock.now())
        service.alerts.update(.backupFailed, to: failed, by: clock)
        service.alerts.update(.backupOld, to: old, by: clock)
        service.alerts.update(.diskLow, to: lowDisks(), by: clock)
        // Last, because a store that hangs holds these checks up.
        service.alerts.update(.storeFailing, to: await storeFailures(), by: clock)
        await measureDatabase()
    }

    private func lowDisks() -> [Alert] {
        var alerts = [state.withLock(\.fullDatabase)].compactMap(\.self)
        if let space = DiskSpace(of: directory) {
            let isLow = state.withLock { state in
                state.isDiskLow = space.isLow(before: state.isDiskLow)
                return state.isDiskLow
            }
            if isLow { alerts.append(Alert(.diskLow, "the data directory \(directory)", space.sentence)) }
        }
        return alerts
    }

    /// Looks how full the database is, for the next look. If the store can't tell, the alert stays as it was.
    private func measureDatabase() async {
        guard let maximumBytes, let used = try? await service.browsing.usedBytes() else { return }
        state.withLock { state in
            // Once the database is nearly full, a twentieth must become free.
            guard used > maximumBytes / 100 * (state.fullDatabase == nil ? 90 : 85) else {
                state.fullDatabase = nil
                return
            }
            state.fullDatabase = Alert(
                .diskLow, "the database",
                "The database has \(used >> 20) of at most \(maximumBytes >> 20) MiB (maximum-bytes). "
                    + "Uploads fail when it is full.")
        }
    }

    /// One failed check alone may be a moment of load.
    private func storeFailures() async -> [Alert] {
        var fault: String?
        do throws(ServiceError) {
            try await api.checkStore()
            fault = service.upkeep.warnings.first
        } catch {
            fault = error.message
        }
        let count = state.withLock { state in
            state.failedChecks = fault == nil ? 0 : state.failedChecks + 1
            return state.failedChecks
        }
        guard let fault, count > 1 else { return [] }
        return [Alert(.storeFailing, "the store", fault)]
    }
}

/// Counts the failed log-ins of the last five minutes.
struct LogInWindow {
    /// How many failures are a storm. People who mistype their passwords cause fewer.
    static let storm = 20
    static let length = Duration.seconds(300)

    /// The counts since the start of the process at the last looks.
    private var samples: [(uptime: Duration, count: Int)] = []

    /// - Parameter count: the number of failures since the start of the process.
    mutating func failures(of count: Int, at uptime: Duration) -> Int {
        // The newest sample that is too old is the count at the start of the window.
        while samples.count > 1, samples[1].uptime <= uptime - Self.length { samples.removeFirst() }
        samples.append((uptime, count))
        return count - (samples[0].uptime <= uptime - Self.length ? samples[0].count : 0)
    }
}
