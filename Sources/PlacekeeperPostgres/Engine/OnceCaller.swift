import PlacekeeperConcurrency

/// A caller that waits for a result and receives exactly one.
final class OnceCaller<Value: Sendable>: Sendable {
    private let receive: LockBox<(@Sendable (Result<Value, Failure>) -> Void)?>

    init(_ receive: @escaping @Sendable (Result<Value, Failure>) -> Void) { self.receive = LockBox(receive) }

    /// Passes a result to the caller. Returns false if it has already received one.
    func resume(_ result: Result<Value, Failure>) -> Bool {
        let receive = receive.withLock { $0.take() }
        receive?(result)
        return receive != nil
    }
}
