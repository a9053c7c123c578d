import Foundation

/// Measures how often a launch leads elsewhere than to the person's last work.
@main
struct PlaceSimulation {
    static func main() async throws {
        guard let options = SimulationOptions(CommandLine.arguments.dropFirst()) else {
            print(SimulationOptions.usage)
            exit(2)
        }
        if options.isTraced, let user = options.user {
            let household = try await Household(
                seed: options.seed, user: user, days: options.days, isRestless: options.isRestless,
                isRereading: options.isRereading, isTraced: true)
            _ = try await household.run()
            return
        }
        let start = Date()
        let tally = try await run(options)
        let report = Report(tally: tally, options: options)
        print(report.text)
        print("\(Int(-start.timeIntervalSinceNow)) seconds")
        if let path = options.json { try Data(report.json.utf8).write(to: URL(fileURLWithPath: path)) }
    }

    /// Runs the users, a task for each.
    static func run(_ options: SimulationOptions) async throws -> Tally {
        let users = options.user.map { $0..<$0 + 1 } ?? 0..<options.users
        return try await withThrowingTaskGroup(of: Tally.self) { group in
            var total = Tally()
            var next = users.lowerBound
            // Some tasks at once keep all cores busy, and the memory small.
            while next < min(users.upperBound, users.lowerBound + 4) {
                let user = next
                group.addTask { try await tally(of: user, options) }
                next += 1
            }
            while let tally = try await group.next() {
                total.add(tally)
                guard next < users.upperBound else { continue }
                let user = next
                group.addTask { try await Self.tally(of: user, options) }
                next += 1
            }
            total.cases.sort { ($0.user, $0.day, $0.device) < ($1.user, $1.day, $1.device) }
            return total
        }
    }

    @concurrent
    private static func tally(of user: Int, _ options: SimulationOptions) async throws -> Tally {
        try await Household(
            seed: options.seed, user: user, days: options.days, isRestless: options.isRestless,
            isRereading: options.isRereading
        ).run()
    }
}
