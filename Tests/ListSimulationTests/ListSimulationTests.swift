import Testing

@testable import placekeeper_bench_lists

struct ListSimulationTests {
    @Test func repeatsARunOfTheSameSeeds() async throws {
        let scores = [
            try await Simulation.run([.books], seeds: 3...4), try await Simulation.run([.books], seeds: 3...4),
        ]
        #expect(scores[0].answered == scores[1].answered)
        #expect(!scores[0].answered.isEmpty)
    }

    /// A sample of the simulation. `make bench-lists` runs the whole simulation.
    @Test(arguments: Kind.ofPeople)
    func findsWhatTheEvidenceAllows(_ kind: Kind) async throws {
        let score = try await Simulation.run([kind], seeds: 1...6)
        func counts(_ approach: Approach) -> [Verdict: Int] {
            score.verdicts(of: approach) { $0.hasThing && $0.isRegistered && !$0.isIndistinguishable }
        }
        func share(_ verdict: Verdict, _ approach: Approach) -> Double {
            Double(counts(approach)[verdict] ?? 0) / Double(counts(approach).values.reduce(0, +))
        }
        #expect(counts(.placekeeper).values.reduce(0, +) > 50)
        if kind == .notes {
            #expect(share(.nothing, .placekeeper) == 1)
        } else {
            #expect(share(.right, .placekeeper) > 0.8)
            #expect(share(.right, .placekeeper) > 0.95 * share(.right, .exhaustive))
            #expect(share(.wrong, .placekeeper) < 0.01)
            #expect(share(.right, .indexPath) < 0.3)
        }
    }

    /// The steps with enough samples. docs/identity-measured.md has the whole table.
    @Test func servesTheShareOfRightItemsAsConfidence() async throws {
        let score = try await Simulation.run([.photos, .music, .books], seeds: 1...10)
        let cells = Dictionary(grouping: score.steps) { step, _ in "\(step.name) \(min(step.sharedAliases, 2))" }
        var compared: Set<String> = []
        for (cell, steps) in cells {
            let count = steps.reduce(0) { $0 + $1.value.count }
            guard count >= 40, cell != "neighbor 0" else { continue }
            let right = Double(steps.reduce(0) { $0 + $1.value.right }) / Double(count)
            let confidence = steps.reduce(0) { $0 + $1.value.confidence } / Double(count)
            #expect(abs(right - confidence) < 0.03, "\(cell): \(right) right, served \(confidence), of \(count)")
            compared.insert(cell)
        }
        #expect(compared == ["exact 0", "alias 1", "alias 2", "alignment 0"])
    }
}
