import PlacekeeperHTTP
import Synchronization

/// The jobs and messages that other threads send to a worker.
struct Inbox: ~Copyable {
    enum Message: Sendable {
        case adopt(descriptor: Int32, peer: String)
        /// Respond to a request whose response was prepared.
        case respond(Incoming, Answer.LateAnswer)
        /// Shut down gracefully: finish the requests in progress, close the remaining connections after `ticks`, and
        /// resume the continuation at the end.
        case drain(ticks: UInt32, CheckedContinuation<Void, Never>)
        /// Advance the clock, and resume the continuation. Only tests send this message.
        case advance(ticks: UInt32, CheckedContinuation<Void, Never>?)
    }

    struct Contents {
        var jobs: [UnownedJob] = []
        var messages: [Message] = []
        /// Whether the worker sleeps and must be woken to see new contents.
        var ownerSleeps = true
    }

    private let contents = Mutex(Contents())

    /// Adds contents. Returns whether the caller must wake the worker. Only the first addition after the worker fell
    /// asleep wakes the worker.
    func put(_ body: (inout Contents) -> Void) -> Bool {
        contents.withLock { contents in
            body(&contents)
            defer { contents.ownerSleeps = false }
            return contents.ownerSleeps
        }
    }

    /// Moves the contents into the given empty arrays, and keeps the storage of these arrays for new contents.
    func take(jobs: inout [UnownedJob], messages: inout [Message]) {
        contents.withLock { contents in
            contents.ownerSleeps = false
            swap(&contents.jobs, &jobs)
            swap(&contents.messages, &messages)
        }
    }

    /// Whether the inbox is empty. If the inbox is empty, the next addition wakes the worker.
    func isEmptyBeforeSleep() -> Bool {
        contents.withLock { contents in
            contents.ownerSleeps = contents.jobs.isEmpty && contents.messages.isEmpty
            return contents.ownerSleeps
        }
    }
}
