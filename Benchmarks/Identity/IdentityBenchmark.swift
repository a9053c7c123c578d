import FoundationEssentials
import Glibc
import PlacekeeperCore
import PlacekeeperSQLite
import PlacekeeperService

/// Measures identity across devices on a real database. For each list size, one user has ten devices. Other users have
/// small lists. The first argument after the directory is the maximum number of items of each device.
///
///     placekeeper-bench-identity DIRECTORY [ITEMS-PER-DEVICE (from 100) [OTHER-USERS]]
///
/// The benchmark prints a table, and writes the costs for each list size as JSON to DIRECTORY/identity.json.
@main
struct IdentityBenchmark {
    static let deviceCount = 10

    static func main() async throws {
        let arguments = CommandLine.arguments
        let numbers = arguments.dropFirst(2).map { Int($0) ?? -1 }
        let size = numbers.first ?? 100_000
        let users = numbers.count > 1 ? numbers[1] : 1000
        guard 2...4 ~= arguments.count, size >= 100, users >= 0 else {
            print("usage: placekeeper-bench-identity DIRECTORY [ITEMS-PER-DEVICE (from 100) [OTHER-USERS]]")
            exit(2)
        }
        let bench = try await Bench(directory: arguments[1])

        print("\(users) users of 2 devices with 100 items each")
        for number in 0..<users {
            let principals = try await bench.join(user: UInt64(number + 1_000_000), devices: 2)
            for (device, principal) in principals.enumerated() { try await bench.load(100, device, principal) }
        }

        var costs: [String] = []
        var largest: (count: Int, principals: [Principal]) = (0, [])
        for step in [100, 1000, 10_000, 100_000] where step <= size {
            let principals = try await bench.join(user: UInt64(step), devices: deviceCount)
            let before = try await bench.storage()
            var loads: [Duration] = []
            var texts = 0
            for (device, principal) in principals.enumerated() {
                let (time, bytes) = try await bench.load(step, device, principal)
                loads.append(time)
                texts += bytes
            }
            let stored = Double(try await bench.storage() - before - texts) / Double(step * deviceCount)
            let resolve = try await bench.resolve(step, principals)
            let delta = try await bench.delta(min(step / 2, 5000), of: step, principals[0])
            print(
                """
                list of \(step * deviceCount) items: first load of \(step) \(loads.sorted()[deviceCount / 2].text), \
                a delta of \(min(step / 2, 5000) * 2) \(delta.text), 1,000 references \(resolve.median.text) \
                (slowest of 50: \(resolve.worst.text)), \(Int(stored.rounded())) bytes per item in addition to its texts
                """)
            costs.append(
                """
                {"items": \(step * deviceCount), "reference": \(resolve.median.microseconds / 1000), \
                "delta": \(delta.microseconds / Double(min(step / 2, 5000) * 2)), "storage": \(stored)}
                """)
            largest = (step, principals)
        }
        let pending = try await bench.resolvePending(largest.count, largest.principals)
        print("1,000 references that only other devices have: \(pending.text)")
        print("maximum resident memory: \(residentPeak() >> 20) MiB")
        let json = "[\n\(costs.joined(separator: ",\n"))\n]\n"
        try Data(json.utf8).write(to: URL(filePath: arguments[1] + "/identity.json"))
        await bench.store.close()
    }

    /// Returns the maximum resident memory of the process, in bytes.
    private static func residentPeak() -> Int {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return usage.ru_maxrss * 1024
    }
}

extension Duration {
    fileprivate var microseconds: Double { self / .microseconds(1) }
    fileprivate var text: String {
        microseconds < 10_000
            ? "\((microseconds / 10).rounded() / 100) ms" : "\((microseconds / 1000).rounded().text) ms"
    }
}

extension Double {
    fileprivate var text: String { "\(Int(self))" }
}
