import Testing

@testable import PlacekeeperSockets

@Suite struct ConnectionTableTests {
    @Test func findsAConnectionOnlyByItsCurrentToken() {
        var table = ConnectionTable()
        let (first, slot) = table.insert(descriptor: 3, peer: "a")
        #expect(table[first] == slot)
        table.remove(first)
        #expect(table[first] == nil)
        let (second, _) = table.insert(descriptor: 4, peer: "b")
        // Both connections have the same slot, but different generations.
        #expect(second.index == first.index)
        #expect(table[first] == nil)
        #expect(table[second]?.pointee.descriptor == 4)
        table.remove(second)
    }

    @Test func growsAndShrinksPageByPage() {
        var table = ConnectionTable()
        let tokens = (0..<1000).map { table.insert(descriptor: Int32($0), peer: "peer \($0)").0 }
        #expect(table.count == 1000)
        var seen: [Int32] = []
        table.forEach { token, slot in
            #expect(table[token] == slot)
            seen.append(slot.pointee.descriptor)
        }
        #expect(seen == (0..<1000).map { Int32($0) })
        for token in tokens.dropLast() { table.remove(token) }
        #expect(table.count == 1)
        #expect(tokens.last.flatMap { table[$0] }?.pointee.peer == "peer 999")
        // The table uses the lowest free slot first, so that the last pages become free.
        let (token, _) = table.insert(descriptor: 1, peer: "")
        #expect(token.index == 0)
        table.remove(token)
        if let last = tokens.last { table.remove(last) }
        #expect(table.count == 0)
    }

    @Test func keepsASlotWithin64Bytes() {
        #expect(MemoryLayout<Slot>.stride <= 64)
    }
}
