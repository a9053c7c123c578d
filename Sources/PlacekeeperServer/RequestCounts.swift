import HTTPCodec
import PlacekeeperAPI
import RestorationService
import Synchronization

/// Counts responses by route and status, without a lock or an allocation for each request. The server regularly moves
/// the counts to the hourly counters.
///
/// `@unchecked Sendable`: the counters are atomic, and no other state changes between `init` and `deinit`.
final class RequestCounts: @unchecked Sendable {
    private static let statuses = 100..<600
    private let counters: UnsafeMutableBufferPointer<Atomic<Int>>

    init() {
        counters = .allocate(capacity: Route.allCases.count * Self.statuses.count)
        for index in counters.indices { counters.initializeElement(at: index, to: Atomic(0)) }
    }

    deinit {
        counters.deinitialize()
        counters.deallocate()
    }

    /// Counts a response.
    ///
    /// - Parameter row: the index of the route in `Route.allCases`.
    func count(_ row: Int, _ status: Status) {
        guard Self.statuses.contains(Int(status.rawValue)) else { return }
        counters[Self.index(row, Int(status.rawValue))].add(1, ordering: .relaxed)
    }

    /// Moves the counts to the hour of `now`, with labels such as `GET /v1/places 200`.
    func move(to hourlyCounters: HourlyCounters, at now: Timestamp) {
        for (row, route) in Route.allCases.enumerated() {
            for status in Self.statuses {
                let number = counters[Self.index(row, status)].exchange(0, ordering: .relaxed)
                guard number > 0 else { continue }
                let label = "\(route.method.rawValue) \(route.template) \(status)"
                hourlyCounters.count("request", label, app: nil, at: now, by: number)
            }
        }
    }

    private static func index(_ row: Int, _ status: Int) -> Int {
        row * statuses.count + status - statuses.lowerBound
    }
}
