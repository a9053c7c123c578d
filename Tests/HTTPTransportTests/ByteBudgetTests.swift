import Testing

@testable import HTTPTransport

@Suite struct ByteBudgetTests {
    @Test func chargesUpToItsLimitAndNothingForWhatItRefuses() {
        let budget = ByteBudget(limit: 10)
        #expect(budget.charge(6))
        #expect(!budget.charge(5))
        #expect(budget.usedBytes == 6)
        #expect(budget.charge(4))
        #expect(!budget.charge(1))
        budget.release(10)
        #expect(budget.usedBytes == 0)
    }
}
