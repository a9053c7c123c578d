import Testing

@testable import PlacekeeperSockets

@Suite struct ByteBudgetTests {
    @Test func chargesUpToItsLimitAndNothingOnRefusal() {
        let budget = ByteBudget(limit: 10)
        #expect(budget.charge(6, holding: 0))
        #expect(!budget.charge(5, holding: 0))
        #expect(budget.usedBytes == 6)
        #expect(budget.charge(4, holding: 0))
        #expect(!budget.charge(1, holding: 0))
        budget.release(10)
        #expect(budget.usedBytes == 0)
    }

    @Test func reservesTheLastQuarterForSmallHolders() {
        let (limit, little) = (100 * ByteBudget.smallHolder, ByteBudget.smallHolder)
        let budget = ByteBudget(limit: limit)
        #expect(budget.charge(limit / 4 * 3, holding: 0))
        #expect(!budget.charge(1, holding: little))
        #expect(!budget.charge(little + 1, holding: 0))
        #expect(budget.charge(1, holding: little - 1))
        #expect(budget.usedBytes == limit / 4 * 3 + 1)
    }
}
