import PlacekeeperConcurrency

/// The origins of web pages that any app lists. A preflight names no app, and a response to a request without a valid
/// token belongs to none, so these are answered for every listed origin.
///
/// They are read only while browsers send requests, at most once a second, however many requests there are.
final class WebOrigins: Sendable {
    private struct State {
        var origins: Set<[UInt8]> = []
        var readAt: Duration?
    }

    private let state = LockBox(State())

    var origins: Set<[UInt8]> { state.withLock(\.origins) }

    /// Returns whether the caller must read the origins. Until the first reading has ended, every caller must.
    func beginReading(at now: Duration) -> Bool {
        state.withLock { state in
            guard let readAt = state.readAt else { return true }
            guard now >= readAt + .seconds(1) else { return false }
            state.readAt = now
            return true
        }
    }

    /// - Parameter origins: nil if they couldn't be read.
    func endReading(_ origins: Set<[UInt8]>?, at now: Duration) {
        state.withLock { state in
            state.readAt = now
            if let origins { state.origins = origins }
        }
    }
}
