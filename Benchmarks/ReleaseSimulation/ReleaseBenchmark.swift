import Foundation

/// Simulates releases that crash while they restore, and prints a table.
///
///     placekeeper-bench-release [--devices N] [--seed N] [--json FILE] [--only NAME]
///
/// With `--only`, only the release with this name is simulated.
@main
struct ReleaseBenchmark {
    static func main() async throws {
        var devices = 10_000
        var seed: UInt64 = 1
        var file: String?
        var only = ""
        var arguments = Array(CommandLine.arguments.dropFirst())
        while arguments.count > 1, let name = arguments.first {
            switch (name, Int(arguments[1])) {
            case ("--devices", let number?) where (1...1_000_000).contains(number): devices = number
            case ("--seed", let number?) where number >= 0: seed = UInt64(number)
            case ("--json", _): file = arguments[1]
            case ("--only", _): only = arguments[1]
            default: arguments = [name]
            }
            arguments.removeFirst(min(2, arguments.count))
        }
        guard arguments.isEmpty else {
            print("usage: placekeeper-bench-release [--devices N] [--seed N] [--json FILE] [--only NAME]")
            exit(64)
        }
        var results: [ReleaseResult] = []
        print(
            "|Release|Crashed, 24 h|Crashed|Most crashes of a device|On one archive|Stops|Prevented|Refused|Refused on 1|"
        )
        print("|---|---|---|---|---|---|---|---|---|")
        for release in releases(devices: devices, seed: seed) where only.isEmpty || release.name == only {
            let result = try await ReleaseSimulation.run(release)
            print(result.row)
            fflush(nil)
            results.append(result)
        }
        guard let file else { return }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(results).write(to: URL(fileURLWithPath: file))
    }

    /// The simulated releases.
    static func releases(devices: Int, seed: UInt64) -> [Release] {
        var releases: [Release] = []
        func add(_ name: String, _ change: (inout Release) -> Void) {
            var release = Release(name: name, devices: devices, seed: seed)
            change(&release)
            releases.append(release)
        }
        add("without the breaker, 40 % of the states") { $0.breaker = .off }
        for percent in [40, 5, 10, 20, 100] {
            add("\(percent) % of the states") { $0.crashingShare = Double(percent) / 100 }
        }
        add("40 % of the states, 1 % of the sessions offline") { $0.offlineShare = 0.01 }
        add("a healthy release") { $0.crashingShare = 0 }
        add("a healthy release, 1 % of all restores crash") {
            $0.crashingShare = 0
            $0.noise = 0.01
            $0.hours = 12
        }
        for (installations, networks) in [(1000, 1), (100, 4), (5, 5), (100, 100)] {
            add("a healthy release, \(installations) hostile installations in \(networks) networks") {
                $0.crashingShare = 0
                $0.hours = 6
                $0.hostileInstallations = installations
                $0.hostileNetworks = networks
            }
        }
        return releases
    }
}

extension ReleaseResult {
    /// A row of the table.
    fileprivate var row: String {
        let stops = stops.map { stop in
            let time = "\(stop.minute / 60):" + (stop.minute % 60 < 10 ? "0" : "") + "\(stop.minute % 60)"
            return "\(time) \(stop.sourceVersion)→\(stop.targetVersion) \(stop.idiom), \(Int(stop.hours.rounded())) h"
        }
        return "|\(name)|\(crashedOnFirstDay)|\(crashedDevices)|\(mostCrashesOfOneDevice)|\(mostCrashesOnOneArchive)|"
            + (stops.isEmpty ? "none" : stops.joined(separator: "; "))
            + "|\(preventedCrashes)|\(refusedHealthyStates)|\(refusedOnVersionOne)|"
    }
}
