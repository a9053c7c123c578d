import PlacekeeperHTTP

extension Worker {
    func adopt(_ descriptor: Int32, peer: String) {
        if table.count == 0 { startClock() }
        let (token, slot) = table.insert(descriptor: descriptor, peer: peer)
        slot.pointee.watched = .input
        guard drain == nil, poller.add(descriptor, slot.pointee.watched, token) else { return close(token, slot) }
        setTimer(slot)
    }

    /// Handles the events that the poller reported for a connection. Events of a closed connection are ignored: the
    /// clock or another event may have closed it earlier in the same batch.
    func handle(_ events: SocketEvents, _ token: ConnectionID, _ slot: SlotPointer) {
        guard slot.pointee.connection.phase != .closed else { return }
        guard events.isDisjoint(with: .failure) else { return abort(token, slot) }
        if events.contains(.output) { sendUnsent(token, slot) }
        guard events.contains(.input) else { return }
        switch slot.pointee.connection.phase {
        // Sending failed above.
        case .closed: break
        case .lingering: discard(token, slot)
        case _ where slot.pointee.connection.reads: receive(token, slot)
        // The stream may write nothing for a long time, so only this check notices that the peer is gone.
        case .streaming where System.hasFinished(slot.pointee.descriptor): abort(token, slot)
        case .idle, .head, .body, .handling, .streaming, .ending: watch(slot, token)
        }
    }

    /// Performs the next action of a connection after an event. `progressed` is true if the peer made progress, which
    /// restarts its deadline.
    func settle(_ token: ConnectionID, _ slot: SlotPointer, progressed: Bool) {
        switch slot.pointee.connection.next {
        case .close, .abort: return close(token, slot)
        case .linger:
            slot.pointee.connection.linger()
            dropExchange(slot)
            System.shutdownWriting(slot.pointee.descriptor)
        case .read:
            if let framingContext = slot.pointee.framingContext {
                if framingContext.pendingIsUnread {
                    resumable.append(token)
                } else if !framingContext.isNeeded {
                    dropExchange(slot)
                }
            }
        case .wait, .refuse: break
        }
        guard slot.pointee.connection.phase != .closed else { return }
        let wanted = wantedEvents(slot)
        // Stop watching for input only when the poller reports some: most peers send nothing until they get the
        // response.
        let watched = slot.pointee.watched
        if !wanted.isSubset(of: watched) || watched.subtracting(wanted).contains(.output) {
            watch(slot, token)
            guard slot.pointee.connection.phase != .closed else { return }
        }
        if progressed || slot.pointee.connection.timer != slot.pointee.timer { setTimer(slot) }
    }

    /// Updates the events that the poller reports for the connection. If that fails, closes the connection, which would
    /// otherwise wait forever.
    func watch(_ slot: SlotPointer, _ token: ConnectionID) {
        slot.pointee.watched = wantedEvents(slot)
        if !poller.change(slot.pointee.descriptor, slot.pointee.watched, token) { close(token, slot) }
    }

    private func wantedEvents(_ slot: SlotPointer) -> SocketEvents {
        (slot.pointee.connection.reads ? SocketEvents.input : [])
            .union(slot.pointee.connection.hasUnsent ? .output : [])
    }

    /// Closes a connection whose peer is gone or too slow, and cancels its handler.
    func abort(_ token: ConnectionID, _ slot: SlotPointer) { close(token, slot) }

    func close(_ token: ConnectionID, _ slot: SlotPointer) {
        guard slot.pointee.connection.phase != .closed else { return }
        slot.pointee.connection.close()
        // Remove the timer, because the clock still checks it until the slot is freed.
        slot.pointee.timer = nil
        poller.close(slot.pointee.descriptor)
        closed.append(token)
        acceptor.connectionClosed()
        guard let framingContext = dropExchange(slot) else { return }
        framingContext.task?.cancel()
        for writer in framingContext.writers { writer.resume(throwing: ConnectionLost()) }
    }

    @discardableResult
    private func dropExchange(_ slot: SlotPointer) -> MessageState? {
        guard let framingContext = slot.pointee.framingContext.take() else { return nil }
        budget.release(framingContext.charge + framingContext.pendingCharge + framingContext.unsent.count)
        return framingContext
    }

    /// Frees the slots of closed connections.
    func free() {
        guard !closed.isEmpty else { return finishDraining() }
        for token in closed { table.remove(token) }
        closed.removeAll(keepingCapacity: true)
        if table.count == 0 { poller.setTicks(.zero) }
        finishDraining()
    }

    private func discard(_ token: ConnectionID, _ slot: SlotPointer) {
        switch System.receive(slot.pointee.descriptor, into: input) {
        case .bytes, .wouldBlock: break
        case .end, .failed: close(token, slot)
        }
    }
}

/// Thrown when writing to a stream whose peer is gone, or when the server shuts down.
struct ConnectionLost: Error {}
