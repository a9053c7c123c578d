import Testing

@testable import placekeeper_bench_places

/// People who reread and who slip, in the simulation.
struct RereadingTests {
    @Test func noLaunchMovesAReaderBackWithoutAsking() async throws {
        var options = SimulationOptions()
        (options.users, options.days, options.isRereading) = (12, 10, true)
        let tally = try await PlaceSimulation.run(options)
        #expect(tally.movesBack[Tally.placekeeper] == nil)
        #expect(tally.movesBack[NewestUpload.name, default: 0] > 0)
        #expect(tally.systems[Tally.placekeeper]?.count(.known) == tally.systems[NewestUpload.name]?.count(.known))
        #expect(
            Report(tally: tally, options: options).text.contains(
                "silent moves backwards:\nPlacekeeper                            0"))
    }

    @Test func onlyRereadersGoFarBackAndSlip() {
        func greatestJumps(_ isRereading: Bool) -> (back: Int, ahead: Int) {
            var jumps = (back: 0, ahead: 0)
            for user in 0..<10 {
                let plan = Plan(seed: 1, user: user, days: 20, isRereading: isRereading)
                for event in plan.events {
                    guard case .session(let session) = event.kind else { continue }
                    let pages = session.steps.compactMap { step in
                        if case .work(let spot) = step.action { spot.page } else { nil }
                    }
                    for (page, next) in zip(pages, pages.dropFirst()) {
                        jumps = (max(jumps.back, page - next), max(jumps.ahead, next - page))
                    }
                }
            }
            return jumps
        }
        #expect(greatestJumps(false) == (15, 4))
        #expect(greatestJumps(true).ahead >= 200)
        #expect(greatestJumps(true).back >= 200)
    }

    @Test func ownPlacesTellAMoveBack() {
        var own = OwnPlaces()
        own.add(Spot(book: 1, page: 20), of: 0)
        own.add(Spot(book: 1, page: 60), of: 0)
        #expect(own.isBehind(Spot(book: 1, page: 40), of: 0))
        #expect(!own.isBehind(Spot(book: 1, page: 20), of: 0), "the device's own earlier page")
        #expect(!own.isBehind(Spot(book: 1, page: 80), of: 0))
        #expect(!own.isBehind(Spot(book: 2, page: 1), of: 0))
        #expect(!own.isBehind(Spot(book: 1, page: 40), of: 1), "another person")
    }
}
