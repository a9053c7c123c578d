import HTTPCodec
import Synchronization

extension Worker {
    /// Starts a handler. One that need not wait has answered when this returns.
    func handle(
        _ head: consuming RequestHead, _ body: consuming [UInt8], _ admittedAt: Int64?, _ token: ConnectionToken,
        _ slot: SlotPointer
    ) {
        // Only the loop adds: no other core needs to see it at once.
        requestCount.store(requestCount.load(ordering: .relaxed) + 1, ordering: .relaxed)
        handlers += 1
        slot.pointee.connection.handle(head)
        let request = Request(head: head, body: body, peer: slot.pointee.peer, admittedAt: admittedAt)
        let charge = takeCharge(slot)
        dispatching = token
        // The whole of it stands here, since to enter an async function is to ask which executor it runs on.
        let task = Task.immediate(executorPreference: self) { [responder] in
            let response = await responder.respond(to: request)
            self.begin(response, token, charge)
            if case .stream(let produce) = response.body { await self.stream(produce, token) }
            self.handlers -= 1
        }
        dispatching = nil
        switch slot.pointee.connection.phase {
        case .handling, .streaming: exchange(of: slot).task = task
        case .closed: task.cancel()
        case .idle, .head, .body, .ending, .lingering: break
        }
    }

    private func takeCharge(_ slot: SlotPointer) -> Int {
        guard let exchange = slot.pointee.exchange else { return 0 }
        defer { exchange.charge = 0 }
        return exchange.charge
    }

    /// Writes a response to the request that is being handled, or the head of one whose content is a stream.
    private func begin(_ response: Response, _ token: ConnectionToken, _ charge: Int) {
        if charge > 0 { budget.release(charge) }
        guard let slot = table[token], slot.pointee.connection.phase == .handling else { return }
        answer(response, token, slot)
        finishTurn(token, slot)
    }

    /// Sends what a handler wrote after it had waited; what it writes at once is sent with the rest of the batch.
    func finishTurn(_ token: ConnectionToken, _ slot: SlotPointer) {
        guard dispatching != token else { return }
        if slot.pointee.connection.phase != .streaming { slot.pointee.exchange?.task = nil }
        flush(token, slot)
        settle(token, slot, progressed: true)
    }

    private func answer(_ response: Response, _ token: ConnectionToken, _ slot: SlotPointer) {
        let exchange = slot.pointee.connection.exchangeToAnswer()
        let plan = ResponseEncoder.appendHead(of: response, for: exchange, date: date, to: &output)
        slot.pointee.connection.answered(plan)
        guard plan.framing == .length, case .bytes(let bytes) = response.body else { return }
        if bytes.count <= Self.largestCopy {
            output.append(contentsOf: bytes)
        } else {
            flush(token, slot, more: true)
            send(bytes, token, slot)
        }
    }

    /// Up to here a copy costs less than another system call.
    private static let largestCopy = 32 * 1024

    // MARK: - Refusals

    func refuse(_ refusal: Refusal, method: Method, _ token: ConnectionToken, _ slot: SlotPointer) {
        refuse(with: responder.response(to: refusal), method: method, token, slot)
    }

    func refuse(with response: Response, method: Method, _ token: ConnectionToken, _ slot: SlotPointer) {
        var response = response
        // There is no handler to run it in.
        if case .stream = response.body { response.body = .empty }
        slot.pointee.connection.refuse(method: method)
        answer(response, token, slot)
    }

    /// Does what the connection decided on between batches.
    func act(on action: Connection.Action, _ token: ConnectionToken, _ slot: SlotPointer) {
        switch action {
        case .refuse(let refusal):
            refuse(refusal, method: slot.pointee.exchange?.reader?.method ?? .get, token, slot)
            flush(token, slot)
            settle(token, slot, progressed: true)
        case .close, .abort: close(token, slot)
        case .wait, .read, .linger: settle(token, slot, progressed: false)
        }
    }
}
