import Dispatch
import Synchronization
import Testing

@testable import placekeeper

@Suite(.timeLimit(.minutes(20))) struct BufferedLogTests {
    /// A writer that the test can block. `lines` is the text that the writer wrote.
    private final class Written: Sendable {
        let lines = Mutex("")
        let mayWrite = DispatchSemaphore(value: 0)
        let began = DispatchSemaphore(value: 0)

        func take(_ bytes: [UInt8]) {
            began.signal()
            mayWrite.wait()
            mayWrite.signal()
            lines.withLock { $0 += String(decoding: bytes, as: UTF8.self) }
        }
    }

    @Test func writesEveryLineInOrder() async {
        let written = Written()
        written.mayWrite.signal()
        let log = BufferedLog { written.take($0) }
        for number in 0..<1000 { log.add("\(number)") }
        await log.finish()
        let text = written.lines.withLock(\.self)
        #expect(text == (0..<1000).map { "\($0)\n" }.joined())
    }

    @Test func buffersLinesWhileTheWriterBlocksAndCountsDroppedLines() async {
        let written = Written()
        let log = BufferedLog(limit: 10) { written.take($0) }
        log.add("first")
        await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                written.began.wait()
                continuation.resume()
            }
        }
        // The writer is blocked at the first line, so the log must buffer or drop these lines.
        log.add("1234")
        log.add("123456")
        log.add("7890")
        log.add("0")
        written.mayWrite.signal()
        await log.finish()
        let text = written.lines.withLock(\.self)
        #expect(text == "first\n1234\n7890\n{\"level\":\"warning\",\"droppedLines\":2}\n")
    }

    @Test func reportsALineThatExceedsTheLimit() async {
        let written = Written()
        written.mayWrite.signal()
        let log = BufferedLog(limit: 10) { written.take($0) }
        log.add(String(repeating: "x", count: 11))
        await log.finish()
        #expect(written.lines.withLock(\.self) == "{\"level\":\"warning\",\"droppedLines\":1}\n")
    }
}
