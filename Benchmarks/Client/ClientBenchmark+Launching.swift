import Foundation
import PlacekeeperClient

// Launches against a fast, a slow, a dead and an absent service.
extension ClientBenchmark {
    private static let deadline = 0.2

    /// Measures launches of processes that have a state on the disk. Each launch has a copy of a device's folder.
    static func measureLaunches(_ service: ServiceProcess, _ folder: URL, _ report: inout Report) async throws {
        var templates: [URL] = []
        for number in 0..<4 {
            let template = folder.appending(path: "launch-\(number)")
            let device = BenchDevice(template, key: service.key, port: service.port)
            device.placekeeper.scene().save(BenchDevice.state(number, size: 44 << 10))
            try await device.placekeeper.flush()
            templates.append(template)
        }
        let slow = try SlowServer(delay: .milliseconds(400))
        let dead = try SilentPort(listens: true)
        let absent = try SilentPort(listens: false)
        let kinds: [(name: String, port: UInt16, count: Int, parallel: Int)] = [
            ("fast", service.port, 1000, 1), ("slow", slow.port, 1000, 16), ("dead", dead.port, 1000, 16),
            ("absent", absent.port, 1000, 1),
        ]
        for kind in kinds {
            let isLate = kind.name == "slow" || kind.name == "dead"
            let times = try await launch(kind.count, kind.parallel, kind.name) { [templates] number in
                let copy = folder.appending(path: "\(kind.name)-\(number)")
                try FileManager.default.copyItem(at: templates[number % templates.count], to: copy)
                return BenchDevice(copy, key: service.key, port: kind.port) { options in
                    options.launchDeadline = .seconds(Self.deadline)
                    options.requestDeadline = .seconds(1)
                }
            }
            let name = "launch, \(kind.name) service"
            report.add(
                .init(name, unit: "ms", times, goal: "maximum", atMost: Self.deadline * 1000 + (isLate ? 10 : 0)))
        }
        await slow.stop()
    }

    /// Launches devices, some of them at the same time. Returns the milliseconds of each launch.
    private static func launch(
        _ count: Int, _ parallel: Int, _ name: String, _ make: @escaping @Sendable (Int) throws -> BenchDevice
    ) async throws -> [Double] {
        try await withThrowingTaskGroup(of: [Double].self) { group in
            for lane in 0..<parallel {
                group.addTask {
                    // The launches of different lanes do not end at the same moment.
                    let pause = deadline * Double(lane) / Double(parallel)
                    try await Task.sleep(for: .seconds(pause))
                    var times: [Double] = []
                    for number in stride(from: lane, to: count, by: parallel) {
                        Report.note("launch \(number) of \(count), \(name) service")
                        let device = try make(number)
                        let begin = ContinuousClock.now
                        let launch = await device.placekeeper.scene().launch()
                        times.append((ContinuousClock.now - begin).milliseconds)
                        guard launch.restore != nil else {
                            throw ServiceProcess.Failure(description: "a launch restored nothing: \(launch.reason)")
                        }
                    }
                    return times
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
    }
}
