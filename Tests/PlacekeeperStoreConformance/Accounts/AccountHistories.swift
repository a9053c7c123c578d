import PlacekeeperArchive
import PlacekeeperConcurrency
import PlacekeeperCore
package import PlacekeeperService
import PlacekeeperTestSupport

/// Plays random histories of sign-ins, sign-outs, link codes, revocations, erasures and uploads of several devices. Some
/// answers are lost, and the client asks again. After each step, everything that is stored and everything that each
/// device can read is compared with an oracle.
package struct AccountHistories: Sendable {
    private let store: any Store

    package init(on store: any Store) { self.store = store }

    /// Returns a complaint with its seed and its history for each history that breaks a promise.
    package func complaints(seeds: Range<UInt64>) async throws -> [String] {
        try await withThrowingTaskGroup(of: String?.self) { group in
            var complaints: [String] = []
            var next = seeds.lowerBound
            // Several histories at a time, so that a store can group their commits.
            for seed in seeds.prefix(16) {
                group.addTask { try await complaint(seed: seed) }
                next = seed + 1
            }
            while let complaint = try await group.next() {
                if let complaint { complaints.append(complaint) }
                if next < seeds.upperBound {
                    let seed = next
                    group.addTask { try await self.complaint(seed: seed) }
                    next += 1
                }
            }
            return complaints
        }
    }

    private func complaint(seed: UInt64) async throws -> String? {
        var history = try await AccountHistory(seed: seed, on: store)
        for _ in 0..<40 {
            if let complaint = try await history.step() {
                return "seed \(seed): \(complaint)\n  " + history.steps.joined(separator: "\n  ")
            }
        }
        return nil
    }
}

/// A device as its client sees it.
struct AccountClient {
    /// The client's number, which is also the number of its installation.
    var number: Int
    /// Whether the client tells its installation when it registers.
    var hasInstallation: Bool
    var token: String?
    /// The call whose answer was lost. The client makes this call again.
    var pending: AccountHistory.Call?

    /// The name of the device. It tells the installation.
    var name: String { "client \(number)" }
}

/// A random history.
struct AccountHistory {
    enum Call: Sendable {
        case register(AccountOracle.Joins)
        case signIn(String)
        case signOut(registersAnew: Bool)
        case makeCode
        case link(String)
        case revoke(DeviceID)
        case erase
        case upload(ArchiveID)
        case delete(ArchiveID)
        case replaceToken(revokesPrevious: Bool)
    }

    /// An archive that a client made.
    struct Made {
        var scene: String
        var bytes: [UInt8]
        /// The subject of the user that stored the archive, or that took it over later. It never changes again.
        var subject: String?
        /// Whether the client learned that the archive is stored.
        var isAcknowledged = false
    }

    var random: SeededNumbers
    let service: RestorationService
    let store: any Store
    let app: App
    let clock = ManualClock()
    var oracle = AccountOracle()
    var clients: [AccountClient]
    var made: [ArchiveID: Made] = [:]
    var codes: [String] = []
    /// All tokens that the service ever gave.
    var tokens: [String] = []
    /// What happened, for people.
    var steps: [String] = []
    static let subjects = ["anna", "ben", "cleo"]

    init(seed: UInt64, on store: any Store) async throws {
        // The numbers of consecutive seeds overlap, so the first number of a seed is the seed of the history.
        var seeds = SeededNumbers(seed: seed)
        random = SeededNumbers(seed: seeds.next())
        self.store = store
        service = RestorationService(
            store: store, clock: clock, random: SeededBytes(seeds.next()), hashing: SpreadingHash(),
            signIn: SpokenSubjects())
        let created = try await service.apps.createApp("com.example.accounts\(seed)")
        var settings = created.settings
        // Nothing is pruned.
        settings.retainedArchives = 1000
        try await service.apps.replaceSettings(of: created.id, with: settings)
        app = created
        clients = []
        for number in 0..<(2 + random.below(4)) {
            clients.append(AccountClient(number: number, hasInstallation: random.below(5) > 0))
        }
    }

    /// Makes a step of a random client. Returns a complaint if a promise is broken.
    mutating func step() async throws -> String? {
        clock.advance(random.below(12) == 0 ? .seconds(61 + random.below(600)) : .milliseconds(1 + random.below(9000)))
        let index = random.below(clients.count)
        if random.below(15) == 0, let complaint = await clone(index) { return complaint }
        let call: Call
        if let pending = clients[index].pending, random.below(4) > 0 {
            call = pending
        } else {
            call = nextCall(of: index)
        }
        let isLost = random.below(4) == 0
        steps.append("\(clients[index].number)\(isLost ? ", no answer" : ""): \(call)")
        clients[index].pending = isLost ? call : nil
        if let complaint = try await perform(call, of: index, isLost: isLost) { return complaint }
        return try await broken()
    }

    mutating func nextCall(of index: Int) -> Call {
        let client = clients[index]
        let subject = Self.subjects[random.below(Self.subjects.count)]
        guard client.token != nil else {
            switch random.below(4) {
            case 0: return .register(.account(subject))
            case 1: return .register(codes.isEmpty ? .newUser : .code(codes[random.below(codes.count)]))
            default: return .register(.newUser)
            }
        }
        switch random.below(20) {
        case 0..<7: return .upload(newArchive(of: client))
        case 7, 8: return .signIn(subject)
        case 9: return .signOut(registersAnew: random.below(2) == 0)
        case 10, 11: return .makeCode
        // People use the newest codes.
        case 12, 13, 14:
            return codes.isEmpty ? .makeCode : .link(codes[codes.count - 1 - random.below(min(3, codes.count))])
        case 15:
            // Mostly a device of the same user.
            let devices = oracle.devices.keys.sorted()
            let own = client.token.flatMap { oracle.device(of: $0, at: clock.now()) }.map(oracle.neighbors(of:)) ?? []
            let choice = random.below(4) > 0 && !own.isEmpty ? own : devices
            return choice.isEmpty ? .makeCode : .revoke(choice[random.below(choice.count)])
        case 16: return random.below(3) == 0 ? .erase : .makeCode
        case 17: return .replaceToken(revokesPrevious: random.below(2) == 0)
        case 18:
            // The app was installed again, or asks again for the device's user.
            return .register(random.below(2) == 0 ? .newUser : .account(subject))
        default:
            let archives = made.keys.sorted()
            return archives.isEmpty ? .makeCode : .delete(archives[random.below(archives.count)])
        }
    }

    private mutating func newArchive(of client: AccountClient) -> ArchiveID {
        let id = ArchiveID(high: 0xA, low: UInt64(made.count + 1))
        let archive = StateArchive(
            bundleVersion: "42", idiom: 0, application: ["number": .integer(Int64(made.count))],
            place: Place([.init(screen: "Albums", title: "Client \(client.number)")]))
        made[id] = Made(scene: random.below(3) == 0 ? "notes" : "main", bytes: (try? archive.encoded()) ?? [])
        return id
    }
}

/// Bytes of a generator. The same seed gives the same bytes.
final class SeededBytes: RandomSource {
    private let numbers: LockBox<SeededNumbers>
    init(_ seed: UInt64) { numbers = LockBox(SeededNumbers(seed: seed)) }
    func bytes(_ count: Int) -> [UInt8] {
        numbers.withLock { numbers in (0..<count).map { _ in UInt8(truncatingIfNeeded: numbers.next() >> 24) } }
    }
}
