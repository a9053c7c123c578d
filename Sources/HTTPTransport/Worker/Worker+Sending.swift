import HTTPCodec

extension Worker {
    /// Sends the output; what the peer does not take is kept with the connection.
    func flush(_ token: ConnectionToken, _ slot: SlotPointer, more: Bool = false) {
        guard !output.isEmpty else { return }
        output.withUnsafeBytes { bytes in
            let sent = send(bytes, more: more, token, slot)
            guard let sent, mayKeep(bytes.count - sent, token, slot) else { return }
            slot.makeMessageState().unsent.append(UnsafeRawBufferPointer(rebasing: bytes[sent...]))
        }
        output.removeAll(keepingCapacity: output.capacity <= Self.largestOutput)
    }

    /// Sends content that is too large to be copied; what the peer does not take is kept as it is.
    func send(_ bytes: [UInt8], _ token: ConnectionToken, _ slot: SlotPointer) {
        let sent = bytes.withUnsafeBytes { send($0, more: false, token, slot) }
        guard let sent, mayKeep(bytes.count - sent, token, slot) else { return }
        slot.makeMessageState().unsent.append(bytes, skipping: sent)
    }

    /// The peer takes bytes again.
    func sendUnsent(_ token: ConnectionToken, _ slot: SlotPointer) {
        guard let messageState = slot.pointee.messageState, !messageState.unsent.isEmpty else { return }
        switch messageState.unsent.withBytes({ System.send(slot.pointee.descriptor, $0) }) {
        case .bytes(let count):
            messageState.unsent.drop(count)
            messageState.taken += count
            budget.release(count)
        case .wouldBlock: return
        case .failed: return abort(token, slot)
        }
        if messageState.unsent.isEmpty {
            slot.pointee.connection.sent(everything: true)
            let writers = messageState.writers
            messageState.writers = []
            for writer in writers { writer.resume() }
        }
        settle(token, slot, progressed: true)
    }

    /// Whether so many bytes are left and may wait for the peer: slow peers together must not fill the memory.
    private func mayKeep(_ count: Int, _ token: ConnectionToken, _ slot: SlotPointer) -> Bool {
        guard count > 0 else { return false }
        guard budget.charge(count, holding: slot.pointee.messageState?.unsent.count ?? 0) else {
            abort(token, slot)
            return false
        }
        if !slot.pointee.connection.hasUnsent {
            let messageState = slot.makeMessageState()
            messageState.unsentSince = now
            messageState.taken = 0
            slot.pointee.connection.sent(everything: false)
        }
        return true
    }

    /// How many bytes are sent: none while others wait; nil when the connection is lost.
    private func send(
        _ bytes: UnsafeRawBufferPointer, more: Bool, _ token: ConnectionToken, _ slot: SlotPointer
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

    /// A buffer that grew beyond this is given back.
    private static let largestOutput = 256 * 1024
}
