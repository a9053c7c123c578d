import CLinux
import Dispatch
import Glibc
import HTTPCodec
import Synchronization

/// An event loop with its connections and their buffers, and the executor of their handlers.
///
/// `@unchecked Sendable`: only the serial `queue`, and the handlers that run on this queue, use the state. The
/// exceptions are `inbox`, the wake-up of `poll`, and the atomics.
final class Worker: TaskExecutor, @unchecked Sendable {
    /// The resolution of the deadlines.
    static let tick = Duration.milliseconds(500)

    let configuration: HTTPServer.Configuration
    let responder: any Responder
    let budget: ByteBudget
    let acceptor: Acceptor
    let poll: Poll
    let inbox = Inbox()
    let requestCount = Atomic(0)

    private let queue: DispatchQueue
    private var source: (any DispatchSourceRead)?
    /// The thread that runs the loop. 0 if no thread runs the loop.
    private let owner = Atomic<UInt>(0)

    var table = ConnectionTable()
    let ticks: Ticks
    var now: UInt32 = 0
    var date: [UInt8] = []
    /// The buffer for received bytes, until they are parsed.
    let input: UnsafeMutableRawBufferPointer
    /// The bytes to send to the current connection.
    var output: [UInt8] = []
    /// The current connection's bytes, while the worker responds to the requests in these bytes.
    var reading: Reading
    /// The connection whose handler is running and has not waited. The handler's response is sent with the output of
    /// the batch.
    var inHand: ConnectionToken?
    /// The connections that can resume reading their pending bytes.
    var resumable: [ConnectionToken] = []
    /// The closed connections. Their slots become free at the start of the next turn of the loop.
    var closed: [ConnectionToken] = []
    var handlers = 0
    var drain: Drain?

    /// Whether no event of a connection arrived between the last two ticks, and none since the last tick.
    private var isQuiet = false
    private var eventsSinceTick = 0
    private(set) var nextEvent = 0
    private(set) var eventCount = 0
    private let events = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 256)
    private var jobs: [UnownedJob] = []
    private var messages: [Inbox.Message] = []
    private var arrivedJobs: [UnownedJob] = []

    init(
        number: Int, configuration: HTTPServer.Configuration, responder: any Responder, budget: ByteBudget,
        acceptor: Acceptor
    ) throws(TransportError) {
        self.configuration = configuration
        self.responder = responder
        self.budget = budget
        self.acceptor = acceptor
        ticks = Ticks(configuration.deadlines)
        reading = Reading(limits: configuration.limits)
        poll = try Poll()
        queue = DispatchQueue(label: "placekeeper.worker.\(number)")
        let largestHead = configuration.limits.requestLine + configuration.limits.head
        input = .allocate(byteCount: max(64 * 1024, 2 * largestHead), alignment: 16)
    }

    deinit {
        poll.close()
        input.deallocate()
        events.deallocate()
    }

    func start() {
        let source = DispatchSource.makeReadSource(fileDescriptor: poll.descriptor, queue: queue)
        source.setEventHandler { self.run() }
        self.source = source
        source.activate()
    }

    /// Stops the loop. Until the loop stops, the handler of the source keeps the worker in memory.
    func stop() {
        source?.cancel()
        source = nil
    }

    var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    // MARK: - Loop

    /// Runs the loop until a whole tick passes without an event of a connection, or until no connection is open and
    /// nothing is left to do. A wait in the kernel without a timeout costs less than another call by Dispatch
    /// (docs/decisions/0018-epoll-workers-on-dispatch.md).
    private func run() {
        owner.store(UInt(pthread_self()), ordering: .relaxed)
        takeInbox()
        isQuiet = false
        while true {
            runJobs()
            free()
            let isIdle = jobs.isEmpty && resumable.isEmpty && inbox.isEmptyBeforeSleep()
            // Without connections the clock does not tick, so a wait in the kernel would not end. The loop ends
            // instead.
            let mayLeave = isIdle && (isQuiet || table.count == 0)
            nextEvent = 0
            eventCount = poll.wait(events, milliseconds: isIdle && !mayLeave ? -1 : 0)
            // The loop ends only without events. Otherwise Dispatch would call the handler again at once.
            if mayLeave && eventCount == 0 { break }
            while hasRequestsToServe {
                detachHandler(Task.immediate(executorPreference: self) { await self.serve() })
            }
            takeInbox()
        }
        owner.store(0, ordering: .relaxed)
    }

    /// Handles the next event of the batch. Returns false if the batch has no further event.
    func handleNextEvent() -> Bool {
        guard nextEvent < eventCount else { return false }
        let event = events[nextEvent]
        nextEvent += 1
        let token = ConnectionToken(
            index: UInt32(truncatingIfNeeded: event.data.u64), generation: UInt32(event.data.u64 >> 32))
        if token.generation == Poll.ownGeneration {
            guard token.index == Poll.timerIndex else { return true }
            isQuiet = eventsSinceTick == 0
            eventsSinceTick = 0
            advance(by: poll.takeTicks())
        } else if let slot = table[token] {
            isQuiet = false
            eventsSinceTick += 1
            handle(event.events, token, slot)
        }
        return true
    }

    private func takeInbox() {
        inbox.take(jobs: &arrivedJobs, messages: &messages)
        jobs.append(contentsOf: arrivedJobs)
        arrivedJobs.removeAll(keepingCapacity: true)
        for message in messages { take(message) }
        messages.removeAll(keepingCapacity: true)
    }

    private func take(_ message: Inbox.Message) {
        switch message {
        case .adopt(let descriptor, let peer): adopt(descriptor, peer: peer)
        case .drain(let ticks, let continuation): startDraining(ticks: ticks, continuation)
        case .advance(let ticks, let continuation):
            advance(by: ticks)
            continuation?.resume()
        }
    }

    func post(_ message: Inbox.Message) {
        if inbox.put({ $0.messages.append(message) }) { poll.wake() }
    }

    // MARK: - Executor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
        } else if inbox.put({ $0.jobs.append(job) }) {
            poll.wake()
        }
    }

    private func runJobs() {
        let executor = asUnownedTaskExecutor()
        var index = 0
        // Jobs that are added in this turn run in the next turn, so that jobs cannot delay the sockets.
        let count = jobs.count
        while index < count {
            let job = jobs[index]
            index += 1
            job.runSynchronously(on: executor)
        }
        jobs.removeFirst(count)
    }
}
