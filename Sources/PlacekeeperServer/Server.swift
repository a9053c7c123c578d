import HTTPCodec
import PlacekeeperAPI
package import RestorationService
import Synchronization

/// The REST layer: answers requests by the route table, and knows no socket.
///
/// A handler that need not wait for the store runs to its end on the caller's thread.
package final class Server: Sendable {
    let service: RestorationService
    let configuration: Configuration
    let assets: Assets
    let description: Assets.Asset?
    let gzip: (any GzipCoding)?
    let log: LogSink
    let router = Router()
    let requestIDs = RequestIDs()
    let counts = RequestCounts()
    let registrations: Throttle
    /// Wrong link codes from devices, by where they come from.
    let wrongLinks = Throttle(burst: 10, interval: .seconds(60))
    /// When the store was last found to answer.
    let lastCheck = Mutex<Timestamp?>(nil)
    private let isStopping = Atomic(false)

    /// - Parameters:
    ///   - assets: what stands beside the routes, such as pages.
    ///   - description: the bytes of `openapi.yaml`.
    ///   - gzip: without it nothing is coded, and coded bodies are refused.
    ///   - log: takes a line of JSON at a time, without the line feed.
    package init(
        _ service: RestorationService, configuration: Configuration = Configuration(), assets: [Assets.File] = [],
        description: [UInt8]? = nil, gzip: (any GzipCoding)? = nil, log: @escaping LogSink = { _ in }
    ) {
        self.service = service
        self.configuration = configuration
        self.assets = Assets(assets, hashing: service.hashing, gzip: gzip)
        self.description = description.map {
            Assets.Asset(Assets.File(name: "openapi.yaml", bytes: $0), hashing: service.hashing, gzip: gzip)
        }
        self.gzip = gzip
        self.log = log
        registrations = Throttle(
            burst: configuration.registrationBurst, interval: configuration.registrationInterval)
    }

    var isDraining: Bool { isStopping.load(ordering: .acquiring) }

    /// Says from now on that it is not ready, and ends the streams of events: the server is about to stop.
    package func drain() {
        isStopping.store(true, ordering: .releasing)
        service.feed.finish()
    }

    /// Makes every stream of events say something, if only a comment. To be called every 15 seconds.
    package func beat() { service.feed.wakeAll() }

    /// Writes what is gathered in memory. To be called once a minute, and before the end.
    package func flush() async throws(ServiceError) {
        counts.move(to: service.hourlyCounters, at: service.clock.now())
        try await service.flush()
    }
}
