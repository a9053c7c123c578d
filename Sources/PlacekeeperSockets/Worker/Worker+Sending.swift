import PlacekeeperHTTP

extension Worker {
    /// Sends the output. The connection keeps the bytes that the peer can't receive yet.
    func flush(_ token: ConnectionID, _ slot: SlotPointer, more: Bool = false) {
        guard !output.isEmpty else { return }
        output.withUnsafeBytes { bytes in
            let sent = send(bytes, more: more, token, slot)
            guard let sent, mayKeep(bytes.count - sent, token, slot) else { return }
            slot.makeMessageState().unsent.append(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
        }
        output.removeAll(keepingCapacity: output.capacity <= Self.largestOutput)
    }

    /// Sends content that is too large to copy into the output buffer. If the peer can't receive all of it, the
    /// connection keeps the array.
    func send(_ bytes: [UInt8], _ token: ConnectionID, _ slot: SlotPointer) {
        let sent = bytes.withUnsafeBytes { send($0, more: false, token, slot) }
        guard let sent, mayKeep(bytes.count - sent, token, slot) else { return }
        slot.makeMessageState().unsent.append(bytes, skipping: sent)
    }

    /// Sends waiting bytes once the peer can receive again.
    func sendUnsent(_ token: ConnectionID, _ slot: SlotPointer) {
        guard let framingContext = slot.pointee.framingContext, !framingContext.unsent.isEmpty else { return }
        switch framingContext.unsent.withBytes({ System.send(slot.pointee.descriptor, $0) }) {
        case .bytes(let count):
            framingContext.unsent.drop(count)
            framingContext.taken += count
            budget.release(count)
        case .wouldBlock: return
        case .failed: return abort(token, slot)
        }
        if framingContext.unsent.isEmpty {
            slot.pointee.connection.sent(everything: true)
            let writers = framingContext.writers
            framingContext.writers = []
            for writer in writers { writer.resume() }
        }
        settle(token, slot, progressed: true)
    }

    /// Charges `count` unsent bytes to the byte budget. Returns false if `count` is 0. If the budget has no room,
    /// closes the connection and returns false, so slow peers can't fill the memory.
    private func mayKeep(_ count: Int, _ token: ConnectionID, _ slot: SlotPointer) -> Bool {
        guard count > 0 else { return false }
        guard budget.charge(count, holding: slot.pointee.framingContext?.unsent.count ?? 0) else {
            abort(token, slot)
            return false
        }
        if !slot.pointee.connection.hasUnsent {
            let framingContext = slot.makeMessageState()
            framingContext.unsentSince = now
            framingContext.taken = 0
            slot.pointee.connection.sent(everything: false)
        }
        return true
    }

    /// Returns the number of sent bytes, or 0 while earlier bytes wait. Nil if the connection is lost.
    private func send(
        _ bytes: UnsafeRawBufferPointer, more: Bool, _ token: ConnectionID, _ slot: SlotPointer
    ) -> Int? {
        guard slot.pointee.connection.phase != .closed else { return nil }
        guard !slot.pointee.connection.hasUnsent else { return 0 }
        switch System.send(slot.pointee.descriptor, bytes, more: more) {
        case .bytes(let count): return count
        case .wouldBlock: return 0
        case .failed:
            abort(token, slot)
            return nil
        }
    }

    /// The maximum capacity of the output buffer that is kept after a flush.
    private static let largestOutput = 256 * 1024
}
