import Dispatch
import PlacekeeperSystem
import PlacekeeperHTTP
import Synchronization

/// An event loop with its connections and their buffers, and the executor of their handlers.
///
/// `@unchecked Sendable`: only the poller's serial queue, and handlers that run on this queue, use the state. The
/// exceptions are `inbox`, waking `poller`, and the atomics.
final class Worker: TaskExecutor, @unchecked Sendable {
    /// The resolution of the deadlines.
    static let tick = Duration.milliseconds(500)
    /// How long handlers run before the worker checks the sockets again. A handler that runs longer without waiting
    /// isn't interrupted.
    static let turn = Duration.milliseconds(1)

    let configuration: HTTPServer.Configuration
    private(set) var responder: any Responder
    let budget: ByteBudget
    let acceptor: Acceptor
    let poller: any Poller
    let inbox = Inbox()
    let requestCount = Atomic(0)

    /// The thread that runs the loop. 0 if there is none.
    private let owner = Atomic<UInt>(0)

    var table = ConnectionTable()
    let ticks: Ticks
    var now: UInt32 = 0
    var date: [UInt8] = []
    /// The buffer for received bytes, until they are parsed.
    let input: UnsafeMutableRawBufferPointer
    /// The bytes to send to the current connection.
    var output: [UInt8] = []
    /// The current connection's bytes, while the worker answers the requests in them.
    var reading: Reading
    /// The connection whose handler is running and hasn't waited.
    var inHand: ConnectionID?
    /// The requests that wait for a handler, in order of arrival.
    var waiting = WaitingRequests()
    /// The connections that can resume reading their pending bytes.
    var resumable: [ConnectionID] = []
    /// The closed connections, whose slots are freed at the start of the loop's next turn.
    var closed: [ConnectionID] = []
    var handlers = 0
    var drain: Drain?

    /// Whether no connection has had an event since the tick before the last one.
    private var isQuiet = false
    private var eventsSinceTick = 0
    private(set) var nextEvent = 0
    private(set) var eventCount = 0
    private let events = UnsafeMutableBufferPointer<Readiness>.allocate(capacity: 256)
    private var jobs: [UnownedJob] = []
    private var messages: [Inbox.Message] = []
    private var arrivedJobs: [UnownedJob] = []

    init(
        configuration: HTTPServer.Configuration, responder: any Responder, budget: ByteBudget, acceptor: Acceptor,
        poller: any Poller
    ) {
        self.configuration = configuration
        self.responder = responder
        self.budget = budget
        self.acceptor = acceptor
        ticks = Ticks(configuration.deadlines)
        reading = Reading(limits: configuration.limits)
        self.poller = poller
        let largestHead = configuration.limits.requestLine + configuration.limits.head
        input = .allocate(byteCount: max(64 * 1024, 2 * largestHead), alignment: 16)
    }

    deinit {
        input.deallocate()
        events.deallocate()
    }

    func start() { poller.start { self.run() } }

    /// Stops the loop. Until then, the poller keeps the worker in memory.
    func stop() { poller.stop() }

    var isCurrent: Bool { owner.load(ordering: .relaxed) == Platform.currentThread }

    // MARK: - Loop

    /// Runs the loop until nothing is left to do. If the poller can block, an idle loop waits in the kernel until no
    /// connection is open, or no connection has an event for a whole tick. Such a wait takes less time than another
    /// call by Dispatch (docs/decisions/0018-epoll-workers-on-dispatch.md). If the poller can't block, the loop ends
    /// after each round, because the queue reports no event while the loop runs.
    private func run() {
        owner.store(Platform.currentThread, ordering: .relaxed)
        takeInbox()
        isQuiet = false
        while true {
            runJobs()
            free()
            let isIdle = jobs.isEmpty && resumable.isEmpty && waiting.isEmpty && inbox.isEmptyBeforeSleep()
            // Without connections, the clock doesn't tick and a wait in the kernel wouldn't end, so the loop ends
            // instead.
            let mayLeave = isIdle && (isQuiet || table.count == 0 || !poller.blocks)
            nextEvent = 0
            eventCount = poller.wait(events, mayBlock: isIdle && !mayLeave)
            // End the loop only if there are no events. Otherwise, Dispatch would immediately call the handler again.
            if mayLeave && eventCount == 0 { break }
            answerFromMemory()
            handleWaiting()
            takeInbox()
            if !poller.blocks, !(jobs.isEmpty && resumable.isEmpty && waiting.isEmpty) {
                // A job that yields must not keep the poller from its events.
                poller.wake()
                break
            }
        }
        owner.store(0, ordering: .relaxed)
    }

    /// Handles the next event of the batch. Returns false if there is none.
    func handleNextEvent() -> Bool {
        guard nextEvent < eventCount else { return false }
        let event = events[nextEvent]
        nextEvent += 1
        let token = event.token
        if token.generation == ConnectionID.ownGeneration {
            guard token == .timer else { return true }
            isQuiet = eventsSinceTick == 0
            eventsSinceTick = 0
            advance(by: poller.takeTicks())
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
        case .respond(let exchange, let answer): finish(exchange, with: answer)
        case .use(let responder, let continuation):
            self.responder = responder
            continuation.resume()
        case .drain(let ticks, let continuation): startDraining(ticks: ticks, continuation)
        case .advance(let ticks, let continuation):
            advance(by: ticks)
            continuation?.resume()
        }
    }

    func post(_ message: Inbox.Message) {
        if inbox.put({ $0.messages.append(message) }) { poller.wake() }
    }

    // MARK: - Executor

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        if isCurrent {
            jobs.append(job)
        } else if inbox.put({ $0.jobs.append(job) }) {
            poller.wake()
        }
    }

    private func runJobs() {
        guard !jobs.isEmpty else { return }
        let executor = asUnownedTaskExecutor()
        let end = ContinuousClock.now + Self.turn
        var index = 0
        // Jobs that are added in this turn run in the next one, so jobs can't delay the sockets.
        let count = jobs.count
        repeat {
            let job = jobs[index]
            index += 1
            job.runSynchronously(on: executor)
        } while index < count && ContinuousClock.now < end
        jobs.removeFirst(index)
    }
}
