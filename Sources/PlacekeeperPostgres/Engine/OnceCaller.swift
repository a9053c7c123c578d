import PlacekeeperConcurrency

/// A caller that waits for a result, and gets one result.
final class OnceCaller<Value: Sendable>: Sendable {
    private let receive: LockBox<(@Sendable (Result<Value, Failure>) -> Void)?>

    init(_ receive: @escaping @Sendable (Result<Value, Failure>) -> Void) { self.receive = LockBox(receive) }

    /// Gives the caller a result. Returns false if the caller has one already.
    func resume(_ result: Result<Value, Failure>) -> Bool {
        let receive = receive.withLock { $0.take() }
        receive?(result)
        return receive != nil
    }
}
