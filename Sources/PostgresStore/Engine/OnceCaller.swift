import Concurrency

/// A caller that waits for a result, and gets one result.
final class OnceCaller<Value: Sendable>: Sendable {
    private let continuation: LockBox<CheckedContinuation<Result<Value, Failure>, Never>?>

    init(_ continuation: CheckedContinuation<Result<Value, Failure>, Never>) {
        self.continuation = LockBox(continuation)
    }

    /// Gives the caller a result. Returns false if the caller has one already.
    func resume(_ result: Result<Value, Failure>) -> Bool {
        let continuation = continuation.withLock { continuation in
            defer { continuation = nil }
            return continuation
        }
        continuation?.resume(returning: result)
        return continuation != nil
    }
}
