import Foundation
import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperService

/// Compares the reading and writing of archives with Foundation's. Both work on the same contents, and take turns. Also
/// measures the runtime and the policy.
@main
@MainActor
struct Benchmark {
    static func main() throws {
        let archive = Workload.archive(objectCount: 60)
        let bytes = try archive.encoded()
        let objectCount = try BinaryPropertyList(validating: bytes).objectCount
        print("archive of \(bytes.count) bytes, \(objectCount) objects")
        let data = Data(bytes)
        compare(
            "read", rounds: 200,
            ours: { _ = try ArchiveSummary(reading: bytes) },
            "PropertyListSerialization", { _ = try PropertyListSerialization.propertyList(from: data, format: nil) })
        measure("  validation alone") { _ = try BinaryPropertyList(validating: bytes) }
        measure("  all values") { _ = try StateArchive(reading: bytes) }

        let larger = Workload.archive(objectCount: 77)
        print("\nwriting \(try larger.encoded().count) bytes")
        let foundation = Workload.foundationObjects(larger)
        compare(
            "write", rounds: 20,
            ours: { _ = try larger.encoded() },
            "NSKeyedArchiver",
            { _ = try NSKeyedArchiver.archivedData(withRootObject: foundation, requiringSecureCoding: false) })
        let largest = Workload.archive(objectCount: 1000)
        measure("write \(try largest.encoded().count) bytes, 1,000 objects of 20 keys") { _ = try largest.encoded() }

        for count in [1000, 10_000, 50_000] {
            let runtime = Runtime(screenCount: count)
            let bytes = try runtime.preserve()
            print("\n\(count) screens of 20 keys, \(bytes.count) bytes")
            measure("preserve", rounds: 20_000 / count + 3) { _ = try runtime.preserve() }
            measure("restore", rounds: 20_000 / count + 3) { try runtime.restore(bytes) }
        }

        let list = LongList(rowCount: 100_000)
        let references = list.references(1000)
        print("\n1,000 references to a list of 100,000 rows, \(list.show(references)) found")
        measure("restore", rounds: 11) { _ = list.show(references) }

        let policy = CompatibilityPolicy()
        let stored = Workload.storedArchive
        let now = Timestamp(milliseconds: stored.capturedAt.milliseconds + 60_000)
        for (name, idiom) in [("full state", Idiom.phone), ("place", .pad)] {
            let asked = Context(idiom: idiom, layout: .compact, bundleVersion: "42.1", systemVersion: "17.4")
            measure("\n1,000 policy decisions, \(name)") {
                for _ in 0..<1000 { _ = policy.evaluate(RestoreCandidate(stored), for: asked, at: now) }
            }
        }
    }

    private static func compare(
        _ name: String, rounds: Int, ours: () throws -> Void, _ otherName: String, _ other: () throws -> Void
    ) {
        var times: (ours: [Duration], other: [Duration]) = ([], [])
        for _ in 0..<rounds {
            times.ours.append(time(ours))
            times.other.append(time(other))
        }
        let (median, otherMedian) = (times.ours.sorted()[rounds / 2], times.other.sorted()[rounds / 2])
        print("\(name): \(median), \(otherName): \(otherMedian), ratio \(Int(otherMedian / median))")
    }

    private static func measure(_ name: String, rounds: Int = 200, _ work: () throws -> Void) {
        let times = (0..<rounds).map { _ in time(work) }
        print("\(name): \(times.sorted()[rounds / 2])")
    }

    private static func time(_ work: () throws -> Void) -> Duration {
        let start = processorTime()
        do { try work() } catch { fatalError("\(error)") }
        return processorTime() - start
    }

    /// Returns the processor time of this thread, so that the time excludes other work on the machine.
    private static func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
