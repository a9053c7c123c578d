import PlacekeeperAlignment
import Testing

/// Tests how an item is chosen among rows with its aliases by the neighbors around them. The item is in the row 8.
struct CandidateTests {
    /// The images of neighbors in rows, around a place as around the item.
    private func images(of rows: some Sequence<Int>, around place: Int, falling: Bool = false) -> [ImageChain.Image] {
        rows.map { .init(row: $0, place: place + (falling ? 8 - $0 : $0 - 8)) }
    }

    @Test(arguments: [false, true], [(7, nil), (8, 100)])
    func needsEightNeighborsAroundTheRow(isFalling: Bool, _ count: (Int, Int?)) {
        for first in 0..<8 {
            let rows = (first..<17).filter { $0 != 8 }.prefix(count.0)
            guard rows.count == count.0 else { continue }
            let images = images(of: rows, around: 100, falling: isFalling)
            #expect(Neighborhood.candidate(among: [100], of: 8, images: images) == count.1, "from \(first)")
        }
    }

    @Test(arguments: [(1, 100), (2, nil)])
    func allowsOneOfEightNeighborsInAnotherOrder(count: Int, _ expected: Int?) {
        // The other neighbors follow the item, but their images are before the row.
        let others = (16..<16 + count).map { ImageChain.Image(row: $0, place: 80 + $0) }
        let images = images(of: 0..<8, around: 100) + others
        #expect(Neighborhood.candidate(among: [100], of: 8, images: images) == expected)
    }

    @Test(arguments: [(4, 100), (5, nil)])
    func needsTwiceAsManyNeighborsAsAroundAnotherRow(count: Int, _ expected: Int?) {
        let images = (images(of: 0..<8, around: 100) + images(of: 0..<count, around: 300)).sorted { $0.row < $1.row }
        #expect(Neighborhood.candidate(among: [100, 300], of: 8, images: images) == expected)
    }

    @Test func ignoresNeighborsThatAreFarAway() {
        let images = images(of: 0..<8, around: 100) + images(of: 9..<17, around: 400)
        #expect(Neighborhood.candidate(among: [100, 200], of: 8, images: images) == 100)
        #expect(Neighborhood.candidate(among: [200], of: 8, images: images) == nil)
        #expect(Neighborhood.candidate(among: [], of: 8, images: images) == nil)
    }

    /// A neighbor with four images counts once.
    @Test func countsANeighborOnce() {
        let images = (0..<8).flatMap { row in (0..<4).map { ImageChain.Image(row: row, place: 92 + row - $0) } }
        #expect(Neighborhood.candidate(among: [100], of: 8, images: images) == 100)
        #expect(Neighborhood.candidate(among: [100], of: 8, images: images.filter { $0.row > 0 }) == nil)
    }
}
