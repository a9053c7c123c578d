import Foundation

/// Measures how often the items of archives land right on another device (docs/identity-measured.md). It generates
/// people with lists on several devices, and asks the service for each archive.
///
///     placekeeper-bench-lists [--people N] [--kind photos|music|books|notes|adversarial]
///         [--seed N | --unseen] [--metadata] [--registering everyone|some|referred|none] [--json FILE]
@main
struct ListsBenchmark {
    static func main() async throws {
        var arguments = CommandLine.arguments.dropFirst()
        var (people, kinds, first, file) = (200, Kind.ofPeople, UInt64(1), String?.none)
        var variant = Person.Variant()
        while let argument = arguments.popFirst() {
            switch argument {
            case "--unseen": first = Simulation.firstUnseenSeed
            case "--people": people = Int(arguments.popFirst() ?? "") ?? 0
            case "--seed": first = UInt64(arguments.popFirst() ?? "") ?? 0
            case "--kind": kinds = arguments.popFirst().flatMap(Kind.init).map { [$0] } ?? []
            case "--metadata": variant.hasMetadata = true
            case "--registering":
                variant.registering = arguments.popFirst().flatMap(Person.Registering.init)
                if variant.registering == nil { people = 0 }
            case "--json": file = arguments.popFirst()
            default: people = 0
            }
        }
        guard 1...1_000_000 ~= people, !kinds.isEmpty, 1...UInt64(1 << 60) ~= first else {
            print(
                """
                usage: placekeeper-bench-lists [--people N] [--kind photos|music|books|notes|adversarial] \
                [--seed N | --unseen] [--metadata] [--registering everyone|some|referred|none] [--json FILE]
                """)
            exit(2)
        }
        let seeds = first...first + UInt64(people) - 1
        let report = Report(score: try await Simulation.run(kinds, seeds: seeds, variant), seeds: seeds, kinds: kinds)
        print(report.text)
        if let file { try Data(report.json.utf8).write(to: URL(filePath: file)) }
    }
}
