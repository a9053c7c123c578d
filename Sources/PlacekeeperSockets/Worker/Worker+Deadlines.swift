import PlacekeeperSystem
import PlacekeeperHTTP

extension Worker {
    /// The state of a graceful shutdown.
    struct Drain {
        var deadline: UInt32
        var waiters: [CheckedContinuation<Void, Never>]
    }

    /// Starts the ticks, which run only while connections are open, so an unused server sleeps.
    func startClock() {
        poller.setTicks(Self.tick)
        date = HTTPDate.bytes(secondsSince1970: time(nil))
    }

    func setTimer(_ slot: SlotPointer) {
        let timer = slot.pointee.connection.timer
        slot.pointee.timer = timer
        guard let timer else { return }
        slot.pointee.deadline = now &+ ticks[timer]
        guard let whole = wholeDeadline(timer, slot), Int32(bitPattern: whole &- slot.pointee.deadline) < 0 else {
            return
        }
        slot.pointee.deadline = whole
    }

    /// Returns the tick of the total deadline of a body or of waiting responses. Nil unless `timer` is `body` or
    /// `write`.
    private func wholeDeadline(_ timer: Connection.Timer, _ slot: SlotPointer) -> UInt32? {
        guard let framingContext = slot.pointee.framingContext else { return nil }
        switch timer {
        case .body: return framingContext.reader.map { $0.acceptedAt &+ ticks.wholeBody($0.bodyCount) }
        case .write: return framingContext.unsentSince &+ ticks.wholeBody(framingContext.taken)
        case .idle, .head, .linger: return nil
        }
    }

    /// Advances the clock, and checks the deadline of every connection. The slots are small and adjacent in memory, so
    /// this is fast, and no sorted list of deadlines is needed.
    func advance(by ticks: UInt32) {
        guard ticks > 0 else { return }
        now &+= ticks
        date = HTTPDate.bytes(secondsSince1970: time(nil))
        table.forEach { token, slot in
            guard let timer = slot.pointee.timer, Int32(bitPattern: now &- slot.pointee.deadline) >= 0 else { return }
            act(on: slot.pointee.connection.deadlinePassed(timer), token, slot)
        }
        if let drain, Int32(bitPattern: now &- drain.deadline) >= 0 { table.forEach { abort($0, $1) } }
    }

    // MARK: - Draining

    func startDraining(ticks: UInt32, _ continuation: CheckedContinuation<Void, Never>) {
        drain = Drain(deadline: now &+ ticks, waiters: [continuation])
        table.forEach { token, slot in
            if slot.pointee.connection.drain() == .close { return close(token, slot) }
            guard slot.pointee.connection.phase == .streaming, let framingContext = slot.pointee.framingContext else {
                return
            }
            // The stream may write nothing for a long time. Canceling it reports the shutdown immediately.
            framingContext.task?.cancel()
            let writers = framingContext.writers
            framingContext.writers = []
            for writer in writers { writer.resume(throwing: ConnectionLost()) }
        }
    }

    /// When all connections are closed, resumes the waiters. Once no handler is left that could return to the loop,
    /// stops the loop.
    func finishDraining() {
        guard let drain, table.count == 0 else { return }
        self.drain?.waiters = []
        for waiter in drain.waiters { waiter.resume() }
        if handlers == 0 { stop() }
    }
}
