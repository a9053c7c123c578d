import Dispatch
import Synchronization

/// Buffers the request log, so adding a line never waits for the log's reader. If the reader is slow and the buffer is
/// full, lines are dropped and counted, and requests are still answered.
final class BufferedLog: Sendable {
    private struct State {
        var bytes: [UInt8] = []
        var dropped = 0
        var isWriting = false
    }

    private let limit: Int
    private let write: @Sendable (_ lines: [UInt8]) -> Void
    private let queue = DispatchQueue(label: "placekeeper.log")
    private let state = Mutex(State())

    /// - Parameters:
    ///   - limit: the maximum number of bytes that wait to be written.
    ///   - write: writes whole lines. It may block.
    init(limit: Int = 1 << 20, write: @escaping @Sendable (_ lines: [UInt8]) -> Void) {
        self.limit = limit
        self.write = write
    }

    /// Adds a line, without its line feed.
    @Sendable func add(_ line: String) {
        let isIdle = state.withLock { state in
            if state.bytes.count + line.utf8.count < limit {
                state.bytes.append(contentsOf: line.utf8)
                state.bytes.append(0x0A)
            } else {
                state.dropped += 1
            }
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isIdle { queue.async { self.writeAll() } }
    }

    /// Waits until all added lines are written.
    func finish() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func writeAll() {
        while let lines = next() { write(lines) }
    }

    private func next() -> [UInt8]? {
        state.withLock { state in
            var lines: [UInt8] = []
            swap(&lines, &state.bytes)
            if state.dropped > 0 {
                lines.append(contentsOf: "{\"level\":\"warning\",\"droppedLines\":\(state.dropped)}\n".utf8)
                state.dropped = 0
            }
            state.isWriting = !lines.isEmpty
            return lines.isEmpty ? nil : lines
        }
    }
}
