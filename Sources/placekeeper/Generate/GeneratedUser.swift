import PlacekeeperArchive
import PlacekeeperCore
import PlacekeeperMatching
import PlacekeeperService

/// A generated user with devices, scenes and archives.
struct GeneratedUser {
    /// The maximum number of archives of a user.
    static let maximumArchives = 400

    let owner: UserKey
    /// Nil for every fourth user, who is anonymous.
    let subject: Subject?
    let createdAt: Timestamp
    let seed: UInt64
    private(set) var devices: [Device] = []
    var records: [ExportRecord] = []
    private(set) var revision = Revision(rawValue: 0)
    /// What the service counts when devices do what the records say.
    private(set) var counts: [Counter: Int] = [:]

    private static let scenes = ["main", "editor"]
    private static let models: [(Idiom, String, String)] = [
        (.phone, "iPhone16,1", "Phone"), (.pad, "iPad14,3", "iPad"), (.mac, "Mac15,6", "MacBook"),
    ]
    private static let places = [
        ["Albums", "Lisbon", "Tram 28"], ["Albums", "Porto", "Ribeira"], ["Albums", "Kyoto"], ["Search", "Bridges"],
        ["Albums", "Tromsø", "Northern lights"], ["Favorites"], ["Settings", "Storage"], ["Albums", "Zürich", "Lake"],
    ]
    /// The data source that the archives' items belong to.
    static let dataSource = "albums"
    private static let versions = ["41", "42", "42", "43"]
    static let failedPaths = ["Tabs/Albums/Album/Grid", "Tabs/Albums/Photo", "Tabs/Settings"]
    /// Names that a page must display as text, and not interpret as markup.
    static let hostileNames = [
        "<img src=x onerror=alert(1)>", "\u{202E}gnp.exe", "</script><script>alert(1)</script>",
        String(repeating: "W", count: 200), "e" + String(repeating: "\u{301}", count: 200), "👩‍👩‍👧‍👦🏳️‍🌈",
        "{{constructor.constructor('alert(1)')()}}", "\"';--", "\u{202E}\u{2066}\u{2069}\u{200F}",
        "javascript:alert(1)",
    ]

    /// - Parameters:
    ///   - number: the number of the user in the fleet. Together with `seed`, it determines the content.
    ///   - count: the number of archives, at most `maximumArchives`.
    init(
        _ number: Int, of app: AppID, archives count: Int, seed: UInt64, isHostile: Bool, until now: Timestamp
    ) throws {
        // Each user has a separate seed, which isn't a later state of another user's generator.
        var seeds = SeededGenerator(seed: seed ^ UInt64(number) &* 0xD134_2543_DE82_EF95)
        self.seed = seeds.next()
        var random = SeededGenerator(seed: self.seed)
        let ids = SystemRandom()
        owner = UserKey(app: app, user: .random(ids))
        subject = number % 4 == 3 ? nil : Subject("user-\(number)")
        createdAt = now - .seconds(Int.random(in: 86_400...86_400 * 30, using: &random))
        let span = Int((now - createdAt).components.seconds)
        for (idiom, model, name) in Self.models.prefix(Int.random(in: 1...3, using: &random)) {
            let hostile = isHostile ? Self.hostileNames[(number / 10) % Self.hostileNames.count] : nil
            devices.append(
                Device(
                    id: .random(ids), owner: owner, idiom: idiom, model: model, name: hostile ?? "\(name) \(number)",
                    systemVersion: "18.1", createdAt: createdAt,
                    lastSeenAt: now - .seconds(Int.random(in: 0...span, using: &random))))
        }
        let times = (0..<count).map { _ in Self.time(within: span, of: now, &random) }.sorted()
        records = Self.scenes.map { .scene(name: $0, forgotten: nil) }
        for time in times {
            revision = Revision(rawValue: revision.rawValue + 1)
            guard let device = devices.randomElement(using: &random) else { continue }
            let scene = Self.scenes[Int.random(in: 0..<4, using: &random) == 0 ? 1 : 0]
            let place = Int.random(in: 0..<Self.places.count, using: &random)
            var titles = Self.places[place]
            if isHostile, let name = Self.hostileNames.randomElement(using: &random) { titles[titles.count - 1] = name }
            let context = Self.context(of: device, Self.versions, &random)
            let bytes = try Self.archive(titles, of: item(place, on: device), context, time).encoded()
            let isLate = Int.random(in: 0..<50, using: &random) == 0
            let archive = Archive(
                id: .random(ids), scene: SceneKey(owner: owner, name: scene), device: device.id, revision: revision,
                capturedAt: time, receivedAt: isLate ? min(now, time + .seconds(7200)) : time,
                sequence: revision.rawValue, context: context, digest: SystemHashing().sha256(bytes),
                size: bytes.count, summary: .init(place: titles, objectCount: 3, referenceCount: 1))
            self.count("upload", "stored", from: context, at: archive.receivedAt)
            records.append(.archive(ExportedArchive(archive: archive, bytes: bytes, screenshot: nil, outcomes: [])))
        }
        if number % 10 == 0 { registerItems(at: createdAt) }
    }

    /// Returns a time before `now`. There are more times in the evening than in the morning.
    private static func time(
        within span: Int, of now: Timestamp, _ random: inout SeededGenerator
    ) -> Timestamp {
        while true {
            let time = now - .seconds(Int.random(in: 0...span, using: &random))
            let load = 4 + Int(abs((time.hour + 4) % 24 - 12))
            if Int.random(in: 0..<16, using: &random) < load { return time }
        }
    }

    /// Returns the context of a device with one of the versions. Version 43 changes the interface's state.
    static func context(of device: Device, _ versions: [String], _ random: inout SeededGenerator) -> Context {
        let version = versions.randomElement(using: &random)
        return Context(
            idiom: device.idiom, layout: device.idiom == .phone ? .compact : .regular, bundleVersion: version,
            systemVersion: "18.1", stateVersion: version == "43" ? 2 : 1)
    }

    /// Counts an event as the service does (`HourlyCounters`).
    mutating func count(_ name: String, _ label: String, from context: Context, at time: Timestamp) {
        let group = Counter.Group(idiom: context.idiom, bundleVersion: context.bundleVersion)
        counts[Counter(hour: time.hour, app: owner.app, name: name, label: label, group: group), default: 0] += 1
    }

    /// Returns the item of a place under its identifier on a device. Its alias is the same on every device.
    private func item(_ place: Int, on device: Device) -> Item {
        Item(
            "x-coredata://\(device.idiom.name)/Album/p\(place + 1)", aliases: ["server:album/\(place + 1)"],
            position: Int64(place))
    }

    /// Registers the items of each device.
    private mutating func registerItems(at time: Timestamp) {
        for device in devices {
            records.append(
                .registration(
                    ExportedRegistration(
                        dataSource: Self.dataSource, device: device.id, cursor: 1, digest: ItemDigest())))
            for place in Self.places.indices {
                records.append(
                    .item(
                        ExportedItem(
                            dataSource: Self.dataSource, device: device.id, item: item(place, on: device),
                            changedAt: time, removedAt: nil, replacedBy: nil)))
            }
        }
    }

    /// Returns what the service gets about a restore: that it began, and how it ended. The next launch proves a crash,
    /// so it has no details.
    static func reports(
        of archive: Archive, by device: DeviceID, in context: Context, _ end: Outcome.Result,
        _ random: inout SeededGenerator, at time: Timestamp
    ) -> [Outcome] {
        let begun = Outcome(
            archive: archive.id, device: device, result: .began, context: context, launch: LaunchID("generated"),
            reportedAt: time)
        guard end != .crashed else { return [begun, begun.crash(at: time)] }
        var ended = begun
        ended.result = end
        ended.details = Outcome.Details(
            path: end == .failed ? failedPaths.randomElement(using: &random) : nil,
            duration: end == .abandoned ? nil : .milliseconds(Int.random(in: 20...400, using: &random)))
        return [begun, ended]
    }

    private static func archive(
        _ titles: [String], of item: Item, _ context: Context, _ time: Timestamp
    ) -> StateArchive {
        StateArchive(
            bundleVersion: context.bundleVersion, idiom: Int64(context.idiom.rawValue),
            timestamp: time.referenceSeconds,
            systemVersion: context.systemVersion, stateVersion: context.stateVersion,
            layout: context.layout == .compact ? .compact : .regular,
            objects: [
                RestorableObject(
                    path: "Tabs", kind: .viewController, className: "UITabBarController",
                    state: ["selected": .object(path: "Tabs/Albums")]),
                RestorableObject(
                    path: "Tabs/Albums", kind: .viewController, className: "UINavigationController",
                    state: ["children": .array([.object(path: "Tabs/Albums/Album")])]),
                RestorableObject(
                    path: "Tabs/Albums/Album", kind: .viewController, className: "AlbumViewController",
                    state: ["album": .reference(0), "title": .string(titles.last ?? ""), "offset": .real(128.5)]),
            ],
            references: [
                ModelReference(
                    dataSource: dataSource, element: .init(item.identifier, aliases: item.aliases), role: .selected)
            ],
            place: Place(titles.map { .init(screen: "screen", title: $0) }))
    }
}

/// A small pseudo-random number generator (SplitMix64) that repeats its numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
