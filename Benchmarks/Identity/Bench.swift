import FoundationEssentials
import Glibc
import PlacekeeperCore
import PlacekeeperCryptography
import PlacekeeperMatching
import PlacekeeperSQLite
import PlacekeeperService

/// A service with a database, and the operations that the benchmark measures.
struct Bench {
    let store: SQLiteStore
    let service: RestorationService
    private let directory: String
    private let app: App

    init(directory: String) async throws {
        self.directory = directory
        var app = App(
            id: AppID(high: 1, low: 1), bundleIdentifier: "com.example.photos", publishableKey: "pk_bench",
            createdAt: Timestamp(milliseconds: 0), dataSources: ["photos": DataSource(scope: .registered)])
        // The users have no account, and a million items are larger than the quota of such a user.
        app.settings.quotas = .none
        self.app = app
        store = try SQLiteStore(directory: directory, compression: Uncompressed())
        service = RestorationService(
            store: store, clock: WallClock(), random: SystemBytes(), hashing: LibcryptoHashing(),
            lookup: KeyedLookup(secret: try await store.lookupSecret()))
    }

    func join(user: UInt64, devices: Int) async throws -> [Principal] {
        let owner = UserKey(app: app.id, user: UserID(high: 7, low: user))
        let now = service.clock.now()
        var principals: [Principal] = []
        for number in 0..<devices {
            let device = Device(
                id: DeviceID.random(service.random), owner: owner, idiom: .phone, createdAt: now, lastSeenAt: now)
            _ = try await store.register(NewDevice(device, token: Digest(user, UInt64(number), 1, 2)))
            principals.append(Principal(app: app, device: device))
        }
        return principals
    }

    /// Returns an item with one alias. The item's identifier has the form of Core Data's identifiers.
    private func item(_ number: Int, on device: Int) -> Item {
        Item(
            "x-coredata://0A1B2C3D-0000-4000-8000-0000000000\(10 + device)/Photo/p\(number * 7 + device)",
            aliases: ["srv-\(number)"], position: Int64(number))
    }

    /// Registers `count` items in deltas of 10,000. Returns the time of the deltas, and the number of bytes of the
    /// items' texts.
    @discardableResult
    func load(_ count: Int, _ device: Int, _ principal: Principal) async throws -> (time: Duration, bytes: Int) {
        var bytes = 0
        var time = Duration.zero
        for start in stride(from: 0, to: count, by: Limits.deltaItems) {
            let items = (start..<min(start + Limits.deltaItems, count)).map { item($0, on: device) }
            bytes += items.reduce(0) { $0 + $1.identifier.utf8.count + $1.aliases[0].utf8.count }
            time += try await ContinuousClock().measure {
                _ = try await service.lists.apply(ItemDelta(upserts: items), to: "photos", for: principal)
            }
        }
        return (time, bytes)
    }

    /// Applies five deltas and returns the median time. Half of a delta's items are new, and half have a changed
    /// alias.
    func delta(_ half: Int, of count: Int, _ principal: Principal) async throws -> Duration {
        var times: [Duration] = []
        for round in 0..<5 {
            var items: [Item] = []
            for _ in 0..<half {
                let known = Int.random(in: 0..<count)
                items.append(item(known, on: 0))
                items[items.count - 1].aliases = ["changed-\(round)-\(known)"]
            }
            items = Array(Dictionary(items.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first }).values)
            let first = count + round * half * 2
            items += (first..<first + half * 2 - items.count).map { item($0, on: 0) }
            let delta = ItemDelta(upserts: items)
            times.append(
                try await ContinuousClock().measure {
                    _ = try await service.lists.apply(delta, to: "photos", for: principal)
                })
        }
        return times.sorted()[2]
    }

    /// Resolves a thousand random items of the first device for the last device, fifty times.
    func resolve(_ count: Int, _ principals: [Principal]) async throws -> (median: Duration, worst: Duration) {
        var times: [Duration] = []
        let last = principals.count - 1
        for _ in 0..<50 {
            let identifiers = (0..<1000).map { _ in item(Int.random(in: 0..<count), on: 0).identifier }
            let start = processorTime()
            let found = try await service.lists.resolve(
                identifiers, of: principals[0].device.id, in: "photos", for: principals[last])
            times.append(processorTime() - start)
            precondition(found.allSatisfy { $0.step == .alias })
        }
        times.sort()
        return (times[25], times[49])
    }

    /// Resolves a thousand items for a device that has registered no items yet.
    func resolvePending(_ count: Int, _ principals: [Principal]) async throws -> Duration {
        let owner = principals[0].owner
        let new = Principal(
            app: app,
            device: Device(
                id: DeviceID.random(service.random), owner: owner, idiom: .phone, createdAt: service.clock.now(),
                lastSeenAt: service.clock.now()))
        let identifiers = (0..<1000).map { item($0 * 13 % count, on: 1).identifier }
        let start = processorTime()
        let found = try await service.lists.resolve(identifiers, of: principals[1].device.id, in: "photos", for: new)
        precondition(found.allSatisfy { $0.step == .pending })
        return processorTime() - start
    }

    /// Returns the processor time of this thread. Each measured read runs entirely on this thread, so this time
    /// excludes other work, such as copying the write-ahead log.
    private func processorTime() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    /// Returns the size of the database's used pages, in bytes.
    func storage() async throws -> Int { try await store.usedBytes() }
}

struct LibcryptoHashing: Hashing {
    func sha256(_ bytes: UnsafeRawBufferPointer) -> Digest {
        let words = SHA256.words(of: bytes)
        return Digest(words.0, words.1, words.2, words.3)
    }
}

struct KeyedLookup: LookupHashing {
    let secret: [UInt8]
    func keys(of texts: [LookupText], for owner: UserKey) -> [LookupKey] {
        let hash = HMAC.Keyed(key: HMAC.sha256(Array("\(owner.app)/\(owner.user)".utf8), key: secret))
        return texts.map { text in
            LookupKey(rawValue: Int64(bitPattern: text.withBytes { hash.firstWord(of: $0) }))
        }
    }
}

struct SystemBytes: RandomSource {
    func bytes(_ count: Int) -> [UInt8] { Random.bytes(count) }
}

struct WallClock: Clock {
    func now() -> Timestamp { Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
    func uptime() -> Duration { .seconds(Date().timeIntervalSince1970) }
}

struct Uncompressed: BlobCompression {
    func compress(_ bytes: [UInt8]) -> [UInt8]? { nil }
    func decompress(_ bytes: [UInt8], count: Int) throws -> [UInt8] { bytes }
}
