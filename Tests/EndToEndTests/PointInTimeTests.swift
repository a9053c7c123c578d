import Dispatch
import PlacekeeperSystem
import Synchronization
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The recipe of docs/operating.md: frequent backups into a directory, and the newest one after a loss.
@Suite(.onOwnThreads, .onSQLite) struct PointInTimeTests {
    /// The uploads of one device, one after the other, until the service is killed.
    private final class Writer: Sendable {
        private let archives = Mutex<[UniqueArchive]>([])
        private let end = DispatchSemaphore(value: 0)

        init(_ device: RunningService.Device, at service: RunningService) {
            DispatchQueue(label: "placekeeper.tests.writer").async { [self] in
                while let archive = try? UniqueArchive(),
                    let reply = try? service.request(
                        "PUT", archive.path(in: "main"), token: device.token, body: archive.bytes),
                    reply.status == 201
                {
                    archives.withLock { $0.append(archive) }
                }
                end.signal()
            }
        }

        var acknowledged: [UniqueArchive] { archives.withLock(\.self) }

        func waitForEnd() { end.wait() }
    }

    @Test(arguments: 1...3)
    func losesOnlyWhatCameAfterTheStartOfTheLastBackup(round: Int) throws {
        let (service, folder) = (try RunningService(), try TemporaryDirectory())
        let phone = try service.register(app: try service.createApp(), idiom: "phone")
        let settings = try ChildProcess.run(
            "app", "policy", "com.example.photos", "--data", service.data.path, "--set", "retainedArchives=1000")
        try #require(settings.end == .exit(0))
        let writer = Writer(phone, at: service)
        let line = ["backup", "create", folder.path, "--keep", "2", "--data", service.data.path]
        /// The number of acknowledged uploads at the start of each backup, in the order of the backups.
        var starts: [Int] = []
        while starts.count < round {
            let start = writer.acknowledged.count
            let outcome = try ChildProcess(line).outcome()
            // Two backups in the same second would have the same name.
            if outcome.end == .exit(0) { starts.append(start) } else { #expect(outcome.error.contains("it exists")) }
        }
        // The machine fails during a further backup.
        let last = writer.acknowledged.count
        let unfinished = try ChildProcess(line)
        if round > 1 { while writer.acknowledged.count < last + 5 * round { sched_yield() } }
        service.kill()
        unfinished.send(SIGKILL)
        if unfinished.wait() == .exit(0) { starts.append(last) }
        writer.waitForEnd()

        let backups = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".sqlite") }.sorted()
        let newest = try #require(backups.last)
        #expect(backups.count <= 3)
        let data = try TemporaryDirectory()
        let restored = try ChildProcess.run("backup", "restore", folder.path + "/" + newest, "--data", data.path)
        #expect(restored.end == .exit(0), "\(restored.error)")
        let next = try RunningService(data: data)
        for archive in writer.acknowledged.prefix(try #require(starts.last)) {
            let reply = try next.request("GET", archive.path(in: "main"), token: phone.token)
            #expect(reply.status == 200 && reply.body == archive.bytes)
        }
    }
}
