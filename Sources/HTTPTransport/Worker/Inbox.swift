import Synchronization

/// What other threads hand to a worker.
struct Inbox: ~Copyable {
    enum Message: Sendable {
        case adopt(descriptor: Int32, peer: String)
        /// Finish what is in flight, close after so many ticks what is not; then resume.
        case drain(ticks: UInt32, CheckedContinuation<Void, Never>)
        /// Let time pass, then resume who waits for it: for tests.
        case advance(ticks: UInt32, CheckedContinuation<Void, Never>?)
    }

    struct Contents {
        var jobs: [UnownedJob] = []
        var messages: [Message] = []
        /// Whether the worker has to be woken to see what is put in.
        var ownerSleeps = true
    }

    private let contents = Mutex(Contents())

    /// Puts something in, and says whether the worker has to be woken: once for all that comes until it looks.
    func put(_ body: (inout Contents) -> Void) -> Bool {
        contents.withLock { contents in
            body(&contents)
            defer { contents.ownerSleeps = false }
            return contents.ownerSleeps
        }
    }

    /// Moves what is there into empty arrays, whose storage it takes in return.
    func take(jobs: inout [UnownedJob], messages: inout [Message]) {
        contents.withLock { contents in
            contents.ownerSleeps = false
            swap(&contents.jobs, &jobs)
            swap(&contents.messages, &messages)
        }
    }

    /// Whether there is nothing, and the next one to put something in will wake the worker.
    func isEmptyBeforeSleep() -> Bool {
        contents.withLock { contents in
            contents.ownerSleeps = contents.jobs.isEmpty && contents.messages.isEmpty
            return contents.ownerSleeps
        }
    }
}
