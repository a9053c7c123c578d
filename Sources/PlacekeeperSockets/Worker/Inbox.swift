import PlacekeeperHTTP
import Synchronization

/// The jobs and messages that other threads send to a worker.
struct Inbox: ~Copyable {
    enum Message: Sendable {
        case adopt(descriptor: Int32, peer: String)
        /// Respond to a request whose answer is ready after a lookup.
        case respond(Exchange, Answer.LateAnswer)
        /// Answer further requests with another responder, and resume the continuation.
        case use(any Responder, CheckedContinuation<Void, Never>)
        /// Shut down gracefully: finish the requests in progress, close the remaining connections after `ticks`, and
        /// then resume the continuation.
        case drain(ticks: UInt32, CheckedContinuation<Void, Never>)
        /// Advance the clock, and resume the continuation. Only sent by tests.
        case advance(ticks: UInt32, CheckedContinuation<Void, Never>?)
    }

    struct Contents {
        var jobs: [UnownedJob] = []
        var messages: [Message] = []
        /// Whether the worker is asleep and must be woken to see new contents.
        var ownerSleeps = true
    }

    private let contents = Mutex(Contents())

    /// Adds contents, and returns whether the caller must wake the worker. Only the first addition after the worker
    /// fell asleep needs to wake it.
    func put(_ body: (inout Contents) -> Void) -> Bool {
        contents.withLock { contents in
            body(&contents)
            defer { contents.ownerSleeps = false }
            return contents.ownerSleeps
        }
    }

    /// Moves the contents into the given empty arrays, and reuses the arrays' storage for new contents.
    func take(jobs: inout [UnownedJob], messages: inout [Message]) {
        contents.withLock { contents in
            contents.ownerSleeps = false
            swap(&contents.jobs, &jobs)
            swap(&contents.messages, &messages)
        }
    }

    /// Whether the inbox is empty. If it is, the next addition wakes the worker.
    func isEmptyBeforeSleep() -> Bool {
        contents.withLock { contents in
            contents.ownerSleeps = contents.jobs.isEmpty && contents.messages.isEmpty
            return contents.ownerSleeps
        }
    }
}
