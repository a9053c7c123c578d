import Testing

@testable import placekeeper_bench_places

struct PlanTests {
    @Test func sameSeedMakesSamePlan() {
        let plan = Plan(seed: 1, user: 7, days: 10)
        #expect("\(plan)" == "\(Plan(seed: 1, user: 7, days: 10))")
        #expect("\(plan)" != "\(Plan(seed: 1, user: 8, days: 10))")
    }
}
