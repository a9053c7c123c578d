import Glibc
import PlacekeeperCore
import PlacekeeperSQLite
import PlacekeeperService

/// Measures how the processor time of an upload depends on the number of the user's devices that were served an archive
/// of the scene. Each device was served a different archive. The benchmark measures each number of devices five times,
/// in turns, and prints the median.
@main
struct UploadBenchmark {
    static func main() async throws {
        let counts = [1, Limits.devices]
        var costs = counts.map { _ in [Double]() }
        for _ in 0..<5 {
            for (index, count) in counts.enumerated() { costs[index].append(try await cost(withServed: count)) }
        }
        let medians = costs.map { $0.sorted()[2] }
        for (count, median) in zip(counts, medians) {
            print("\(count) devices served: \(Int(median.rounded())) µs of processor time per upload")
        }
        print("ratio \((medians[1] / medians[0] * 100).rounded() / 100)")
    }

    /// Returns the processor time of an upload in microseconds.
    private static func cost(withServed count: Int) async throws -> Double {
        var template = Array("/tmp/placekeeper-uploads-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw StoreError(.unavailable, "no temporary directory") }
        let directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let store = try SQLiteStore(directory: directory, compression: Uncompressed())
        let scene = SceneKey(
            owner: UserKey(app: AppID(high: 1, low: 1), user: UserID(high: 2, low: 2)), name: "main")
        var uploads = Uploads(scene: scene)
        for number in 1...UInt64(count) {
            let device = Device(
                id: DeviceID(high: 3, low: number), owner: scene.owner, idiom: .phone,
                createdAt: Timestamp(milliseconds: 0), lastSeenAt: Timestamp(milliseconds: 0))
            _ = try await store.register(NewDevice(device, token: Digest(1, 1, 1, number)))
            let new = uploads.next()
            _ = try await store.put(new, retention: 20)
            try await store.recordServing(new.id, in: scene, to: device.id, at: new.receivedAt)
        }
        try await upload(640, to: store, &uploads)
        let before = processorTime()
        let measured = 25_600
        try await upload(measured, to: store, &uploads)
        let cost = (processorTime() - before) / Double(measured)
        await store.close()
        for suffix in ["", "-wal", "-shm"] { unlink(directory + "/" + SQLiteStore.fileName + suffix) }
        rmdir(directory)
        return cost
    }

    /// Uploads in groups of 32 concurrent requests, like a server's clients.
    private static func upload(_ count: Int, to store: SQLiteStore, _ uploads: inout Uploads) async throws {
        for _ in 0..<count / 32 {
            let group = (0..<32).map { _ in uploads.next() }
            try await withThrowingTaskGroup { tasks in
                for new in group { tasks.addTask { _ = try await store.put(new, retention: 20) } }
                try await tasks.waitForAll()
            }
        }
    }

    private static func processorTime() -> Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let times = [usage.ru_utime, usage.ru_stime]
        return times.reduce(0) { $0 + Double($1.tv_sec) * 1e6 + Double($1.tv_usec) }
    }
}

/// Generates different archives of one device.
private struct Uploads {
    let scene: SceneKey
    private var number: UInt64 = 0

    init(scene: SceneKey) { self.scene = scene }

    mutating func next() -> NewArchive {
        number += 1
        let time = Timestamp(milliseconds: 1_750_000_000_000 + Int64(number))
        var bytes = [UInt8](repeating: 7, count: 4096)
        for index in 0..<8 { bytes[index] = UInt8(truncatingIfNeeded: number >> (8 * UInt64(index))) }
        var new = NewArchive(
            id: ArchiveID(high: 4, low: number), scene: scene, device: DeviceID(high: 3, low: 1), capturedAt: time,
            receivedAt: time, context: Context(idiom: .phone), digest: Digest(1, 2, 3, number),
            summary: Archive.Summary(place: ["Home"]), bytes: bytes)
        new.actor = new.device
        return new
    }
}

private struct Uncompressed: BlobCompression {
    func compress(_ bytes: [UInt8]) -> [UInt8]? { nil }
    func decompress(_ bytes: [UInt8], count: Int) -> [UInt8] { bytes }
}
