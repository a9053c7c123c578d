import CLinux
import Dispatch
import Glibc
import HTTPCodec
import Synchronization

/// An event loop: its connections, their buffers, and the executor that their handlers run on.
///
/// `@unchecked Sendable`: everything but `inbox`, `poll`'s wake-up and the atomics is touched by `queue` alone, which
/// is serial, and by the handlers that run on it.
final class Worker: TaskExecutor, @unchecked Sendable {
    /// How fine deadlines are.
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
    /// The thread that runs the loop now; 0 when none does.
    private let owner = Atomic<UInt>(0)

    var table = ConnectionTable()
    let ticks: Ticks
    var now: UInt32 = 0
    var date: [UInt8] = []
    /// What is received, until it is parsed.
    let input: UnsafeMutableRawBufferPointer
    /// What is to be sent to the connection at hand.
    var output: [UInt8] = []
    /// The bytes that are being read, while the requests in them are answered.
    var reading: Reading
    /// The connection whose handler was called and has not waited yet: what it answers is sent with the rest.
    var inHand: ConnectionToken?
    /// Connections that may go on with what they have received.
    var resumable: [ConnectionToken] = []
    /// Closed connections, whose place is free once nobody looks at it any more.
    var closed: [ConnectionToken] = []
    var handlers = 0
    var drain: Drain?

    /// Whether nothing came between the last two ticks, nor since.
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

    /// Lets go of the loop. The source's handler holds the worker until then.
    func stop() {
        source?.cancel()
        source = nil
    }

    var isCurrent: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    // MARK: - Loop

    /// Runs from the first event until a whole tick has passed without another: to wait in the kernel, and without a
    /// timeout, costs less than to be called again (docs/decisions/0018-epoll-workers-on-dispatch.md).
    private func run() {
        owner.store(UInt(pthread_self()), ordering: .relaxed)
        takeInbox()
        isQuiet = false
        while true {
            runJobs()
            free()
            let isIdle = jobs.isEmpty && resumable.isEmpty && inbox.isEmptyBeforeSleep()
            // Without connections no tick would end a wait.
            let mayLeave = isIdle && (isQuiet || table.count == 0)
            nextEvent = 0
            eventCount = poll.wait(events, milliseconds: isIdle && !mayLeave ? -1 : 0)
            // What is left on the kernel's list would call the loop again at once.
            if mayLeave && eventCount == 0 { break }
            while hasRequestsToServe {
                detachHandler(Task.immediate(executorPreference: self) { await self.serve() })
            }
            takeInbox()
        }
        owner.store(0, ordering: .relaxed)
    }

    /// Handles the next event of the batch; false when there is none.
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
        // Those that were added meanwhile wait for the next turn, so that sockets get theirs.
        let count = jobs.count
        while index < count {
            let job = jobs[index]
            index += 1
            job.runSynchronously(on: executor)
        }
        jobs.removeFirst(count)
    }
}
