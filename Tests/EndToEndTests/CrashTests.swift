import Dispatch
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Tests a service that is killed while devices upload, delete and report, and is started again on the same data.
@Suite(.onOwnThreads) struct CrashTests {
    /// The number of kills, from PLACEKEEPER_CRASH_CYCLES.
    static let cycles = ProcessInfo.processInfo.environment["PLACEKEEPER_CRASH_CYCLES"].flatMap { Int($0) } ?? 5

    @Test(.timeLimit(.minutes(20))) func keepsAcknowledgedWritesAfterKills() throws {
        let first = try RunningService()
        let key = try first.createApp()
        let settings = try ChildProcess.run(
            "app", "policy", "com.example.photos", "--data", first.data.path, "--set", "retainedArchives=1000")
        try #require(settings.end == .exit(0))
        let duties: [CrashWorker.Duty] = [.upload, .uploadAndDelete, .upload, .uploadAndReport]
        var users: [[RunningService.Device]] = []
        var revisions: [Int64] = []
        var held: [CrashWorker] = []

        let service = SupervisedService(first)
        defer { service.stop() }
        for cycle in 1...Self.cycles {
            // Every fifth cycle begins with new users, because a cycle adds up to about forty scenes, and a user has at
            // most 256.
            if cycle % 5 == 1 {
                users = try (0..<2).map { _ in try twoDevices(of: key, at: service.running) }
                revisions = [0, 0]
            }
            let acknowledged = DispatchSemaphore(value: 0)
            let workers = zip(duties, users.joined()).enumerated().map { number, assigned in
                CrashWorker(
                    assigned.0, of: assigned.1, scene: "c\(cycle).w\(number)", acknowledged: acknowledged,
                    at: service.running)
            }
            let kill = Int.random(in: 1...40)
            for count in 1...kill {
                try #require(
                    acknowledged.wait(timeout: .now() + 600) == .success, "cycle \(cycle): no answer after \(count - 1)"
                )
            }
            service.kill()
            for worker in workers { worker.waitForEnd() }
            var running = try service.restarted()
            // In every fourth cycle the service is killed again right after the restart, in which SQLite recovered the
            // write-ahead log.
            if cycle % 4 == 0 {
                service.kill()
                running = try service.restarted()
            }

            for (user, devices) in users.enumerated() {
                let mine = workers.enumerated().filter { $0.offset / 2 == user }.map(\.element)
                let known = try changes(of: devices[0], after: revisions[user], at: running)
                #expect(known.allSatisfy { $0 > revisions[user] }, "cycle \(cycle)")
                #expect(zip(known, known.dropFirst()).allSatisfy { $0 < $1 }, "cycle \(cycle)")
                let stored = mine.flatMap(\.revisions)
                #expect(Set(stored).count == stored.count, "cycle \(cycle): a revision was given twice")
                #expect(Set(stored).subtracting(known).isEmpty, "cycle \(cycle): the log lacks an acknowledged change")
                revisions[user] = known.last ?? revisions[user]
                for worker in mine {
                    #expect(try worker.missing(from: running) == [], "cycle \(cycle)")
                    // As a client does, the test repeats an upload that got no response.
                    let repeated = try worker.repeatLast(at: running)
                    revisions[user] = max(revisions[user], repeated ?? 0)
                    held.append(worker)
                }
            }
            #expect(try TestDatabase.findings(in: running.data.path) == [], "cycle \(cycle)")
        }
        // Later cycles did not remove data of earlier cycles.
        for worker in held { #expect(try worker.missing(from: service.running) == []) }
        #expect(service.stop() == .exit(0))
    }

    /// Registers two devices of one user, so that writes of one user meet in the same group commit.
    private func twoDevices(of key: String, at service: RunningService) throws -> [RunningService.Device] {
        let phone = try service.register(app: key, idiom: "phone")
        let code = try service.linkCode(token: phone.token)
        return [phone, try service.register(app: key, idiom: "phone", linkCode: code)]
    }

    private func changes(
        of device: RunningService.Device, after revision: Int64, at service: RunningService
    ) throws -> [Int64] {
        struct Page: Decodable {
            struct Item: Decodable { var revision: Int64 }
            var items: [Item]
            var next: String?
        }
        var revisions: [Int64] = []
        var next: String? = "\(revision)"
        while let after = next {
            let page = try service.request("GET", "/v1/changes?after=\(after)", token: device.token).json(Page.self)
            revisions += page.items.map(\.revision)
            next = page.next
        }
        return revisions
    }
}
