import PlacekeeperAPI
import PlacekeeperConcurrency
import PlacekeeperCore
import PlacekeeperHTTP
package import PlacekeeperService

/// The REST layer: answers requests by the route table, and doesn't use sockets.
///
/// A handler that doesn't wait for the store runs to completion on the calling thread.
package final class Server: Sendable {
    let service: RestorationService
    let configuration: Configuration
    let assets: Assets
    let description: Assets.Asset?
    let gzip: (any GzipCoding)?
    let log: LogSink
    let router = Router()
    let requestIDs = RequestIDs()
    let latestAnswers: LatestCache
    let counts = RequestCounts()
    let registrations: Throttle
    /// Limits, for each client network, the failed attempts to link a device. `RestorationService.wrongCodes` also
    /// limits the wrong link codes per device.
    let wrongLinks = Throttle(burst: 10, interval: .seconds(60))
    /// Limits, for each client network, the requests with an unknown token.
    let unknownTokens = Throttle(burst: 100, interval: .seconds(1))
    /// The uptime at the last successful health check of the store.
    let lastCheck = LockBox<Duration?>(nil)
    /// Whether the last check of the store succeeded.
    let storeIsSound = LockBox(true)
    /// The findings of the last `checkClock()`.
    let lastFindings = LockBox(ClockFindings())
    let startedAt: Timestamp
    /// The instances that use the store, and those that died within a day, as the last `flush` found them.
    let instances = LockBox<[Instance]>([])
    /// The sizes of the store's files at the last `flush`.
    let fileSizes = LockBox<FileSizes?>(nil)
    private let isStopping = LockBox(false)
    /// The number of open event streams of devices.
    let eventStreams = LockBox(0)

    /// - Parameters:
    ///   - assets: files that are served in addition to the routes, such as pages.
    ///   - description: the file `openapi.yaml`.
    ///   - gzip: the gzip coding. Without it, no response is compressed, and compressed bodies are rejected.
    ///   - log: receives log lines.
    package init(
        _ service: RestorationService, configuration: Configuration = Configuration(), assets: [Assets.File] = [],
        description: Assets.File? = nil, gzip: (any GzipCoding)? = nil, log: @escaping LogSink = { _ in }
    ) {
        self.service = service
        startedAt = service.clock.now()
        self.configuration = configuration
        self.assets = Assets(assets, hashing: service.hashing, gzip: gzip)
        self.description = description.map { Assets.Asset($0, hashing: service.hashing, gzip: gzip) }
        self.gzip = gzip
        self.log = log
        latestAnswers = LatestCache(capacity: configuration.latestBytes)
        registrations = Throttle(
            burst: configuration.registrationBurst, interval: configuration.registrationInterval)
    }

    var isDraining: Bool { isStopping.withLock(\.self) }

    /// Starts the shutdown: `/readyz` fails, and event streams end.
    package func drain() {
        isStopping.withLock { $0 = true }
        service.feed.finish()
    }

    /// Waits until the devices' event streams have sent their last changes and ended, or until time is up because a
    /// client doesn't read. Call this method after `drain()` and before closing the connections.
    package func finishEventStreams(within time: Duration) async {
        let end = ContinuousClock.now + time
        while eventStreams.withLock(\.self) > 0, ContinuousClock.now < end {
            try? await Task.sleep(for: .milliseconds(5))
        }
    }

    /// Sends heartbeats: every event stream sends its new changes, or a comment. Must be called every 15 seconds.
    package func sendHeartbeats() { service.feed.wakeAll() }

    /// Stores the counts in memory, and records that this instance is running. Call it once a minute, and before the
    /// process ends.
    package func flush() async throws(ServiceError) {
        counts.copy(to: service.hourlyCounters, at: service.clock.now())
        try await service.upkeep.flush()
        let instances = try await service.upkeep.instances(
            as: configuration.instance, version: configuration.version)
        self.instances.withLock { $0 = instances }
        let sizes = try await service.upkeep.fileSizes()
        fileSizes.withLock { $0 = sizes }
    }
}
