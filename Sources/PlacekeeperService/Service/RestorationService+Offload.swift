import PlacekeeperArchive
import PlacekeeperConcurrency
package import PlacekeeperCore

extension RestorationService {
    /// Runs part of a user's request on the offload queue. Throws `overloaded` if the queue is full or the request was
    /// canceled before the work began. Long work, such as work on archives, calls `WorkMeter.pause` to let other
    /// requests take turns.
    package func offload<Value: Sendable, Failure: Error>(
        for owner: UserKey, _ work: @concurrent @Sendable () async throws(Failure) -> Value
    ) async throws(ServiceError) -> Result<Value, Failure> {
        let queue = offloadQueue
        do throws(OffloadRefusal) {
            return try await queue.run(for: owner) { () async -> Result<Value, Failure> in
                await WorkMeter.$pause.withValue(WorkMeter.Pause { queue.pause() }) {
                    do throws(Failure) { return .success(try await work()) } catch { return .failure(error) }
                }
            }.get()
        } catch {
            throw ServiceError(error)
        }
    }

    /// Runs a slow read for an app on the offload queue.
    func offload<Value: Sendable>(
        of app: AppID, _ work: @concurrent @Sendable () async throws(ServiceError) -> Value
    ) async throws(ServiceError) -> Value {
        try await offload(for: .everyone(of: app), work).get()
    }
}

extension ServiceError {
    fileprivate init(_ refusal: OffloadRefusal) {
        switch refusal {
        case .full:
            self.init(
                .overloaded, "Too many slow requests are waiting. Try again shortly.", retryAfter: .seconds(1))
        case .cancelled: self.init(.overloaded, "The request was canceled.")
        }
    }
}
