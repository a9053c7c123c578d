import HTTPCodec

extension Worker {
    /// Receives once: what a full buffer leaves behind is an event again.
    func receive(_ token: ConnectionToken, _ slot: SlotPointer) {
        let kept = slot.pointee.exchange?.pending.count ?? 0
        switch System.receive(slot.pointee.descriptor, into: UnsafeMutableRawBufferPointer(rebasing: input[kept...])) {
        case .bytes(let count):
            restorePending(slot)
            parse(kept + count, token, slot)
        case .wouldBlock: break
        case .end:
            let refusal = slot.pointee.exchange?.reader?.refusalAtEndOfInput
            act(on: slot.pointee.connection.peerFinished(refusal), token, slot)
        case .failed: abort(token, slot)
        }
    }

    /// Lets the connections go on that had to wait for an answer.
    func resume() {
        // Each may put itself behind the others again.
        for token in takeResumable() {
            guard let slot = table[token] else { continue }
            let count = slot.pointee.exchange?.pending.count ?? 0
            restorePending(slot)
            parse(count, token, slot)
        }
    }

    private func takeResumable() -> [ConnectionToken] {
        guard !resumable.isEmpty else { return [] }
        defer { resumable = [] }
        return resumable
    }

    /// Puts what was kept of a connection's bytes in front of the input.
    private func restorePending(_ slot: SlotPointer) {
        guard let exchange = slot.pointee.exchange, !exchange.pending.isEmpty else { return }
        input.copyBytes(from: exchange.pending)
        exchange.pending = []
        exchange.pendingIsUnread = false
    }

    /// Answers the requests in the first `count` bytes of the input, until one has to wait; sends the answers at once.
    private func parse(_ count: Int, _ token: ConnectionToken, _ slot: SlotPointer) {
        let bytes = UnsafeRawBufferPointer(rebasing: input[..<count])
        var reader = slot.pointee.exchange?.reader.take() ?? RequestReader(limits: configuration.limits)
        var offset = 0
        var progressed = false
        var isStarved = false
        parsing: while slot.pointee.connection.next == .read {
            switch reader.next(bytes, &offset) {
            case .needsMore:
                slot.pointee.connection.needsMore(
                    insideMessage: reader.isInsideMessage, insideBody: reader.isInsideBody)
                isStarved = true
                break parsing
            case .announced:
                progressed = true
                admit(&reader, hasContent: offset < count, token, slot)
            case .collected(let count):
                progressed = true
                collected(count, reader.method, token, slot)
            case .request(let head, let body, let admittedAt):
                progressed = true
                handle(head, body, admittedAt, token, slot)
                // Nothing is left to look at: the usual end of a batch.
                isStarved = offset == count
                if isStarved { break parsing }
                if output.count >= configuration.unsentLimit { flush(token, slot) }
            case .refused(let refusal):
                refuse(refusal, method: reader.method, token, slot)
            }
        }
        keep(reader, UnsafeRawBufferPointer(rebasing: bytes[offset...]), isUnread: !isStarved, slot)
        flush(token, slot)
        settle(token, slot, progressed: progressed)
    }

    private func admit(
        _ reader: inout RequestReader, hasContent: Bool, _ token: ConnectionToken,
        _ slot: SlotPointer
    ) {
        guard let head = reader.head else { return }
        switch responder.admit(head) {
        case .refuse(let response):
            refuse(with: response, method: head.method, token, slot)
        case .accept(let bodyLimit, let time):
            if let refusal = reader.accept(bodyLimit: bodyLimit, at: time) {
                refuse(refusal, method: head.method, token, slot)
            } else if head.expectsContinue, !hasContent {
                // Content that is already there shows that the client did not wait (RFC 9110 section 10.1.1).
                ResponseEncoder.appendContinue(to: &output)
            }
        }
    }

    private func collected(_ count: Int, _ method: Method, _ token: ConnectionToken, _ slot: SlotPointer) {
        if budget.charge(count) {
            exchange(of: slot).charge += count
        } else {
            refuse(.tooManyBodies, method: method, token, slot)
        }
    }

    private func keep(
        _ reader: RequestReader, _ rest: UnsafeRawBufferPointer, isUnread: Bool, _ slot: SlotPointer
    ) {
        switch slot.pointee.connection.phase {
        case .ending, .lingering, .closed: return
        case .idle, .head, .body, .handling, .streaming: break
        }
        guard !rest.isEmpty || reader.isInsideMessage else { return }
        let exchange = exchange(of: slot)
        exchange.reader = reader
        exchange.pending = [UInt8](rest)
        exchange.pendingIsUnread = isUnread && !rest.isEmpty
    }
}
