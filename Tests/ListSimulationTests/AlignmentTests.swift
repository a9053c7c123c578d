import Testing

@testable import placekeeper_bench_lists

struct AlignmentTests {
    @Test func pairsTheOnlyItemBetweenTwoPairs() {
        var known = KnownItems([], [], [])
        let (one, two) = ([known.number("server:1")], [known.number("server:2")])
        let partner = Alignment(known: known).partner(of: 1, in: [one, [], two], among: [one, [], two])
        #expect(partner?.index == 1)
        #expect(partner?.probability ?? 0 > 0.8)
    }

    @Test func isUndecidedBetweenEqualItems() {
        var known = KnownItems([], [], [])
        let (one, two) = ([known.number("server:1")], [known.number("server:2")])
        let partner = Alignment(known: known).partner(of: 1, in: [one, [], two], among: [one, [], [], two])
        #expect(partner?.probability ?? 1 < 0.6)
    }

    @Test func neverPairsItemsWithDifferentServerIDs() {
        var known = KnownItems([], [], [])
        let (one, two) = ([known.number("server:1")], [known.number("server:2")])
        let (here, there) = ([known.number("server:3")], [known.number("server:4")])
        let partner = Alignment(known: known).partner(of: 1, in: [one, here, two], among: [one, there, two])
        #expect(partner?.probability ?? 0 < 0.01)
    }
}
