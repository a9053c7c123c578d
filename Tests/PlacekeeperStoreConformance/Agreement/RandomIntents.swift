package import PlacekeeperCore
package import PlacekeeperMatching
package import PlacekeeperService
import PlacekeeperTestSupport

/// Random intents from a seed. They use few users, scenes, devices and archives, so that they affect each other
/// often.
package struct RandomIntents {
    private var generator: SplitMix
    private var time: Int64 = 0
    private var codes: UInt64 = 0
    private var devices: UInt64 = 3
    private var tokens: UInt64 = 0
    private var accounts: UInt64 = 0
    /// The last revision that an intent may refer to.
    private var revision: Int64 = 0

    package init(seed: UInt64) { generator = SplitMix(state: seed) }

    package enum Intent: Sendable {
        case put(NewArchive, retention: Int)
        case delete(ArchiveID, SceneKey, Timestamp, isUndoable: Bool)
        case undelete(ArchiveID, SceneKey, Timestamp)
        case forget(SceneKey, Timestamp)
        case screenshot(Screenshot, ArchiveID, SceneKey)
        case served(ArchiveID, SceneKey, DeviceID, Timestamp)
        case report(Outcome, SceneKey)
        case register(NewDevice)
        case describe(Device)
        case begin(CountedLaunch, DeviceID, UserKey)
        case token(DeviceID, UserKey, NewToken, Timestamp)
        case signIn(DeviceID, UserKey, Account, Timestamp, retention: Int)
        case signOut(DeviceID, UserKey, NewDevice?, Timestamp)
        case link(Link, ItemList)
        case unlink(Link, ItemList)
        case delta(PreparedDelta, ItemList, DeviceID)
        /// Exports a user, erases it and imports it again.
        case importAgain(UserKey, Timestamp)
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
        case 52..<56: return .delete(archiveID(), scene(), now, isUndoable: below(2) == 0)
        case 56..<58: return .undelete(archiveID(), scene(), now)
        case 58..<60: return .forget(scene(), Agreement.at(time - Int64(below(50_000))))
        case 60..<63: return .screenshot(Screenshot(format: .png, bytes: [UInt8(below(4))]), archiveID(), scene())
        case 63..<70: return .served(archiveID(), scene(), device(), now)
        case 70..<82: return .report(outcome(at: now), scene())
        case 82..<85: return .register(newDevice(at: now))
        case 85..<86: return access(at: now)
        case 86..<88: return .seen([owner(): [device(): below(2) == 0 ? now : Agreement.at(time - 1000)]])
        case 88..<91:
            codes += 1
            let code = LinkCode(
                digest: Digest(2, 0, 0, codes), owner: owner(), expiresAt: Agreement.at(time + 600_000),
                maker: below(2) == 0 ? device() : nil)
            return .code(code)
        case 91..<93: return .move(device(), owner(), code(), now, retention: 1 + Int(below(4)))
        case 93..<95: return items(at: now)
        case 97: return below(3) == 0 ? .importAgain(owner(), now) : .erase(owner())
        case 95..<98:
            let group = Counter.Group(idiom: .pad, bundleVersion: below(2) == 0 ? nil : "2.\(below(2))")
            let counter = Counter(
                hour: now.hour, app: below(2) == 0 ? nil : Agreement.owner().app, name: "n", label: "\(below(2))",
                group: below(2) == 0 ? nil : group)
            return .count([counter: Int(below(5))])
        default: return .prune(now)
        }
    }

    private mutating func access(at now: Timestamp) -> Intent {
        switch below(8) {
        case 7: return launch().map { .begin($0, device(), owner()) } ?? .prune(now)
        case 0: return .revoke(device(), owner(), now)
        case 1:
            return .describe(
                Device(id: device(), owner: owner(), idiom: .mac, name: "\(time)", createdAt: now, lastSeenAt: now))
        case 2:
            tokens += 1
            let token = NewToken(
                digest: Digest(1, 1, 0, tokens), access: below(3) == 0 ? .readOnly : .full,
                presented: below(2) == 0 ? Digest(1, 1, 0, 1 + below(tokens)) : nil, revokesPrevious: below(4) == 0)
            return .token(device(), owner(), token, now)
        case 3..<6: return .signIn(device(), owner(), account(), now, retention: 1 + Int(below(4)))
        default:
            var replacement: NewDevice?
            if below(2) == 0 {
                replacement = newDevice(at: now)
                replacement?.joins = .newUser
            }
            return .signOut(device(), owner(), replacement, now)
        }
    }

    private mutating func newDevice(at now: Timestamp) -> NewDevice {
        devices += 1
        let device = Device(
            id: DeviceID(high: 0, low: devices), owner: Agreement.owner(1 + below(2)), idiom: .pad, createdAt: now,
            lastSeenAt: now, launch: below(2) == 0 ? launch() : nil)
        var new = NewDevice(device, token: Digest(1, 0, 0, devices), retention: 1 + Int(below(4)))
        switch below(5) {
        case 0: new.joins = .linkCode(code())
        case 1: new.joins = .account(account())
        case 2: new.joins = .copy(of: installation())
        default: break
        }
        if below(2) == 0 { new.installation = installation() }
        return new
    }

    private mutating func installation() -> Installation {
        Installation(id: InstallationID(high: 0, low: below(4)), secret: Digest(5, 0, 0, below(8) == 0 ? 1 : 0))
    }

    private mutating func launch() -> CountedLaunch? {
        LaunchID("\(below(2))").map { CountedLaunch(number: 1 + Int64(below(4)), id: $0) }
    }

    private mutating func account() -> Account {
        accounts += 1
        return Account(digest: Digest(3, 0, 0, below(2)), newUser: UserID(high: 0, low: 100 + accounts)) { owner in
            [UInt8(truncatingIfNeeded: owner.user.low)]
        }
    }

    private mutating func items(at now: Timestamp) -> Intent {
        let list = ItemList(owner: owner(), dataSource: "photos")
        let (one, other) = (end(), end())
        let link = Link(one, other, below(2) == 0 ? .same : .different, note: "\(time)", at: now)
        switch below(4) {
        case 0: return .link(link, list)
        case 1: return .unlink(link, list)
        default:
            let items = (0..<1 + below(3)).map { _ in
                (key: Int64(below(6)), aliases: [Int64(below(3))], position: nil as Int64?)
            }
            var seen: Set<Int64> = []
            let delta = StoreBehavior.delta(items.filter { seen.insert($0.key).inserted }, at: Double(time) / 1000)
            return .delta(delta, list, device())
        }
    }

    private mutating func end() -> Link.End {
        Link.End(device: device(), key: LookupKey(rawValue: Int64(below(4))), texts: [1])
    }

    private mutating func archive(at now: Timestamp) -> NewArchive {
        revision += 1
        let content = below(3)
        return NewArchive(
            id: archiveID(), scene: scene(), device: device(), capturedAt: Agreement.at(time - Int64(below(90_000))),
            // Sometimes the clock of an instance is ahead.
            receivedAt: below(20) == 0 ? now + .seconds(300) : now, sequence: below(3) == 0 ? nil : Int64(below(30)),
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
        SceneKey(owner: owner(), name: below(2) == 0 ? "main" : "editor")
    }
    private mutating func owner() -> UserKey {
        Agreement.owner(below(3) == 0 && accounts > 0 ? 101 + below(accounts) : 1 + below(2))
    }
    private mutating func below(_ bound: UInt64) -> UInt64 { generator.next() % max(bound, 1) }
}

extension RandomIntents.Intent {
    /// Performs the intent, and returns the result as a string.
    @discardableResult
    package func carryOut(in store: some Store) async throws -> String {
        switch self {
        case .put(let new, let retention): "\(try await store.put(new, retention: retention).value)"
        case .delete(let id, let scene, let time, let isUndoable):
            "\(try await store.delete(id, in: scene, at: time, isUndoable: isUndoable).value)"
        case .undelete(let id, let scene, let time):
            "\(try await store.undelete(id, in: scene, at: time, quotas: .none).value)"
        case .forget(let scene, let time):
            try await orUserGone { "\(try await store.forget(scene, at: time))" }
        case .screenshot(let screenshot, let id, let scene):
            "\(try await store.putScreenshot(screenshot, for: id, in: scene).value)"
        case .served(let id, let scene, let device, let time):
            "\(try await store.recordServing(id, in: scene, to: device, at: time))"
        case .report(let outcome, let scene): "\(try await store.report(outcome, in: scene).value)"
        case .register(let new): "\(try await store.register(new).value)"
        case .describe(let device): "\(try await store.describe(device).value)"
        case .begin(let launch, let device, let owner):
            "\(try await store.begin(launch, of: device, of: owner).value)"
        case .token(let device, let owner, let token, let time):
            "\(try await store.replaceToken(of: device, of: owner, by: token, at: time).value)"
        case .signIn(let device, let owner, let account, let time, let retention):
            "\(try await store.signIn(device, of: owner, to: account, at: time, retention: retention).value)"
        case .signOut(let device, let owner, let replacement, let time):
            "\(try await store.signOut(device, of: owner, replacement: replacement, at: time).value)"
        case .link(let link, let list): try await orUserGone { "\(try await store.decide(link, in: list).value)" }
        case .unlink(let link, let list): "\(try await store.removeDecision(link.first, link.second, in: list).value)"
        case .delta(let delta, let list, let device):
            "\(try await store.apply(delta, to: list, of: device, limit: 5).value)"
        case .importAgain(let owner, let time): try await importAgain(owner, at: time, in: store)
        case .revoke(let device, let owner, let time): "\(try await store.revoke(device, of: owner, at: time).value)"
        case .seen(let times): "\(try await store.recordSeen(times))"
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

    private func importAgain(_ owner: UserKey, at time: Timestamp, in store: some Store) async throws -> String {
        guard try await store.facts(of: owner) != nil else { return "no user" }
        // A store may keep imported changes longer than others: SQLite drops changes in the order in which they came.
        let records = try await StoreBehavior.records(of: owner, in: store).filter { record in
            if case .change = record { false } else { true }
        }
        let devices = try await store.devices(of: owner)
        let latest = try await store.changes(of: owner, after: Revision(rawValue: 0), limit: 1).latest
        let user = ImportedUser(
            owner: owner, createdAt: time, revision: latest, prunedThrough: Revision(rawValue: latest.rawValue / 2))
        let parts = [
            "\(try await store.erase(owner).value)", "\(try await store.begin(user).value)",
            "\(try await store.add(records, to: owner).value)",
            "\(try await store.end(importOf: owner, devices: devices, account: nil).value)",
        ]
        return parts.joined(separator: " ")
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
