import Foundation

/// Measures the client against a release build of the service, over sockets and with files on the disk.
///
///     placekeeper-bench-client [--json] COMMAND [save | flush | events | launch | size …]
///
/// COMMAND is the path of the `placekeeper` command. Without names of measurements, all measurements run. The benchmark
/// prints a table, or JSON. On a terminal, it names the measurement that runs.
@main
struct ClientBenchmark {
    private static let names = ["save", "flush", "events", "launch", "size"]

    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().filter { $0 != "--json" }
        guard let command = arguments.first, arguments.dropFirst().allSatisfy(names.contains) else {
            print("usage: placekeeper-bench-client [--json] COMMAND [\(names.joined(separator: " | ")) …]")
            exit(64)
        }
        func runs(_ name: String) -> Bool { arguments.count == 1 || arguments.dropFirst().contains(name) }
        let folder = FileManager.default.temporaryDirectory.appending(path: "placekeeper-bench-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let service = try ServiceProcess(command: command, folder: folder.appending(path: "data"))
        defer { service.stop() }
        var report = Report()
        do {
            if runs("save") { try await measureSaving(service, folder, &report) }
            if runs("flush") { try await measureFlushing(service, folder, &report) }
            if runs("events") { try await measureEvents(service, folder, &report) }
            if runs("launch") { try await measureLaunches(service, folder, &report) }
            if runs("size") { try measureSize(&report) }
            Report.note("")
        } catch {
            FileHandle.standardError.write(Data("the benchmark failed: \(error)\n".utf8))
            service.stop()
            try? FileManager.default.removeItem(at: folder)
            exit(1)
        }
        try report.print(asJSON: CommandLine.arguments.contains("--json"))
    }

    /// Compares the sizes of two programs that are built beside this one: with the client, and without.
    private static func measureSize(_ report: inout Report) throws {
        let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        let sizes = ["with", "without"].compactMap { name in
            let path = programs.appending(path: "placekeeper-size-\(name)-client").path
            return (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
        }
        guard sizes.count == 2 else { return }
        let megabytes = sizes.map { Double($0) / 1_048_576 }
        report.add(
            .init(
                "size of a static program", unit: "MB",
                ["with": megabytes[0], "without": megabytes[1], "difference": megabytes[0] - megabytes[1]],
                goal: "difference", atMost: 1.5))
    }
}
