import PlacekeeperHTTP

extension Worker {
    /// Receives once. If the buffer is full, the kernel reports the rest as another event.
    func receive(_ token: ConnectionID, _ slot: SlotPointer) {
        let kept = slot.pointee.framingContext?.pending.count ?? 0
        switch System.receive(slot.pointee.descriptor, into: UnsafeMutableRawBufferPointer(rebasing: input[kept...])) {
        case .bytes(let count): beginReading(kept + count, token, slot)
        case .wouldBlock: break
        case .end:
            let refusal = slot.pointee.framingContext?.reader?.refusalAtEndOfInput
            act(on: slot.pointee.connection.peerFinished(refusal), token, slot)
        case .failed: abort(token, slot)
        }
    }

    /// Resumes a connection whose pending bytes had to wait for a response. Returns false if there is none. Must be
    /// called before events are handled, because handling the end of a peer's input loses its pending bytes.
    func resumeOne() -> Bool {
        guard let token = resumable.popLast() else { return false }
        guard let slot = table[token] else { return true }
        beginReading(slot.pointee.framingContext?.pending.count ?? 0, token, slot)
        return true
    }

    /// Starts reading the first `count` bytes of the input, after copying the connection's pending bytes to the front.
    private func beginReading(_ count: Int, _ token: ConnectionID, _ slot: SlotPointer) {
        if let framingContext = slot.pointee.framingContext, !framingContext.pending.isEmpty {
            input.copyBytes(from: framingContext.pending)
            framingContext.pending = []
            framingContext.pendingIsUnread = false
            budget.release(framingContext.pendingCharge)
            framingContext.pendingCharge = 0
        }
        reading.begin(UnsafeRawBufferPointer(rebasing: input[..<count]), token, slot)
    }

    /// Returns the next complete request in the bytes that are being read. Nil if no request is complete, or if the
    /// connection must not read now.
    func nextRequest(in reading: inout Reading, of slot: SlotPointer) -> Incoming? {
        while !reading.isStarved {
            // Send the output first: if the peer is slow or gone, nothing more is read.
            if output.count >= configuration.unsentLimit { flush(reading.token, slot) }
            guard slot.pointee.connection.next == .read else { break }
            switch reading.next() {
            case .needsMore:
                slot.pointee.connection.needsMore(
                    insideMessage: reading.reader.isInsideMessage, insideBody: reading.reader.isInsideBody)
            case .announced:
                admit(&reading, slot)
            case .collected(let count):
                collected(count, &reading, slot)
            case .request(let head, let body, let note):
                return takeInHand(head, body, note, reading.token, slot)
            case .refused(let refusal):
                refuse(refusal, reading.reader.head, reading.token, slot)
            }
        }
        return nil
    }

    /// Stops reading from the connection, and sends the responses.
    func finishReading() {
        guard let slot = reading.slot else { return }
        reading.end()
        payForPending(reading.token, slot)
        flush(reading.token, slot)
        settle(reading.token, slot, progressed: reading.hasProgressed)
    }

    /// Charges the pending bytes to the byte budget. Closes the connection if the budget is exhausted.
    private func payForPending(_ token: ConnectionID, _ slot: SlotPointer) {
        guard let framingContext = slot.pointee.framingContext, !framingContext.pending.isEmpty else { return }
        guard budget.charge(framingContext.pending.count, holding: framingContext.charge) else {
            return abort(token, slot)
        }
        framingContext.pendingCharge = framingContext.pending.count
    }

    private func admit(_ reading: inout Reading, _ slot: SlotPointer) {
        guard let head = reading.reader.head else { return }
        switch responder.admit(head, from: slot.pointee.peer) {
        case .refuse(let response):
            refuse(with: response, method: head.method, reading.token, slot)
        case .accept(let bodyLimit, let note):
            if let refusal = reading.accept(bodyLimit: bodyLimit, note: note, tick: now) {
                refuse(refusal, head, reading.token, slot)
            } else if head.expectsContinue, reading.rest.isEmpty {
                // If content has already arrived, the client didn't wait for a 100 response, so none is sent (RFC 9110
                // section 10.1.1).
                ResponseEncoder.appendContinue(to: &output)
            }
        }
    }

    private func collected(_ count: Int, _ reading: inout Reading, _ slot: SlotPointer) {
        if budget.charge(count, holding: slot.pointee.framingContext?.charge ?? 0) {
            slot.makeMessageState().charge += count
        } else {
            refuse(.tooManyBodies, reading.reader.head, reading.token, slot)
        }
    }
}
