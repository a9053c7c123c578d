import HTTPCodec

extension Worker {
    /// Receives once: what a full buffer leaves behind is an event again.
    func receive(_ token: ConnectionToken, _ slot: SlotPointer) {
        let kept = slot.pointee.messageState?.pending.count ?? 0
        switch System.receive(slot.pointee.descriptor, into: UnsafeMutableRawBufferPointer(rebasing: input[kept...])) {
        case .bytes(let count): beginReading(kept + count, token, slot)
        case .wouldBlock: break
        case .end:
            let refusal = slot.pointee.messageState?.reader?.refusalAtEndOfInput
            act(on: slot.pointee.connection.peerFinished(refusal), token, slot)
        case .failed: abort(token, slot)
        }
    }

    /// Lets a connection go on that had to wait for an answer; false when there is none. These go before events: were a
    /// peer's end to come in first, what it had sent before would be lost.
    func resumeOne() -> Bool {
        guard let token = resumable.popLast() else { return false }
        guard let slot = table[token] else { return true }
        beginReading(slot.pointee.messageState?.pending.count ?? 0, token, slot)
        return true
    }

    /// Takes up the first `count` bytes of the input, what was kept of the connection's bytes in front of them.
    private func beginReading(_ count: Int, _ token: ConnectionToken, _ slot: SlotPointer) {
        if let messageState = slot.pointee.messageState, !messageState.pending.isEmpty {
            input.copyBytes(from: messageState.pending)
            messageState.pending = []
            messageState.pendingIsUnread = false
            budget.release(messageState.pendingCharge)
            messageState.pendingCharge = 0
        }
        reading.begin(UnsafeRawBufferPointer(rebasing: input[..<count]), token, slot)
    }

    /// The next whole request in what is being read; nil when there is none, or something else has to come first.
    func nextRequest(in reading: inout Reading, of slot: SlotPointer) -> Incoming? {
        while !reading.isStarved {
            // The peer may be slow to take them, or gone: then nothing more is read.
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
            case .request(let head, let body, let admittedAt):
                return takeInHand(head, body, admittedAt, reading.token, slot)
            case .refused(let refusal):
                refuse(refusal, reading.reader.head, reading.token, slot)
            }
        }
        return nil
    }

    /// Lets go of what is being read, and sends the answers to it.
    func finishReading() {
        guard let slot = reading.slot else { return }
        reading.end()
        payForPending(reading.token, slot)
        flush(reading.token, slot)
        settle(reading.token, slot, progressed: reading.hasProgressed)
    }

    /// Counts the bytes that were put aside. Where there is no room for them, the connection is closed.
    private func payForPending(_ token: ConnectionToken, _ slot: SlotPointer) {
        guard let messageState = slot.pointee.messageState, !messageState.pending.isEmpty else { return }
        guard budget.charge(messageState.pending.count, holding: messageState.charge) else { return abort(token, slot) }
        messageState.pendingCharge = messageState.pending.count
    }

    private func admit(_ reading: inout Reading, _ slot: SlotPointer) {
        guard let head = reading.reader.head else { return }
        switch responder.admit(head) {
        case .refuse(let response):
            refuse(with: response, method: head.method, reading.token, slot)
        case .accept(let bodyLimit, let time):
            if let refusal = reading.accept(bodyLimit: bodyLimit, at: time, tick: now) {
                refuse(refusal, head, reading.token, slot)
            } else if head.expectsContinue, reading.rest.isEmpty {
                // Content that is already there shows that the client did not wait (RFC 9110 section 10.1.1).
                ResponseEncoder.appendContinue(to: &output)
            }
        }
    }

    private func collected(_ count: Int, _ reading: inout Reading, _ slot: SlotPointer) {
        if budget.charge(count, holding: slot.pointee.messageState?.charge ?? 0) {
            slot.makeMessageState().charge += count
        } else {
            refuse(.tooManyBodies, reading.reader.head, reading.token, slot)
        }
    }
}
