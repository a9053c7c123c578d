/// The simulation of many people.
enum Simulation {
    /// The first seed of the simulations on which the algorithm is not developed.
    static let firstUnseenSeed: UInt64 = 1_000_001

    /// Plays one person of each kind for each seed.
    static func run(
        _ kinds: [Kind], seeds: ClosedRange<UInt64>, _ variant: Person.Variant = .init(), atOnce: Int = 4
    ) async throws -> Score {
        var tasks = seeds.lazy.flatMap { seed in kinds.lazy.map { (kind: $0, seed: seed) } }.makeIterator()
        return try await withThrowingTaskGroup(of: Score.self) { group in
            var score = Score()
            for _ in 0..<atOnce {
                guard let next = tasks.next() else { break }
                group.addTask { try await Person.play(next.kind, seed: next.seed, variant) }
            }
            while let one = try await group.next() {
                score.add(one)
                guard let next = tasks.next() else { continue }
                group.addTask { try await Person.play(next.kind, seed: next.seed, variant) }
            }
            return score
        }
    }
}
