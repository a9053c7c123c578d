package import PlacekeeperService
import PlacekeeperTestSupport

/// Random intents from a seed. They use few users, scenes, devices and archives, so that they affect each other
/// often.
package struct RandomIntents {
    private var generator: SplitMix
    private var time: Int64 = 0
    private var codes: UInt64 = 0
    private var devices: UInt64 = 3
    /// The last revision that an intent may refer to.
    private var revision: Int64 = 0

    package init(seed: UInt64) { generator = SplitMix(state: seed) }

    package enum Intent: Sendable {
        case put(NewArchive, retention: Int)
        case delete(ArchiveID, SceneKey, Timestamp)
        case forget(SceneKey, Timestamp)
        case snapshot(Snapshot, ArchiveID, SceneKey)
        case served(ArchiveID, SceneKey, DeviceID, Timestamp)
        case report(Outcome, SceneKey)
        case register(Device, token: Digest, linkCode: Digest?)
        case revoke(DeviceID, UserKey, Timestamp)
        case seen([UserKey: [DeviceID: Timestamp]])
        case code(LinkCode)
        case move(DeviceID, UserKey, Digest, Timestamp, retention: Int)
        case count([Counter: Int])
        case prune(Timestamp)
        case erase(UserKey)
    }

    /// The time of the last intent.
    package var now: Timestamp { Agreement.at(time) }

    package mutating func next() -> Intent {
        time += Int64(below(40_000))
        // Sometimes weeks pass, so that retention times end.
        if below(150) == 0 { time += 20 * 86_400_000 }
        let now = Agreement.at(time)
        switch below(100) {
        case 0..<52: return .put(archive(at: now), retention: 1 + Int(below(4)))
        case 52..<58: return .delete(archiveID(), scene(), now)
        case 58..<60: return .forget(scene(), Agreement.at(time - Int64(below(50_000))))
        case 60..<63: return .snapshot(Snapshot(format: .png, bytes: [UInt8(below(4))]), archiveID(), scene())
        case 63..<70: return .served(archiveID(), scene(), device(), now)
        case 70..<82: return .report(outcome(at: now), scene())
        case 82..<85:
            devices += 1
            let new = Device(
                id: DeviceID(high: 0, low: devices), owner: Agreement.owner(1 + below(2)), idiom: .pad, createdAt: now,
                lastSeenAt: now)
            return .register(new, token: Digest(1, 0, 0, devices), linkCode: below(2) == 0 ? code() : nil)
        case 85..<86: return .revoke(device(), Agreement.owner(1 + below(2)), now)
        case 86..<88:
            return .seen([Agreement.owner(1 + below(2)): [device(): below(2) == 0 ? now : Agreement.at(time - 1000)]])
        case 88..<92:
            codes += 1
            let code = LinkCode(
                digest: Digest(2, 0, 0, codes), owner: Agreement.owner(1 + below(2)),
                expiresAt: Agreement.at(time + 600_000))
            return .code(code)
        case 92..<95: return .move(device(), Agreement.owner(1 + below(2)), code(), now, retention: 1 + Int(below(4)))
        case 97: return .erase(Agreement.owner(1 + below(2)))
        case 95..<98:
            let group = Counter.Group(idiom: .pad, bundleVersion: below(2) == 0 ? nil : "2.\(below(2))")
            let counter = Counter(
                hour: now.hour, app: below(2) == 0 ? nil : Agreement.owner().app, name: "n", label: "\(below(2))",
                group: below(2) == 0 ? nil : group)
            return .count([counter: Int(below(5))])
        default: return .prune(now)
        }
    }

    private mutating func archive(at now: Timestamp) -> NewArchive {
        revision += 1
        let content = below(3)
        return NewArchive(
            id: archiveID(), scene: scene(), device: device(), capturedAt: Agreement.at(time - Int64(below(90_000))),
            receivedAt: now, sequence: below(3) == 0 ? nil : Int64(below(30)),
            restoredFrom: below(6) == 0 ? Revision(rawValue: Int64(below(UInt64(revision)))) : nil,
            precondition: below(8) == 0 ? .revision(Revision(rawValue: Int64(below(UInt64(revision))))) : nil,
            context: context(), digest: Digest(0, 0, 0, content),
            summary: Archive.Summary(place: below(2) == 0 ? [] : ["é", ""], objectCount: Int(content)),
            bytes: [UInt8](repeating: UInt8(content), count: 8000 + Int(content) * 200))
    }

    private mutating func outcome(at now: Timestamp) -> Outcome {
        let results = Outcome.Result.allCases
        return Outcome(
            archive: archiveID(), device: device(), result: results[Int(below(UInt64(results.count)))],
            context: context(), reportedAt: now)
    }

    private mutating func context() -> Context {
        Context(
            idiom: below(3) == 0 ? .pad : .phone, layout: below(2) == 0 ? .regular : nil,
            bundleVersion: below(4) == 0 ? nil : "\(below(2))")
    }

    private mutating func archiveID() -> ArchiveID { ArchiveID(high: 0, low: below(24)) }
    private mutating func device() -> DeviceID { DeviceID(high: 0, low: 1 + below(min(devices, 6))) }
    private mutating func code() -> Digest { Digest(2, 0, 0, 1 + below(codes + 1)) }
    private mutating func scene() -> SceneKey {
        SceneKey(owner: Agreement.owner(1 + below(2)), name: below(2) == 0 ? "main" : "editor")
    }
    private mutating func below(_ bound: UInt64) -> UInt64 { generator.next() % max(bound, 1) }
}

extension RandomIntents.Intent {
    /// Performs the intent, and returns the result as a string.
    @discardableResult
    package func carryOut(in store: some Store) async throws -> String {
        switch self {
        case .put(let new, let retention): "\(try await store.put(new, retention: retention).value)"
        case .delete(let id, let scene, let time): "\(try await store.delete(id, in: scene, at: time).value)"
        case .forget(let scene, let time):
            try await orUserGone { "\(try await store.forget(scene, at: time))" }
        case .snapshot(let snapshot, let id, let scene):
            "\(try await store.putSnapshot(snapshot, for: id, in: scene).value)"
        case .served(let id, let scene, let device, let time):
            "\(try await store.noteServed(id, in: scene, to: device, at: time))"
        case .report(let outcome, let scene): "\(try await store.report(outcome, in: scene).value)"
        case .register(let device, let token, let code):
            "\(String(describing: try await store.register(device, token: token, linkCode: code).value))"
        case .revoke(let device, let owner, let time): "\(try await store.revoke(device, of: owner, at: time).value)"
        case .seen(let times): "\(try await store.noteSeen(times))"
        case .code(let code): try await orUserGone { "\(try await store.create(code))" }
        case .erase(let owner): "\(try await store.erase(owner).value)"
        case .move(let device, let owner, let code, let time, let retention):
            String(
                describing: try await store.move(device, of: owner, linkCode: code, at: time, retention: retention)
                    .value)
        case .count(let counts): "\(try await store.add(counts))"
        case .prune(let time): "\(try await store.prune(at: time))"
        }
    }

    /// Performs a write that is refused if its user does not exist.
    private func orUserGone(_ write: () async throws -> String) async throws -> String {
        do {
            return try await write()
        } catch let error as StoreError where error.code == .userGone {
            return error.message
        }
    }
}

private struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
