import Testing

@testable import PlacekeeperSockets

@Suite struct UnsentBytesTests {
    @Test func returnsAppendedBytesInOrder() {
        var unsent = UnsentBytes()
        var expected: [UInt8] = []
        var sent: [UInt8] = []
        for step in 0..<500 {
            let piece = (0..<step % 37).map { UInt8(truncatingIfNeeded: $0 &+ step) }
            if step % 3 == 0 {
                let skipped = min(5, piece.count)
                unsent.append(piece, skipping: skipped)
                expected += piece.dropFirst(skipped)
            } else {
                piece.withUnsafeBytes { unsent.append($0) }
                expected += piece
            }
            let count = min(unsent.count, step * 7 % 31)
            unsent.withBytes { sent += $0.prefix(count) }
            unsent.drop(count)
            #expect(unsent.count == expected.count - sent.count)
        }
        unsent.withBytes { sent += $0 }
        #expect(sent == expected)
        unsent.drop(unsent.count)
        #expect(unsent.isEmpty)
    }
}
