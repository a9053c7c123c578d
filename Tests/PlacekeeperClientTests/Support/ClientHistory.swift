import Foundation
import PlacekeeperArchive
import PlacekeeperTesting
import PlacekeeperRuntime

@testable import PlacekeeperClient

/// A random history of several devices: people save, view-only capture, launch, sign in and out, link, revoke and erase, with several
/// calls at the same time, while answers are lost, processes are killed, and devices are locked and offline. Over sockets, the service is also restarted. At
/// the end, the network works again.
struct ClientHistory {
    private(set) var service: TestService
    /// The service over sockets. Nil if the devices send their requests to the service in memory.
    private let host: RestartableService?
    private(set) var devices: [SimulatedDevice] = []
    private var random: SeededRandom
    private var epochs: [Int] = []
    private var saves: [Save] = []
    private var discarded: Set<String> = []
    /// The states that a device saved for the person before.
    private var refused: Set<String> = []
    private var count = 0
    /// The account of each device's token, when the service last knew the token.
    private var accounts: [Int: (token: String, account: String?)] = [:]
    var faults: [String] = []
    /// The actions, for the search of a fault.
    private(set) var log: [String] = []
    /// The people who sign in.
    private static let names = ["anna", "ben"]

    init(seed: UInt64, over host: RestartableService? = nil) async throws {
        self.host = host
        if let host { service = host.service } else { service = try await TestService() }
        random = SeededRandom(seed: seed)
        let count = 2 + random.below(4)
        for index in 0..<count {
            devices.append(SimulatedDevice(service, .phone, seed: random.next() ^ UInt64(index), over: host))
        }
        epochs = Array(repeating: 0, count: count)
    }

    mutating func run(actions: Int) async {
        for number in 0..<actions {
            service.clock.advance(by: 1 + Double(random.below(40)))
            await act(number, random.below(devices.count))
        }
        await end()
    }

    /// Stops the service.
    func close() async { await host?.close() }

    private mutating func act(_ number: Int, _ index: Int) async {
        let device = devices[index]
        if device.files.isKilled { device.restart() }
        recordRegistration(index)
        let action = random.below(host == nil ? 35 : 37)
        defer {
            let names = device.files.paths.filter { $0.contains("/scenes/") }.map { $0.suffix(60) }
            let state = "part \(epochs[index]) of \(device.registration?.device.prefix(4) ?? "-") \(names)"
            log.append("\(number): device \(index), action \(action), \(state)")
        }
        switch action {
        case 0..<8: await save(number, index, .now)
        case 8: await save(number, index, .viewing)
        case 9..<13: await launch(index)
        case 13..<16: await device.flush()
        case 16: device.network.failNext(.lostAnswer)
        case 17: device.network.failNext(.lostRequest, .lostAnswer)
        case 18: device.network.failNext([.status(503), .captivePortal, .status(401)][random.below(3)])
        case 19: device.network.fault = device.network.fault == nil ? .offline : nil
        case 20, 21: device.files.changesUntilKill = random.below(6)
        case 22: device.restart()
        case 23: device.clock.boot()
        case 24: device.clock.setWall(wrongBy: Double(random.below(200_000)) - 100_000)
        case 25: await link(index)
        case 26: await signIn(index)
        case 27: await signOut(index)
        case 28: await revoke(by: index)
        case 29:
            device.files.fault = .locked
            await save(number, index, .now)
            device.files.fault = nil
        case 30: _ = await device.launch()
        case 31: await erase(index)
        case 32, 33: await overlap(number, index)
        case 34: copy(index)
        default: await restartService(number, index)
        }
        await device.settle()
        recordRegistration(index)
    }

    private mutating func save(_ number: Int, _ index: Int, _ interaction: Placekeeper.Interaction) async {
        let device = devices[index]
        recordRegistration(index)
        let account = await account(of: index)
        count += 1
        let text = "\(number).\(count) of \(index)"
        let isPresent = device.core.isPresent(nil, in: "main")
        device.save(text, interaction)
        if !isPresent { refused.insert(text) }
        let isCertain = isPresent && !device.files.isKilled && device.files.fault == nil && interaction == .now
        saves.append(
            Save(
                text: text, device: index, epoch: epochs[index], account: account, user: lastUsers[index],
                waits: device.core.credentials?.needsSignIn == true, isCertain: isCertain))
    }

    private mutating func launch(_ index: Int) async {
        let device = devices[index]
        let launch = await device.relaunch()
        recordRegistration(index)
        guard !device.files.isKilled else { return }
        if let restore = launch.restore {
            // If the newest state crashed the app, an earlier one is restored.
            let hasCrashed = device.files.paths.contains { $0.hasSuffix("/crashed") }
            let newest = saves.last { save in
                save.device == index && save.epoch == epochs[index] && save.isCertain
                    && (!save.waits || save.user == device.registration?.user)
            }
            if restore.isOwn, !hasCrashed, let newest {
                let later = saves.drop { $0 != newest }.filter { $0.device == index }.map(\.text)
                // The newest state of a copied device may be of the other device with its identity.
                if let text = restore.text, !later.contains(text), !copies.contains(index) {
                    faults.append("device \(index) launched with \(text) and has \(newest.text)")
                }
            }
            if random.below(4) > 0 { device.core.report(.restored, of: restore, at: device.clock.now()) }
        }
        if let offer = launch.offer, random.below(3) == 0 {
            if let served = await device.result(of: .take(offer.place, device.context)).served, random.below(4) > 0 {
                device.core.report(.restored, of: served, at: device.clock.now())
            }
        }
    }

    private mutating func link(_ index: Int) async {
        let other = devices[(index + 1) % devices.count]
        guard !other.files.isKilled else { return }
        _ = await devices[index].link(to: other)
    }

    private mutating func signIn(_ index: Int) async {
        let name = Self.names[random.below(2)]
        _ = await devices[index].result(of: .signIn(token: "subject \(name)"))
    }

    /// Returns the account of a device. A token that the service ended belongs to the account of before.
    private mutating func account(of index: Int) async -> String? {
        guard let token = devices[index].registration?.token else { return nil }
        let account = await service.account(ofDeviceWith: token)
        if account == nil, let before = accounts[index], before.token == token { return before.account }
        accounts[index] = (token, account)
        return account
    }

    /// Adds a device with a copy of the files of a device. Both are in use.
    private mutating func copy(_ index: Int) {
        guard devices.count < 6 else { return }
        devices.append(
            SimulatedDevice(service, .phone, seed: random.next(), over: host, files: devices[index].files.copy()))
        epochs.append(0)
        copies.formUnion([index, devices.count - 1])
    }

    /// The devices that have the same identity as a device.
    private func holders(_ index: Int) -> [Int] {
        devices.indices.filter { $0 == index || (known[$0] != nil && known[$0]?.device == known[index]?.device) }
    }

    private mutating func signOut(_ index: Int) async {
        mayEnd.formUnion(holders(index))
        let treatment: Placekeeper.UnsentStates = [.keep, .discard, .send(within: .seconds(5))][random.below(3)]
        let texts = saves.filter { $0.device == index && $0.epoch == epochs[index] }.map(\.text)
        let result = await devices[index].result(of: .signOut(treatment))
        // After a lost answer, the client may carry the sign-out out later.
        if treatment == .discard, result.isDone || devices[index].core.credentials?.unanswered != nil {
            discarded.formUnion(texts)
        }
    }

    private mutating func erase(_ index: Int) async {
        guard let user = await user(of: index) else { return }
        var others: [Int] = []
        for other in devices.indices {
            if await self.user(of: other) == user { others.append(other) }
        }
        let waiting = saves.filter { others.contains($0.device) && $0.epoch == epochs[$0.device] }.map(\.text)
        let texts = await waiting + storedTexts(devices[index].registration?.token ?? "")
        let result = await devices[index].result(of: .erase)
        // After a lost answer, the service possibly erased the user.
        guard result.isDone || devices[index].core.credentials?.unanswered != nil else { return }
        mayEnd.formUnion(others)
        discarded.formUnion(texts)
    }

    /// Returns the user of a device, as the service knows it: the device may have missed an answer.
    func user(of index: Int) async -> String? {
        guard let token = devices[index].registration?.token,
            let response = await ask("GET", "/v1/devices/self", token)
        else { return nil }
        let device = try? JSONDecoder().decode(Wire.Device.self, from: Data(response.body))
        return device?.user
    }

    /// Makes several calls before the answers to the first ones arrive, in any order. A caller possibly stops waiting.
    private mutating func overlap(_ number: Int, _ index: Int) async {
        let device = devices[index]
        for _ in 0..<6 {
            switch random.below(7) {
            case 0: await save(number, index, .now)
            case 1, 2:
                let callID = device.add(.launch(scene: "main", device.context))
                device.step()
                if random.below(2) == 0 { device.core.cancel(callID) }
            case 3:
                mayEnd.formUnion(holders(index))
                device.add(.signOut(.keep))
            case 4: device.add(.signIn(token: "subject " + Self.names[random.below(2)]))
            case 5: device.add(.flush)
            default: device.add(.makeLinkCode)
            }
            device.step()
            if random.below(2) == 0 { await device.answerNext() } else { await device.answerNewest() }
            recordRegistration(index)
        }
        await device.settle()
    }

    private mutating func revoke(by index: Int) async {
        guard let registration = devices[index].registration,
            let other = devices.indices.first(where: {
                $0 != index && devices[$0].registration?.user == registration.user
            }), let device = devices[other].registration?.device
        else { return }
        guard await ask("DELETE", "/v1/devices/\(device)", registration.token)?.status == 204 else { return }
        mayEnd.formUnion(holders(other))
    }

    /// Sends a request to the service in memory, with the token of a device and without faults.
    func ask(_ method: String, _ target: String, _ token: String) async -> TransportResponse? {
        let fields = [TransportRequest.Field("Authorization", "Bearer " + token)]
        return try? await service.answer(TransportRequest(method, target, fields: fields))
    }

    /// Begins a new part of a device's life if the device has another registration.
    private mutating func recordRegistration(_ index: Int) {
        guard devices[index].hasReadAccount else { return }
        let registration = devices[index].registration
        defer {
            if let registration { (known[index], lastUsers[index]) = (registration, registration.user) }
        }
        guard let before = known[index], before.device != registration?.device else { return }
        // A device whose identity is also another device's gets one of its own.
        if copies.contains(index), registration?.user == before.user { return }
        known[index] = nil
        epochs[index] += 1
        if mayEnd.remove(index) == nil, !copies.contains(index) {
            faults.append("device \(index) lost its registration without a reason")
        }
    }

    private var known: [Int: Credentials.Registration] = [:]
    /// The last known user of each device.
    private var lastUsers: [Int: String] = [:]
    /// The devices that were copied, and the copies.
    private var copies: Set<Int> = []
    /// The devices that were signed out or revoked, and did not learn it yet.
    private var mayEnd: Set<Int> = []

    // MARK: - Restarts

    /// Restarts the service. Possibly stops it in the middle of a request of the device.
    private mutating func restartService(_ number: Int, _ index: Int) async {
        guard let host else { return }
        if let stop = [nil, RestartableService.Stop.beforeWork, .afterWork][random.below(3)] {
            host.stopAtNextRequest(stop)
            await save(number, index, .now)
            devices[index].add(.flush)
            await devices[index].settle()
        }
        await host.stop()
        let before = await acknowledgedLists()
        do { try await host.start() } catch { faults.append("the service does not start again: \(error)") }
        service = host.service
        if await acknowledgedLists() != before { faults.append("the service has other archives after its restart") }
    }

    /// Returns the list of all archives for each device.
    private func acknowledgedLists() async -> [[UInt8]?] {
        var lists: [[UInt8]?] = []
        for device in devices {
            guard let token = device.registration?.token else { continue }
            lists.append(await ask("GET", "/v1/scenes/main/archives", token)?.body)
        }
        return lists
    }

    // MARK: - The end

    private mutating func end() async {
        for device in devices {
            device.network.repair()
            device.files.restart()
            device.files.fault = nil
            device.restart()
        }
        for round in 0..<3 {
            for (index, device) in devices.enumerated() {
                service.clock.advance(by: round == 0 ? 4000 : 1)
                _ = await device.result(of: .flush)
                await device.settle()
                recordRegistration(index)
            }
        }
        var users: [String: Int] = [:]
        var stored: [String: [String]] = [:]
        for (index, device) in devices.enumerated() {
            // A device that was revoked learns it when it asks.
            let texts = await texts(of: device)
            recordRegistration(index)
            // A copy may have moved this device to another user, which this device doesn't know.
            guard let texts, let user = await user(of: index) else { continue }
            users[user] = index
            stored[user] = texts
        }
        for (index, device) in devices.enumerated() {
            let user = await user(of: index)
            if user != device.registration?.user, !copies.contains(index) {
                faults.append("device \(index) belongs to \(user ?? "nobody"), and doesn't know it")
            }
            log.append(
                "device \(index) of \(user ?? "-"): \(user.flatMap { stored[$0] } ?? []) "
                    + "\(device.last.status.problem.map(\.description) ?? "") "
                    + "\(device.network.requests.suffix(3).map { $0.method + $0.target })")
        }
        await check(stored, users)
        await checkQuiet()
        await checkHeads()
    }

    /// Returns the texts of all archives of the device's user.
    /// Returns the texts of all archives of a device's user. Some may have come from another user by a link.
    private func storedTexts(_ token: String) async -> [String] {
        struct Page: Decodable {
            struct Item: Decodable { var id: String }
            var items: [Item]
        }
        guard let response = await ask("GET", "/v1/scenes/main/archives", token),
            let page = try? JSONDecoder().decode(Page.self, from: Data(response.body))
        else { return [] }
        var texts: [String] = []
        for item in page.items {
            if let text = await text(ofArchive: item.id, token) { texts.append(text) }
        }
        return texts
    }

    private func text(ofArchive id: String, _ token: String) async -> String? {
        guard let response = await ask("GET", "/v1/scenes/main/archives/\(id)", token),
            let archive = try? StateArchive(reading: response.body),
            case .string(let text) = archive.application["text"]
        else { return nil }
        return text
    }

    private func texts(of device: SimulatedDevice) async -> [String]? {
        // A copied device may register again when it asks.
        guard device.registration != nil, let entries = await device.history(), let token = device.registration?.token
        else { return nil }
        var texts: [String] = []
        for entry in entries {
            if let text = await text(ofArchive: entry.archive, token) { texts.append(text) }
        }
        return texts
    }

    private mutating func check(_ stored: [String: [String]], _ users: [String: Int]) async {
        let byText = Dictionary(saves.map { ($0.text, $0) }, uniquingKeysWith: { first, _ in first })
        for (user, texts) in stored {
            if Set(texts).count != texts.count { faults.append("a state is stored twice: \(texts)") }
            let index = users[user] ?? 0
            let account = await account(of: index)
            for text in texts where refused.contains(text) { faults.append("\(text) was refused, and is stored") }
            for text in texts {
                guard let save = byText[text], let savedFor = save.account, savedFor != account else { continue }
                faults.append("\(text) of \(savedFor) is stored for \(account ?? "an anonymous user")")
            }
        }
        checkNothingIsLost(Set(stored.values.joined()).union(await textsOfAccounts()))
    }

    /// Returns the texts of the accounts. A copied device may have signed in with the states of both, and signed out.
    private func textsOfAccounts() async -> [String] {
        var texts: [String] = []
        for (number, name) in Self.names.enumerated() {
            let device = SimulatedDevice(service, .phone, seed: UInt64(number), over: host)
            _ = await device.result(of: .signIn(token: "subject \(name)"))
            texts += await self.texts(of: device) ?? []
        }
        return texts
    }

    private mutating func checkNothingIsLost(_ stored: Set<String>) {
        let parts = Dictionary(grouping: saves.filter(\.isCertain)) { [$0.device, $0.epoch] }
        for part in parts.values {
            // Earlier states of a part were possibly replaced by the last one before they were sent.
            guard let last = part.last, !discarded.contains(last.text) else { continue }
            // A later state may have replaced this one, although it is not sure whether its file was written.
            let later = saves.drop { $0 != last }.filter { $0.device == last.device && $0.epoch == last.epoch }
            guard later.count == 1, !stored.contains(last.text), !isOnDisk(last) else { continue }
            guard !isOfUnreachableUser(last) else { continue }
            faults.append("\(last.text) in part \(last.epoch) is lost")
        }
    }

    /// Whether a file of the device has the state: it waits for its user.
    private func isOnDisk(_ save: Save) -> Bool {
        let files = devices[save.device].files
        return files.paths.contains { path in
            guard path.contains("pending-") || path.contains("sending-"), let bytes = files[path],
                let file = try? ChecksummedFile.decode(Capture.self, bytes),
                let archive = try? StateArchive(reading: file.content)
            else { return false }
            return archive.application["text"] == .string(save.text)
        }
    }

    /// Whether the state was possibly sent for a user that no device has any more.
    private func isOfUnreachableUser(_ save: Save) -> Bool { save.epoch < epochs[save.device] }
}
