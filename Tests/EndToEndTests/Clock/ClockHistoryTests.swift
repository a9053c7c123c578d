import Foundation
import PlacekeeperService
import Testing

/// Random histories with a system's clock that is set forward and back.
@Suite(.timeLimit(.minutes(20))) struct ClockHistoryTests {
    /// The number of seeds: a tenth of `PLACEKEEPER_HISTORIES`, and at most 200.
    static let count = min(
        200, (ProcessInfo.processInfo.environment["PLACEKEEPER_HISTORIES"].flatMap { UInt64($0) } ?? 400) / 10)

    private enum Step {
        case pass(Duration)
        case set(wrongBy: Duration)
        case restart
        case chores
        /// Work of the person whose answers are compared.
        case work(ClockPerson.Work)
        /// Work of the other person, which one of the two runs leaves out.
        case otherWork(ClockPerson.Work)
    }

    private static func steps(_ seed: UInt64) -> [Step] {
        var random = SplitMix(state: seed)
        let minute = 60
        let spans = [minute, 10 * minute, 60 * minute, 86_400, 2 * 86_400, 31 * 86_400, 730 * 86_400]
        return (0..<60).map { _ in
            switch random.below(20) {
            case 0...1: .pass(.seconds(random.below(random.pick(spans)) + 1))
            case 2...4:
                // Half of the changes correct the clock.
                .set(wrongBy: .seconds([0, 0, 1, -1][random.below(4)] * random.below(random.pick(spans))))
            case 5: .restart
            case 6...7: .chores
            case 8...13: .otherWork(random.pick(ClockPerson.Work.allCases))
            default: .work(random.pick(ClockPerson.Work.allCases))
            }
        }
    }

    /// Returns the answers to a person.
    private func run(
        _ seed: UInt64, on backend: ClockWorld.Backend, withOther: Bool
    ) async throws -> [(request: String, text: String)] {
        let world = try await ClockWorld(backend)
        let (person, other) = (ClockPerson("bert", seed: seed), ClockPerson("anna", seed: seed ^ 1))
        try await person.declareDataSource(in: world)
        for step in Self.steps(seed) {
            switch step {
            case .pass(let duration): world.time.pass(duration)
            case .set(let error): world.time.set(wrongBy: error)
            case .restart:
                try await world.restart()
                try await person.expectValidTokens(in: world)
                if withOther { try await other.expectValidTokens(in: world) }
            case .chores: try await world.keepUp()
            case .work(let work): try await person.work(work, in: world)
            case .otherWork(let work): if withOther { try await other.work(work, in: world) }
            }
        }
        await world.close()
        return person.answers
    }

    @Test(arguments: 0..<count, ClockWorld.Backend.allCases)
    func storedTimesOfAUserChangeNoAnswerToAnother(seed: UInt64, backend: ClockWorld.Backend) async throws {
        let alone = try await run(seed, on: backend, withOther: false)
        let together = try await run(seed, on: backend, withOther: true)
        try #require(alone.count == together.count, "seed \(seed)")
        for (index, (own, other)) in zip(alone, together).enumerated() where own != other {
            Issue.record("seed \(seed), answer \(index) to \(own.request): alone \(own.text), together \(other.text)")
            return
        }
    }
}
