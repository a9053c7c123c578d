import PlacekeeperConcurrency
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Forwards the events of a session's tasks to their exchanges, and stops tasks.
final class SessionDelegate: NSObject, URLSessionDataDelegate {
    private struct Entry {
        var exchange: Exchange
        /// Whether the task was stopped. Changes only on `queue`.
        var isStopped = false
    }

    /// The queue for all events. Handles one event at a time.
    let queue = OperationQueue()
    /// The exchanges of unfinished tasks, by task identifier.
    private let entries = LockBox<[Int: Entry]>([:])

    override init() {
        super.init()
        queue.maxConcurrentOperationCount = 1
    }

    func add(_ exchange: Exchange, _ task: URLSessionTask) {
        entries.withLock { $0[task.taskIdentifier] = Entry(exchange: exchange) }
    }

    /// Cancels an unfinished task.
    func stop(_ task: URLSessionTask) {
        if OperationQueue.current === queue { return stopNow(task) }
        let operation = BlockOperation { self.stopNow(task) }
        // Pieces of the response may already be queued.
        operation.queuePriority = .veryHigh
        queue.addOperation(operation)
    }

    private func stopNow(_ task: URLSessionTask) {
        let stops = entries.withLock { entries in
            guard let entry = entries[task.taskIdentifier], !entry.isStopped else { return false }
            entries[task.taskIdentifier]?.isStopped = true
            return true
        }
        guard stops else { return }
        task.cancel()
        #if canImport(FoundationNetworking)
            // FoundationNetworking cancels in two steps on the task's own queue, and crashes the process if the task
            // completes between them. A task completes on this operation's queue, so this operation waits for both
            // steps: reading `priority` runs on the task's own queue.
            for _ in 1...2 { _ = task.priority }
        #endif
    }

    private func exchange(_ task: URLSessionTask) -> Exchange? {
        entries.withLock { $0[task.taskIdentifier]?.exchange }
    }

    // MARK: - URLSessionDataDelegate

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // FoundationNetworking crashes the process if the handler of a canceled task is called.
            guard entries.withLock({ $0[task.taskIdentifier]?.isStopped == false }) else { return }
        #endif
        // The token is for this service only.
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        guard let response = response as? HTTPURLResponse else { return completionHandler(.cancel) }
        exchange(dataTask)?.receive(response, self)
        completionHandler(.allow)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        #if canImport(FoundationNetworking)
            // FoundationNetworking calls this at the end of the response, and never completes the task.
            exchange(task)?.complete(task, nil, self)
        #else
            completionHandler(.performDefaultHandling, nil)
        #endif
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        exchange(dataTask)?.receive(data, self)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let entry = entries.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        entry?.exchange.complete(task, error, self)
    }
}
