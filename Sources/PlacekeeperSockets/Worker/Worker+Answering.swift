import PlacekeeperHTTP
import Synchronization

/// A complete request, ready for its handler.
struct Incoming: Sendable {
    let request: Request
    let exchange: Exchange
}

/// A request that has no response yet, without its content.
struct Exchange: Sendable {
    let token: ConnectionID
    /// The number of bytes of the request's content that are charged to the byte budget.
    let charge: Int
}

/// A request, and the function that answers it.
struct HandledRequest: Sendable {
    let exchange: Exchange
    let handler: @Sendable () async -> Response
}

/// The requests that wait for their handlers, first in, first out. Each connection has at most one.
struct WaitingRequests {
    private var requests: [HandledRequest?] = []
    private var next = 0

    var isEmpty: Bool { next == requests.count }

    mutating func append(_ request: HandledRequest) { requests.append(request) }

    mutating func take() -> HandledRequest? {
        guard next < requests.count else { return nil }
        defer {
            next += 1
            // On average each request is moved once.
            if 2 * next >= requests.count {
                requests.removeFirst(next)
                next = 0
            }
        }
        return requests[next].take()
    }
}

extension Worker {
    /// Answers the requests of a batch of events that need neither a handler nor a lookup. All other requests wait, so
    /// they can't delay these answers.
    func answerFromMemory() {
        while let incoming = nextRequest() {
            switch responder.answer(to: incoming.request) {
            case .ready(let response):
                inHand = incoming.exchange.token
                begin(response, for: incoming.exchange)
                inHand = nil
                handlers -= 1
            case .handler(let handler):
                waiting.append(HandledRequest(exchange: incoming.exchange, handler: handler))
                finishReading()
            case .later(let ask):
                ask { self.post(.respond(incoming.exchange, $0)) }
                finishReading()
            }
        }
    }

    /// Runs handlers for the waiting requests until none is left or the turn is over. After each turn, the worker
    /// checks the sockets first.
    func handleWaiting() {
        let end = ContinuousClock.now + Self.turn
        while let request = nextWaiting() {
            detachHandler(Task.immediate(executorPreference: self) { await self.serve(request, until: end) })
            if ContinuousClock.now >= end { return }
        }
    }

    /// Answers a request and then further waiting requests, one after another, until the turn is over or a handler
    /// waits.
    ///
    /// All handlers that don't wait share the task of this function, so they don't need their own. A handler that waits
    /// keeps the task, and a new task continues (docs/decisions/0018-epoll-workers-on-dispatch.md).
    private func serve(_ first: HandledRequest, until end: ContinuousClock.Instant) async {
        var next: HandledRequest? = first
        while let request = next.take() {
            let token = request.exchange.token
            inHand = token
            await handle(request)
            guard inHand == token else { return }
            inHand = nil
            if let slot = table[token] { finishTurn(token, slot) }
            // The handler may have canceled this task. If so, the next handler gets a new one.
            guard !Task.isCancelled, ContinuousClock.now < end else { return }
            next = nextWaiting()
        }
    }

    private func handle(_ request: HandledRequest) async {
        let response = await request.handler()
        begin(response, for: request.exchange)
        if case .stream(let produce) = response.body { await stream(produce, request.exchange.token) }
        handlers -= 1
    }

    /// Returns the next waiting request whose peer is still there.
    private func nextWaiting() -> HandledRequest? {
        while let request = waiting.take() {
            if isAnswerable(request.exchange) { return request }
        }
        return nil
    }

    /// Returns whether the peer of a request is still waiting. If not, ends the request.
    private func isAnswerable(_ exchange: Exchange) -> Bool {
        if table[exchange.token]?.pointee.connection.phase == .handling { return true }
        budget.release(exchange.charge)
        handlers -= 1
        return false
    }

    /// Answers a request after its lookup.
    func finish(_ exchange: Exchange, with answer: Answer.LateAnswer) {
        guard isAnswerable(exchange) else { return }
        switch answer() {
        case .ready(let response):
            begin(response, for: exchange)
            handlers -= 1
        case .handler(let handler):
            let request = HandledRequest(exchange: exchange, handler: handler)
            attach(Task.immediate(executorPreference: self) { await self.handle(request) }, to: exchange.token)
        case .later(let ask): ask { self.post(.respond(exchange, $0)) }
        }
    }

    private func nextRequest() -> Incoming? {
        while true {
            if let slot = reading.slot {
                if let incoming = nextRequest(in: &reading, of: slot) { return incoming }
                finishReading()
            } else if !resumeOne(), !handleNextEvent() {
                return nil
            }
        }
    }

    /// Detaches a handler that must wait: its connection keeps `task`. If the handler is writing a stream, sends the
    /// stream's head.
    private func detachHandler(_ task: Task<Void, Never>) {
        guard let token = inHand.take(), let slot = table[token] else { return }
        attach(task, to: token)
        flush(token, slot)
        settle(token, slot, progressed: true)
    }

    /// Attaches the task of a handler to its connection, unless the handler has ended. Cancels the task if the
    /// connection is closed.
    private func attach(_ task: Task<Void, Never>, to token: ConnectionID) {
        guard let slot = table[token] else { return task.cancel() }
        switch slot.pointee.connection.phase {
        case .closed: task.cancel()
        case .idle, .head, .body: break
        default: slot.makeMessageState().task = task
        }
    }

    func takeInHand(
        _ head: consuming RequestHead, _ body: consuming [UInt8], _ note: (any Sendable)?, _ token: ConnectionID,
        _ slot: SlotPointer
    ) -> Incoming {
        // Only this loop writes the counter, and other cores needn't see the new value immediately. So the addition
        // needn't be atomic.
        requestCount.store(requestCount.load(ordering: .relaxed) + 1, ordering: .relaxed)
        handlers += 1
        slot.pointee.connection.handle(head)
        let request = Request(
            head: head, body: body, peer: slot.pointee.peer, note: note, budget: budget)
        return Incoming(request: request, exchange: Exchange(token: token, charge: takeCharge(slot)))
    }

    private func takeCharge(_ slot: SlotPointer) -> Int {
        guard let framingContext = slot.pointee.framingContext else { return 0 }
        defer { framingContext.charge = 0 }
        return framingContext.charge
    }

    /// Writes the response to the current request. For a stream, writes only the head.
    private func begin(_ response: Response, for exchange: Exchange) {
        if exchange.charge > 0 { budget.release(exchange.charge) }
        guard let slot = table[exchange.token], slot.pointee.connection.phase == .handling else { return }
        answer(response, exchange.token, slot)
        finishTurn(exchange.token, slot)
    }

    /// Sends the output of a handler that has ended. Answers from memory are sent with the other output of their batch.
    func finishTurn(_ token: ConnectionID, _ slot: SlotPointer) {
        guard inHand != token else { return }
        if slot.pointee.connection.phase != .streaming { slot.pointee.framingContext?.task = nil }
        flush(token, slot)
        settle(token, slot, progressed: true)
    }

    private func answer(_ response: Response, _ token: ConnectionID, _ slot: SlotPointer) {
        let framingContext = slot.pointee.connection.contextForResponse()
        let plan = ResponseEncoder.appendHead(of: response, for: framingContext, date: date, to: &output)
        slot.pointee.connection.answered(plan)
        guard plan.framing == .length, case .bytes(let bytes) = response.body else { return }
        if bytes.count <= Self.largestCopy {
            output.append(contentsOf: bytes)
        } else {
            flush(token, slot, more: true)
            send(bytes, token, slot)
        }
    }

    /// The maximum size of content that is copied. Up to this size, a copy costs less than another system call.
    private static let largestCopy = 32 * 1024

    // MARK: - Refusals

    /// - Parameter head: The head of the refused message, if it arrived completely.
    func refuse(_ refusal: Refusal, _ head: RequestHead?, _ token: ConnectionID, _ slot: SlotPointer) {
        let response = responder.response(to: refusal, of: head, from: slot.pointee.peer)
        refuse(with: response, method: head?.method ?? .get, token, slot)
    }

    func refuse(with response: Response, method: Method, _ token: ConnectionID, _ slot: SlotPointer) {
        var response = response
        // Drop the stream, because there is no handler to write it.
        if case .stream = response.body { response.body = .empty }
        slot.pointee.connection.refuse(method: method)
        answer(response, token, slot)
    }

    /// Performs the action that the connection's state machine returned for the end of input or a deadline.
    func act(on action: Connection.Action, _ token: ConnectionID, _ slot: SlotPointer) {
        switch action {
        case .refuse(let refusal):
            refuse(refusal, slot.pointee.framingContext?.reader?.head, token, slot)
            flush(token, slot)
            settle(token, slot, progressed: true)
        case .close, .abort: close(token, slot)
        case .wait, .read, .linger: settle(token, slot, progressed: false)
        }
    }
}
