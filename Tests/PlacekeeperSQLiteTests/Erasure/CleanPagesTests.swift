import PlacekeeperService
import Testing

@testable import PlacekeeperSQLite

struct CleanPagesTests {
    /// Returns a leaf page of a table with two cells, and other bytes in the unused part.
    private func page(first byte: UInt8 = 13, header: Int = 0) -> [UInt8] {
        var page = [UInt8](repeating: 0xEE, count: Connection.pageSize)
        page.replaceSubrange(header..<header + 8, with: [byte, 0, 0, 0, 2, 0x0F, 0x00, 0])
        let pointers = header + ([2, 5].contains(byte) ? 12 : 8)
        page.replaceSubrange(pointers..<pointers + 4, with: [0x0F, 0x80, 0x0F, 0x00])
        return page
    }

    private func cleaned(_ page: [UInt8], isFirst: Bool = false) -> [UInt8] {
        var page = page
        page.withUnsafeMutableBytes { CleanPages.clean($0, isFirst: isFirst) }
        return page
    }

    @Test(arguments: [2, 5, 10, 13] as [UInt8])
    func overwritesOnlyTheUnusedPartOfAPage(_ type: UInt8) {
        for header in [0, 100] {
            let before = page(first: type, header: header)
            let after = cleaned(before, isFirst: header > 0)
            let start = header + ([2, 5].contains(type) ? 12 : 8) + 4
            #expect(after[..<start] == before[..<start])
            #expect(after[start..<0x0F00].allSatisfy { $0 == 0 })
            #expect(after[0x0F00...] == before[0x0F00...])
        }
    }

    @Test func leavesOtherPagesAsTheyAre() {
        for type in 0...255 as ClosedRange<UInt8> where ![2, 5, 10, 13].contains(type) {
            let page = page(first: type)
            #expect(cleaned(page) == page)
        }
        var behind = page()
        behind[6] = 0x81  // The first pointer now points below the cells.
        behind[5] = 0x0F
        #expect(cleaned(behind) == behind)
        var many = page()
        many[3] = 0xFF
        #expect(cleaned(many) == many)
    }

    @Test func leavesNoRemainsWhereRowsMovedBetweenPages() async throws {
        let directory = try DataDirectory()
        let store = try directory.open()
        for number in 1...60 as ClosedRange<UInt64> { try await Planted.fill(store, number, archives: 7) }
        for number in (1...60 as ClosedRange<UInt64>).reversed() where number % 7 != 0 {
            _ = try await store.erase(owner(number))
            #expect(try directory.files(with: Planted.mark(number)) == [], "user \(number)")
        }
        #expect(try await store.findings().isEmpty)
    }
}
