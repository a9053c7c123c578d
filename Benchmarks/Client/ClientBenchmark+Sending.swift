import PlacekeeperConcurrency
import Foundation
import PlacekeeperArchive
import PlacekeeperClient

// Saving, flushing and events.
extension ClientBenchmark {
    private static let stateSize = 44 << 10

    /// Measures the cost of `save` to its caller, and the time until the states are on the disk.
    static func measureSaving(_ service: ServiceProcess, _ folder: URL, _ report: inout Report) async throws {
        Report.note("save")
        let device = BenchDevice(folder.appending(path: "save"), key: service.key, port: service.port)
        let scene = device.placekeeper.scene()
        let states = (0..<2500).map { BenchDevice.state($0, size: stateSize) }
        var costs: [Double] = []
        let clock = ContinuousClock()
        device.network.turn(on: false)
        let begin = clock.now
        for state in states {
            costs.append(clock.measure { scene.save(state) }.milliseconds)
        }
        // The client's queue keeps the order, so this call fails after all states are written.
        try? await device.placekeeper.flush()
        let durable = (clock.now - begin).milliseconds / Double(states.count)
        var row = Report.Row("save of 44 KB, to its caller", unit: "ms", costs, goal: "p99", atMost: 1)
        row.values["durable"] = durable
        row.values["kilobytes"] = Double(try states[0].encoded().count) / 1024
        report.add(row)
    }

    /// Measures a flush of 1,000 scenes: 250 scenes of each of 4 devices, saved without a connection.
    static func measureFlushing(_ service: ServiceProcess, _ folder: URL, _ report: inout Report) async throws {
        for size in [4 << 10, stateSize] {
            Report.note("flush of 1,000 scenes of \(size >> 10) KB")
            let devices = (0..<4).map { number in
                BenchDevice(folder.appending(path: "flush-\(size)-\(number)"), key: service.key, port: service.port)
            }
            for device in devices {
                _ = try await device.placekeeper.places()
                device.network.turn(on: false)
                for number in 0..<250 {
                    device.placekeeper.scene("s\(number)").save(BenchDevice.state(number, size: size))
                }
                await device.waitForPending(250)
                device.network.turn(on: true)
            }
            let time = try await ContinuousClock().measure {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for device in devices { group.addTask { try await device.placekeeper.flush() } }
                    try await group.waitForAll()
                }
            }
            guard devices.allSatisfy({ $0.placekeeper.status.unsentCount == 0 }) else {
                throw ServiceProcess.Failure(description: "states still wait after the flush")
            }
            report.add(
                .init(
                    "flush of 1,000 scenes of \(size >> 10) KB", unit: "s", ["time": time.milliseconds / 1000],
                    goal: "time", atMost: 2))
        }
    }

    /// Measures the time from the end of a flush on one device to the offer on another device.
    static func measureEvents(_ service: ServiceProcess, _ folder: URL, _ report: inout Report) async throws {
        let phone = BenchDevice(folder.appending(path: "phone"), key: service.key, port: service.port)
        let pad = BenchDevice(folder.appending(path: "pad"), key: service.key, port: service.port)
        pad.placekeeper.scene().save(BenchDevice.state(0, size: stateSize))
        try await pad.placekeeper.flush()
        try await phone.placekeeper.link(try await pad.placekeeper.linkCode().code)
        let (arrivals, arrived) = AsyncStream.makeStream(of: (title: String?, time: ContinuousClock.Instant).self)
        let follower = Task {
            for await offer in pad.placekeeper.scene().offers {
                arrived.yield((offer?.place.titles.first, ContinuousClock.now))
            }
        }
        defer { follower.cancel() }
        var times: [Double] = []
        var iterator = arrivals.makeAsyncIterator()
        for number in 1...210 {
            Report.note("event \(number) of 210")
            phone.placekeeper.scene().save(BenchDevice.state(number, size: stateSize))
            try await phone.placekeeper.flush()
            let sent = ContinuousClock.now
            while let (title, time) = await iterator.next() {
                guard title == String(number) else { continue }
                times.append((time - sent).milliseconds)
                break
            }
        }
        // The first offers arrive while the stream is opened.
        report.add(
            .init("flush here to offer there", unit: "ms", Array(times.dropFirst(10)), goal: "median", atMost: 50))
    }
}
