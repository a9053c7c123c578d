import Dispatch
import Synchronization
import Testing

/// A device that writes until its connection breaks, and records the acknowledgements.
final class CrashWorker: Sendable {
    enum Duty: Sendable {
        case upload, uploadAndDelete, uploadAndReport
    }

    /// The acknowledged state of an archive.
    private enum Fate { case stored, deleted, quarantined, undecided }

    private struct Entry {
        var archive: UniqueArchive
        var scene: String
        /// The archive's revision. Nil until the service acknowledges the upload.
        var revision: Int64?
        var fate = Fate.stored
    }

    private struct Ledger {
        var entries: [Entry] = []
        var surprises: [String] = []
    }

    private let duty: Duty
    private let device: RunningService.Device
    private let scene: String
    private let acknowledged: DispatchSemaphore
    private let ledger = Mutex(Ledger())
    private let end = DispatchGroup()

    /// Starts the work on its own thread.
    init(
        _ duty: Duty, of device: RunningService.Device, scene: String, acknowledged: DispatchSemaphore,
        at service: RunningService
    ) {
        (self.duty, self.device, self.scene, self.acknowledged) = (duty, device, scene, acknowledged)
        DispatchQueue(label: "placekeeper.tests.worker").async(group: end) { [self] in
            // The work ends when the connection breaks.
            guard let connection = try? service.connect() else { return }
            while ledger.withLock({ $0.surprises.isEmpty }), (try? work(on: connection)) != nil {}
        }
    }

    func waitForEnd() { end.wait() }

    /// The revisions of acknowledged uploads, in the order of acknowledgement.
    var revisions: [Int64] { ledger.withLock { $0.entries.compactMap(\.revision) } }

    private func work(on connection: Connection) throws {
        // One archive in eight is large, so that the write-ahead log fills soon. Then a kill may happen while SQLite
        // copies this log into the database.
        let archive = try UniqueArchive(size: Int.random(in: 0..<8) == 0 ? 60_000 : Int.random(in: 16..<4096))
        let number = ledger.withLock { ledger in
            // A quarantined archive is the only one in its scene, so that no other archive can be served instead.
            let scene = duty == .uploadAndReport ? "\(scene).\(ledger.entries.count)" : scene
            ledger.entries.append(Entry(archive: archive, scene: scene))
            return ledger.entries.count - 1
        }
        let entry = ledger.withLock { $0.entries[number] }
        let path = archive.path(in: entry.scene)
        let stored = try send("PUT", path, archive.bytes, on: connection)
        guard expect(201, stored), let revision = stored["Placekeeper-Revision"].flatMap({ Int64($0) }) else { return }
        update(number) { $0.revision = revision }

        switch duty {
        case .upload: break
        case .uploadAndDelete where !number.isMultiple(of: 2): break
        case .uploadAndDelete:
            update(number) { $0.fate = .undecided }
            if expect(204, try send("DELETE", path, on: connection)) { update(number) { $0.fate = .deleted } }
        case .uploadAndReport:
            let query = "idiom=phone&bundleVersion=42"
            guard expect(200, try send("GET", latest(in: entry.scene, query), on: connection)) else { return }
            update(number) { $0.fate = .undecided }
            let report = Array("{\"result\": \"crashed\", \"idiom\": \"phone\", \"bundleVersion\": \"42\"}".utf8)
            if expect(204, try send("POST", path + "/outcomes", report, on: connection)) {
                update(number) { $0.fate = .quarantined }
            }
        }
        acknowledged.signal()
    }

    /// Returns the archives whose state differs from the acknowledged state.
    func missing(from service: RunningService) throws -> [String] {
        let connection = try service.connect()
        let (entries, surprises) = ledger.withLock { ($0.entries, $0.surprises) }
        return try surprises
            + entries.compactMap { entry in
                guard let revision = entry.revision else { return nil }
                let reply = try send("GET", entry.archive.path(in: entry.scene), on: connection)
                let isThere =
                    reply.status == 200 && reply.body == entry.archive.bytes
                    && reply["Placekeeper-Revision"] == "\(revision)"
                let isAsTold: Bool
                switch entry.fate {
                case .stored: isAsTold = isThere
                case .deleted: isAsTold = reply.status == 410
                case .undecided: isAsTold = isThere || reply.status == 410
                case .quarantined:
                    let served = try send(
                        "GET", latest(in: entry.scene, "idiom=phone&bundleVersion=42"), on: connection)
                    isAsTold = isThere && served.status == 406 && served.text.contains("\"quarantined\"")
                }
                return isAsTold ? nil : "\(entry.scene)/\(entry.archive.id), \(entry.fate): \(reply.status)"
            }
    }

    /// If the last upload got no response, repeats it and returns the archive's revision. Nil if no upload is repeated, or
    /// if the response is wrong. A wrong response is an issue of the test.
    func repeatLast(at service: RunningService) throws -> Int64? {
        guard
            let (number, entry) = ledger.withLock({ ledger in
                ledger.entries.indices.last.map { ($0, ledger.entries[$0]) }
            }), entry.revision == nil
        else { return nil }
        let highest = revisions.max() ?? 0
        let reply = try send(
            "PUT", entry.archive.path(in: entry.scene), entry.archive.bytes, on: try service.connect())
        guard [200, 201].contains(reply.status),
            let revision = reply["Placekeeper-Revision"].flatMap({ Int64($0) }), revision > highest
        else {
            let given = reply["Placekeeper-Revision"] ?? "none"
            Issue.record("\(entry.scene): \(reply.status), revision \(given) after \(highest): \(reply.text)")
            return nil
        }
        update(number) { $0.revision = revision }
        return revision
    }

    private func latest(in scene: String, _ query: String) -> String { "/v1/scenes/\(scene)/archives/latest?\(query)" }

    private func update(_ number: Int, _ body: (inout Entry) -> Void) {
        ledger.withLock { body(&$0.entries[number]) }
    }

    private func expect(_ status: Int, _ reply: Reply) -> Bool {
        guard reply.status != status else { return true }
        ledger.withLock { $0.surprises.append("\(scene): \(reply.status) instead of \(status): \(reply.text)") }
        return false
    }

    private func send(
        _ method: String, _ target: String, _ body: [UInt8] = [], on connection: Connection
    ) throws -> Reply {
        try connection.request(
            method, target, fields: [("Authorization", "Bearer \(device.token)")], body: body)
    }
}
