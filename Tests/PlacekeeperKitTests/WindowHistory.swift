import Foundation
import PlacekeeperArchive
import PlacekeeperConcurrency
import PlacekeeperRuntime
import PlacekeeperTesting

@testable import PlacekeeperClient
@testable import PlacekeeperKit
import PlacekeeperSceneStorage

/// A random history of two devices that several people use. People type, navigate, take offers, sign in and out, link
/// and erase, while launches and saves are on their way, windows are closed before their launch has ended, and the app
/// is updated, killed and without a connection.
///
/// Each text names the person who typed it, such as `ann-12`, or `guest3-4` before the sign-in. A guest's texts go
/// along to the account that the guest signs in to. What a guest types while an erasure waits for its answer belongs to
/// the device's next user. No other text appears under another account.
@MainActor
final class WindowHistory {
    /// A device, and what its app has in memory.
    final class Phone {
        let device: VirtualDevice
        var windows: [(place: KeptPlace, navigator: ValueNavigator<[Route]>)] = []
        var person: String
        /// The state of the scene `raw`, which the app saves itself. A bad app keeps it when the account changes.
        var memory = ""
        var isLaunchingRaw = false
        var storage: KeptSceneStorage?
        /// The items of the app, and those of the person before.
        var items: [String] = []
        var oldItems: [String] = []
        /// The device that the service registered.
        var registered: String?
        /// The number of changes of the account that are noted, and the person's id after the last one.
        var noted = 0
        var owner: String?
        /// The answers about accounts.
        let answers = LockBox<[(TransportRequest, TransportResponse)]>([])
        var version = 1

        init(_ device: VirtualDevice, _ person: String) {
            self.device = device
            self.person = person
            device.network.transport.onAnswer = { [answers] request, response in
                let isAboutAccount = request.method == "POST" && request.target.hasPrefix("/v1/devices")
                if isAboutAccount { answers.withLock { $0.append((request, response)) } }
            }
        }
    }

    let service: TestService
    var phones: [Phone] = []
    private var random: SeededRandom
    var number = 0
    /// The accounts to which the guests' texts belong.
    var accounts: [String: String] = [:]
    /// For guests who asked for their erasure, the number of the last text before, and the device's next users.
    private var erasures: [String: Int] = [:]
    var successors: [String: String] = [:]
    /// The accounts and the guests of users, and the guests of tokens.
    var names: [String: String] = [:]
    var guests: [String: String] = [:]
    var tokens: [String: String] = [:]
    private var tasks: [Task<Void, Never>] = []
    private(set) var faults: [String] = []
    var log: [String] = []

    private static let scenes = ["main", "side", "raw", "stored"]
    static let names = ["ann", "ben"]

    init(seed: UInt64) async throws {
        service = try await TestService()
        random = SeededRandom(seed &* 0x9E37_79B9)
        for _ in 0..<2 {
            number += 1
            phones.append(Phone(service.device(.phone), "guest\(number)"))
        }
    }

    private func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    func run(actions: Int) async throws {
        for phone in phones { open("main", on: phone) }
        for action in 0..<actions {
            await service.settle()
            let index = below(phones.count)
            let phone = phones[index]
            noteAccounts()
            let kind = below(32)
            let account = phone.device.placekeeper.status.account
            log.append("\(action): phone \(index) of \(phone.person), \(kind), \(account)")
            try await act(kind, phone)
            await service.settle()
            noteAccounts()
            for phone in phones { check(phone) }
        }
        try await end()
    }

    // MARK: - Actions

    private func act(_ kind: Int, _ phone: Phone) async throws {
        let placekeeper = phone.device.placekeeper
        switch kind {
        case 0..<5: type(phone)
        case 5: phone.windows.randomElement(using: &random)?.place.save(isInteraction: below(2) == 0)
        case 6, 7:
            let task = open(["main", "side"][below(2)], on: phone)
            if below(2) == 0 { task.cancel() }
        case 8: if phone.windows.count > 1 { phone.windows.remove(at: below(phone.windows.count)) }
        case 9: takeOffer(phone)
        case 10: start { try? await placekeeper.flush() }
        case 11, 12, 13:
            let name = Self.names[below(2)]
            start {
                let token = TestService.signInToken(of: name)
                try? await placekeeper.signIn { token }
            }
        case 14, 15, 16:
            let pending: Placekeeper.UnsentStates = [.keep, .discard, .send(within: .seconds(3))][below(3)]
            start { try? await placekeeper.signOut(unsent: pending) }
        case 17:
            if phone.person.hasPrefix("guest"), erasures[phone.person] == nil { erasures[phone.person] = number }
            start { try? await placekeeper.deleteAccount() }
        case 18: link(phone)
        case 19: try await revoke(phone)
        case 20: phone.device.network.fault = .slow(.seconds(Double(1 + below(8))) / 10)
        case 21: phone.device.network.fault = .offline
        case 22: phone.device.network.failNext([.lostAnswer, .lostRequest, .captivePortal][below(3)])
        case 23:
            phone.device.network.repair()
            // Calls that wait end one after another, so that the history sees each change of the account.
            phone.device.network.fault = .slow(.seconds(0.1))
        case 24, 25: await pass(below(40))
        case 26: restart(phone)
        case 27:
            phone.version += below(2) == 0 ? 1 : -1
            phone.device.configuration.device.bundleVersion = "\(max(1, phone.version))"
            restart(phone)
        case 28: useRawScene(phone)
        case 29: useStorage(phone)
        case 30: tellItems(phone)
        default:
            // The person has signed out, and at once does something else.
            start { try? await placekeeper.signOut(unsent: .keep) }
            type(phone)
        }
    }

    /// Lets time pass in steps in which the account changes at most once.
    private func pass(_ steps: Int) async {
        for _ in 0..<steps {
            await service.advance(by: 0.05)
            noteAccounts()
        }
    }

    private func start(_ work: @escaping @MainActor () async -> Void) { tasks.append(Task { await work() }) }

    private func text(of phone: Phone) -> String {
        number += 1
        log.append("  \(phone.person) writes \(number)")
        return "\(phone.person)-\(number)"
    }

    /// The person types or navigates in a window that shows the present account.
    private func type(_ phone: Phone) {
        guard let window = phone.windows.randomElement(using: &random), isReady(window.place), isNoted(phone) else {
            return
        }
        switch below(4) {
        case 0:
            window.navigator.path.append(.search(text: text(of: phone)))
            window.place.noteNavigation()
        case 1: window.place.setValue(text(of: phone), forKey: "title")
        default: window.place.setValue(text(of: phone), forKey: "draft")
        }
    }

    /// Whether the history knows who uses the device at this moment, so that a text gets the right name.
    private func isNoted(_ phone: Phone) -> Bool { phone.device.accounts.count == phone.noted }

    private func isReady(_ place: KeptPlace) -> Bool {
        !place.needsFirstScreen && place.restoring == nil && place.account == place.scene.account
    }

    @discardableResult
    private func open(_ scene: String, on phone: Phone) -> Task<Void, Never> {
        let navigator = ValueNavigator<[Route]>(lists: [Shelf().list])
        let place = KeptPlace(
            phone.device.placekeeper.scene(scene), navigator: navigator, device: phone.device.configuration.device)
        phone.windows.append((place, navigator))
        let task = Task { _ = await place.launch() }
        tasks.append(task)
        return task
    }

    private func takeOffer(_ phone: Phone) {
        guard let window = phone.windows.randomElement(using: &random) else { return }
        start {
            if let offer = await window.place.scene.launch().offer { _ = try? await window.place.take(offer) }
        }
    }

    private func link(_ phone: Phone) {
        let other = phones.first { $0 !== phone } ?? phone
        // Two guests would become one user.
        guard phone.person.hasPrefix("guest"), !other.person.hasPrefix("guest") else { return }
        start {
            guard let code = try? await other.device.placekeeper.linkCode() else { return }
            try? await phone.device.placekeeper.link(code.code)
        }
    }

    private func restart(_ phone: Phone) {
        phone.device.kill()
        (phone.windows, phone.storage, phone.memory, phone.isLaunchingRaw, phone.oldItems) = ([], nil, "", false, [])
        open("main", on: phone)
        if below(2) == 0 { open("main", on: phone) }
    }

    /// The app saves its memory, or launches the scene and takes what it gets.
    private func useRawScene(_ phone: Phone) {
        guard !phone.isLaunchingRaw else { return }
        let scene = phone.device.placekeeper.scene("raw")
        guard below(2) == 0 else {
            phone.isLaunchingRaw = true
            let device = phone.device.placekeeper
            return start {
                let launch = await scene.launch()
                guard phone.device.placekeeper === device else { return }
                phone.isLaunchingRaw = false
                phone.memory = ""
                if case .string(let text) = launch.restore?.archive.application["text"] { phone.memory = text }
            }
        }
        guard isNoted(phone) else { return }
        if phone.memory.isEmpty { phone.memory = text(of: phone) }
        scene.save(StateArchive(bundleVersion: "1", idiom: 0, application: ["text": .string(phone.memory)]))
        scene.noteInteraction()
    }

    private func useStorage(_ phone: Phone) {
        let scene = phone.device.placekeeper.scene("stored")
        guard let storage = phone.storage, below(3) > 0 else {
            let device = phone.device.placekeeper
            return start {
                let storage = KeptSceneStorage(scene, await scene.launch())
                if phone.device.placekeeper === device { phone.storage = storage }
            }
        }
        guard isNoted(phone) else { return }
        var archive = storage.readArchive().flatMap { try? StateArchive(reading: $0) }
        if archive == nil || below(2) == 0 {
            guard storage.isPresent else { return }
            archive = StateArchive(bundleVersion: "1", idiom: 0, application: ["text": .string(text(of: phone))])
        }
        scene.noteInteraction()
        if let bytes = try? archive?.encoded() { storage.writeArchive(bytes) }
    }

    private func tellItems(_ phone: Phone) {
        guard isNoted(phone) else { return }
        let list = phone.device.placekeeper.list("books")
        // A bad app still tells the items of the person who has just signed out.
        guard phone.device.placekeeper.status.account != .signedOut else {
            return list.update(phone.oldItems.map { .init($0) })
        }
        phone.items.append(text(of: phone))
        list.update(phone.items.map { .init($0) })
    }

    // MARK: - What appears

    private func mayHave(_ text: Substring, _ person: String) -> Bool {
        let (writer, number) = (String(text.prefix { $0 != "-" }), Int(text.drop { $0 != "-" }.dropFirst()) ?? 0)
        return mayHave(writer, number, person)
    }

    private func mayHave(_ writer: String, _ number: Int, _ person: String) -> Bool {
        if writer == person || accounts[writer].map({ $0 == person || accounts[$0] == person }) == true { return true }
        guard let last = erasures[writer], number > last, let next = successors[writer] else { return false }
        return mayHave(next, number, person)
    }

    private static func texts(in bytes: [UInt8]) -> Set<Substring> {
        let text = String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self)
        return Set(text.matches(of: /(ann|ben|guest[0-9]+)-[0-9]+/).map(\.output.0))
    }

    /// Checks what the windows show.
    private func check(_ phone: Phone) {
        for (place, navigator) in phone.windows where isReady(place) {
            let shown = "\(place.content.values) \(place.content.placeValues) \(navigator.path)"
            for text in Self.texts(in: Array(shown.utf8)) where !mayHave(text, phone.person) {
                faults.append("\(phone.person) sees \(text)")
            }
        }
    }

    // MARK: - The service

    private func answer(
        _ method: String, _ target: String, _ token: String? = nil, _ json: [String: String]? = nil
    ) async throws -> [UInt8] {
        var fields: [TransportRequest.Field] = []
        if let token { fields.append(.init("Authorization", "Bearer " + token)) }
        if json != nil { fields.append(.init("Content-Type", "application/json")) }
        let body = try json.map { [UInt8](try JSONEncoder().encode($0)) } ?? []
        return try await service.answer(TransportRequest(method, target, fields: fields, body: body)).body
    }

    private func export(_ token: String) async throws -> [UInt8] {
        let bytes = LockBox<[UInt8]>([])
        let fields = [TransportRequest.Field("Authorization", "Bearer " + token)]
        try await service.stream(TransportRequest("GET", "/v1/export", fields: fields)) { piece in
            bytes.withLock { $0 += piece }
            return true
        }
        let exported = bytes.withLock { $0 }
        if exported.isEmpty { faults.append("the export of a user is empty") }
        return exported
    }

    private struct Registered: Decodable {
        var token: String
    }

    private func token(of account: String) async throws -> String {
        let body = ["app": service.key, "idiom": "phone", "signInToken": TestService.signInToken(of: account)]
        let answer = try await answer("POST", "/v1/devices", nil, body)
        return try JSONDecoder().decode(Registered.self, from: Data(answer)).token
    }

    /// Another device of the person ends the registration of this one.
    private func revoke(_ phone: Phone) async throws {
        guard let registered = phone.registered, Self.names.contains(phone.person) else { return }
        _ = try await answer("DELETE", "/v1/devices/\(registered)", try await token(of: phone.person))
    }

    private func end() async throws {
        for phone in phones { phone.device.network.repair() }
        // A call that waits after a failure is repeated up to a minute later.
        for phone in phones { phone.device.network.fault = .slow(.seconds(1)) }
        for _ in 0..<160 {
            await service.advance(by: 0.4)
            noteAccounts()
        }
        for phone in phones { phone.device.network.repair() }
        noteAccounts()
        for phone in phones { restart(phone) }
        await service.advance(by: 60)
        for phone in phones { try? await phone.device.placekeeper.flush() }
        noteAccounts()
        for phone in phones { check(phone) }
        for task in tasks { task.cancel() }
        for name in Self.names {
            let token = try await token(of: name)
            var stored = try await export(token)
            for scene in Self.scenes {
                let list = try await answer("GET", "/v1/scenes/\(scene)/archives", token)
                let text = String(decoding: list, as: UTF8.self)
                for id in Set(text.matches(of: /"id" *: *"([0-9a-f-]{36})"/).map(\.output.1)) {
                    stored += try await answer("GET", "/v1/scenes/\(scene)/archives/\(id)", token)
                }
            }
            for text in Self.texts(in: stored) where !mayHave(text, name) {
                faults.append("\(name)'s account has \(text)")
            }
        }
    }
}

extension KeptSceneStorage {
    /// Whether the storage belongs to the present account.
    fileprivate var isPresent: Bool { owner == scene.account.owner }
}
