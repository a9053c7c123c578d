import PlacekeeperHTTP

/// Lets a handler write a streamed body.
struct StreamWriter: BodyWriter {
    let worker: Worker
    let token: ConnectionID

    func write(_ bytes: [UInt8]) async throws {
        // A task that the handler started may run on another thread. Then the worker writes on its own thread.
        if worker.isCurrent {
            try await worker.write(bytes, token)
        } else {
            try await withTaskExecutorPreference(worker) { try await worker.write(bytes, token) }
        }
    }
}

extension Worker {
    func stream(_ produce: @Sendable (any BodyWriter) async throws -> Void, _ token: ConnectionID) async {
        // The response to HEAD has no content, so nothing is streamed.
        guard let slot = streaming(token) else { return }
        // The stream may wait before its first write. Canceling it reports the shutdown immediately.
        if slot.pointee.connection.isDraining { withUnsafeCurrentTask { $0?.cancel() } }
        var isWhole = true
        do { try await produce(StreamWriter(worker: self, token: token)) } catch { isWhole = false }
        guard let slot = streaming(token) else { return }
        if isWhole, slot.pointee.connection.framing == .chunked { ResponseEncoder.appendLastChunk(to: &output) }
        if slot.pointee.connection.streamEnded(isWhole: isWhole) == .abort {
            close(token, slot)
        } else {
            finishTurn(token, slot)
        }
    }

    func write(_ bytes: [UInt8], _ token: ConnectionID) async throws {
        guard let slot = streaming(token), !slot.pointee.connection.isDraining else { throw ConnectionLost() }
        if slot.pointee.connection.framing == .chunked {
            ResponseEncoder.append(chunk: bytes, to: &output)
        } else {
            output.append(contentsOf: bytes)
        }
        flush(token, slot)
        if inHand != token { settle(token, slot, progressed: false) }
        guard slot.pointee.connection.phase != .closed else { throw ConnectionLost() }
        guard let framingContext = slot.pointee.framingContext, framingContext.unsent.count > configuration.unsentLimit
        else {
            return
        }
        try await withCheckedThrowingContinuation { framingContext.writers.append($0) }
    }

    private func streaming(_ token: ConnectionID) -> SlotPointer? {
        guard let slot = table[token], slot.pointee.connection.phase == .streaming else { return nil }
        return slot
    }
}
