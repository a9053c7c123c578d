import PlacekeeperCore
import PlacekeeperService

/// A small model of the promises about users, devices and accounts. It knows nothing of the service's code.
///
/// Each method foretells the result of one call from the model, compares it with the service's answer, and changes the
/// model. It returns a complaint if the answer is different. The identifiers in the model are the identifiers that the
/// service gave.
struct AccountOracle {
    enum Joins: Sendable { case newUser, code(String), account(String) }

    /// A user.
    struct Home {
        var user: UserKey
        var subject: String?
        var archives: Set<ArchiveID> = []
        var deleted: Set<ArchiveID> = []
        var isErased = false
    }

    struct KnownDevice {
        var home: Int
        var installation: Int?
        var tokens: [String: Timestamp] = [:]
    }

    private struct Code {
        var home: Int
        var expiresAt: Timestamp
        var user: DeviceID?
    }

    typealias Answer<Value> = Result<Value, ServiceError>

    private(set) var homes: [Home] = []
    private(set) var devices: [DeviceID: KnownDevice] = [:]
    /// The archives that a person or a move removed.
    private(set) var removed: Set<ArchiveID> = []
    private var makers: [ArchiveID: DeviceID] = [:]
    private var codes: [String: Code] = [:]

    private static let never = Timestamp(milliseconds: .max)

    // Questions

    func device(ofInstallation installation: Int) -> DeviceID? {
        devices.first { $0.value.installation == installation }?.key
    }

    /// Returns the device of a token that is valid at a time.
    func device(of token: String, at now: Timestamp) -> DeviceID? {
        devices.first { $0.value.tokens[token].map { now < $0 } ?? false }?.key
    }

    func home(of device: DeviceID) -> Home? { devices[device].map { homes[$0.home] } }

    /// Returns the devices of a device's user, the device included.
    func neighbors(of device: DeviceID) -> [DeviceID] {
        devices[device].map { devices(in: $0.home).sorted() } ?? []
    }

    func devices(in home: Int) -> Set<DeviceID> { Set(devices.filter { $0.value.home == home }.keys) }

    // Registration

    mutating func register(
        _ installation: Int?, isClone: Bool = false, _ joins: Joins, _ answer: Answer<(device: Device, token: String)>,
        at now: Timestamp
    ) -> String? {
        guard let installation, let known = device(ofInstallation: installation) else {
            return add(installation, joins, answer, at: now)
        }
        if isClone { return refusal(.installationCloned, answer) }
        let device = answer.map(\.device)
        switch joins {
        case .newUser: break
        case .code(let code):
            if let complaint = link(known, with: code, device, at: now) { return complaint }
        case .account(let subject):
            if let complaint = signIn(known, to: subject, device) { return complaint }
        }
        guard case .success(let registered) = answer else {
            // `link` and `signIn` foretold a refusal. A new user is never refused.
            if case .newUser = joins { return "registered again: \(answer)" }
            return nil
        }
        if case .newUser = joins, let complaint = stays(known, registered.device) { return complaint }
        replaceToken(of: known, by: registered.token, presented: nil, revokesPrevious: false, at: now)
        return nil
    }

    private mutating func add(
        _ installation: Int?, _ joins: Joins, _ answer: Answer<(device: Device, token: String)>, at now: Timestamp
    ) -> String? {
        var target: Int?
        var subject: String?
        switch joins {
        case .newUser: break
        case .code(let code):
            guard let found = valid(code, at: now), found.user == nil else { return refusal(.linkCodeInvalid, answer) }
            target = found.home
        case .account(let name):
            target = home(ofSubject: name)
            subject = name
        }
        guard case .success(let registered) = answer else { return "not registered: \(answer)" }
        let device = registered.device
        if devices[device.id] != nil { return "a new device has the id of another device" }
        guard let home = enter(target, subject, device) else { return "the new device has a wrong user" }
        if case .code(let code) = joins { codes[code]?.user = device.id }
        devices[device.id] = KnownDevice(
            home: home, installation: installation, tokens: [registered.token: Self.never])
        return nil
    }

    mutating func replaceToken(
        of device: DeviceID, by token: String, presented: String?, revokesPrevious: Bool, at now: Timestamp
    ) {
        var tokens = devices[device]?.tokens ?? [:]
        if revokesPrevious {
            tokens = [:]
        } else if let presented, tokens[presented] != nil {
            tokens = tokens.filter { $0.key == presented }
        } else {
            tokens = tokens.filter { $0.value == Self.never }
        }
        tokens = tokens.mapValues { min($0, now + .seconds(60)) }
        tokens[token] = Self.never
        devices[device]?.tokens = tokens
    }

    // Accounts

    /// - Parameter owner: the user to which the request's device belonged when the request was authenticated. Nil if no
    ///   other request came between.
    mutating func signIn(
        _ device: DeviceID, of owner: UserKey? = nil, to subject: String, _ answer: Answer<Device>
    ) -> String? {
        guard let place = devices[device]?.home, owner == nil || homes[place].user == owner else {
            return refusal(.callerGone, answer)
        }
        if let own = homes[place].subject {
            return own == subject ? stays(device, answer) : refusal(.signedIn, answer)
        }
        let target = home(ofSubject: subject)
        if target == nil, devices(in: place).count == 1 {
            homes[place].subject = subject
            dropUnusedCodes(of: place)
            return stays(device, answer)
        }
        return move(device, to: target, subject, answer)
    }

    mutating func signOut(
        _ device: DeviceID, of owner: UserKey, registersAnew: Bool, _ answer: Answer<(device: Device, token: String)?>
    ) -> String? {
        guard let known = devices[device], homes[known.home].user == owner else { return refusal(.callerGone, answer) }
        guard homes[known.home].subject != nil else { return refusal(.notSignedIn, answer) }
        guard case .success(let replacement) = answer else { return "not signed out: \(answer)" }
        leave(device)
        guard registersAnew else { return replacement == nil ? nil : "the device was replaced" }
        guard let replacement, devices[replacement.device.id] == nil, replacement.device.id != device,
            let home = enter(nil, nil, replacement.device)
        else { return "the device was not replaced" }
        devices[replacement.device.id] = KnownDevice(
            home: home, installation: known.installation, tokens: [replacement.token: Self.never])
        return nil
    }

    mutating func revoke(_ device: DeviceID, of owner: UserKey, _ answer: Answer<Void>) -> String? {
        guard home(of: device)?.user == owner else { return refusal(.deviceNotFound, answer) }
        guard case .success = answer else { return "not revoked: \(answer)" }
        leave(device)
        return nil
    }

    mutating func erase(_ owner: UserKey) {
        guard let home = homes.firstIndex(where: { $0.user == owner }), !homes[home].isErased else { return }
        for device in devices(in: home) { leave(device) }
        removed.formUnion(homes[home].archives)
        homes[home].archives = []
        homes[home].subject = nil
        homes[home].isErased = true
    }

    // Link codes

    mutating func makeCode(_ code: String, by device: DeviceID, at now: Timestamp) {
        guard let home = devices[device]?.home else { return }
        codes[code] = Code(home: home, expiresAt: now + .seconds(600))
    }

    mutating func link(
        _ device: DeviceID, of owner: UserKey? = nil, with code: String, _ answer: Answer<Device>, at now: Timestamp
    ) -> String? {
        guard let place = devices[device]?.home, owner == nil || homes[place].user == owner,
            let found = valid(code, at: now)
        else { return refusal(.linkCodeInvalid, answer) }
        if let user = found.user {
            return user == device && found.home == place ? stays(device, answer) : refusal(.linkCodeInvalid, answer)
        }
        if found.home != place {
            if homes[place].subject != nil { return refusal(.signedIn, answer) }
            if let complaint = move(device, to: found.home, nil, answer) { return complaint }
        } else if let complaint = stays(device, answer) {
            return complaint
        }
        codes[code]?.user = device
        return nil
    }

    // Archives

    /// Returns whether an upload must be stored or be known. Nil if the upload must be refused.
    mutating func upload(_ archive: ArchiveID, by device: DeviceID, of owner: UserKey) -> Bool {
        guard let home = devices[device]?.home, homes[home].user == owner, !homes[home].deleted.contains(archive)
        else { return false }
        if homes[home].archives.insert(archive).inserted { makers[archive] = device }
        return true
    }

    mutating func delete(_ archive: ArchiveID, of owner: UserKey) {
        guard let home = homes.firstIndex(where: { $0.user == owner }), homes[home].archives.remove(archive) != nil
        else { return }
        homes[home].deleted.insert(archive)
        removed.insert(archive)
    }

    // Parts

    private func valid(_ code: String, at now: Timestamp) -> Code? {
        codes[code].flatMap { now < $0.expiresAt ? $0 : nil }
    }

    private func home(ofSubject subject: String) -> Int? { homes.firstIndex { $0.subject == subject } }

    /// Returns the home that a device entered. Adds the home if it is new. Nil if the device has another user.
    private mutating func enter(_ target: Int?, _ subject: String?, _ device: Device) -> Int? {
        if let target { return homes[target].user == device.owner ? target : nil }
        guard !homes.contains(where: { $0.user == device.owner }) else { return nil }
        homes.append(Home(user: device.owner, subject: subject))
        return homes.count - 1
    }

    /// Removes a device with its tokens, and all link codes of its user.
    private mutating func leave(_ device: DeviceID) {
        guard let home = devices.removeValue(forKey: device)?.home else { return }
        codes = codes.filter { $0.value.home != home }
    }

    private mutating func move(
        _ device: DeviceID, to target: Int?, _ subject: String?, _ answer: Answer<Device>
    ) -> String? {
        guard case .success(let moved) = answer else { return "not moved: \(answer)" }
        guard moved.id == device, let source = devices[device]?.home, let target = enter(target, subject, moved) else {
            return "moved to a wrong user"
        }
        let isLast = devices(in: source).count == 1
        for archive in homes[source].archives where isLast || makers[archive] == device {
            homes[source].archives.remove(archive)
            if homes[target].deleted.contains(archive) {
                removed.insert(archive)
            } else {
                homes[target].archives.insert(archive)
            }
        }
        devices[device]?.home = target
        if isLast { dropUnusedCodes(of: source) }
        return nil
    }

    private mutating func dropUnusedCodes(of home: Int) {
        codes = codes.filter { $0.value.home != home || $0.value.user != nil }
    }

    private func stays(_ device: DeviceID, _ answer: Answer<Device>) -> String? {
        guard case .success(let found) = answer else { return "refused: \(answer)" }
        return stays(device, found)
    }

    private func stays(_ device: DeviceID, _ found: Device) -> String? {
        found.id == device && found.owner == home(of: device)?.user ? nil : "another device or user: \(found)"
    }

    private func refusal<Value>(_ code: ServiceError.Code, _ answer: Answer<Value>) -> String? {
        if case .failure(let error) = answer, error.code == code { return nil }
        return "expected \(code.rawValue), got \(answer)"
    }
}
