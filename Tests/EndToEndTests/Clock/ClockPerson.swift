import PlacekeeperArchive
import PlacekeeperAPI
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A person whose devices send requests to a `ClockWorld`. Remembers every answer.
final class ClockPerson {
    enum Work: CaseIterable {
        case upload, uploadAgain, latest, places, changes, oldChanges, forget, delete, changeItems, listItems, link,
            devices, signIn, replaceToken, outcome, snapshotOfAll, erase
    }

    let name: String
    private(set) var answers: [(request: String, text: String)] = []
    /// The tokens that must be valid.
    private var tokens: [String] = []
    private var random: SplitMix
    private var uploads: [String] = []

    init(_ name: String, seed: UInt64) {
        self.name = name
        random = SplitMix(state: seed)
    }

    @discardableResult
    private func send(
        _ world: ClockWorld, _ method: String, _ target: String, token: String? = nil,
        fields: [(String, String)] = [], body: [UInt8] = []
    ) async throws -> ClockWorld.Answer {
        let answer = try await world.send(name, method, target, token: token, fields: fields, body: body)
        answers.append(("\(method) \(target)", answer.text))
        return answer
    }

    private func send(
        _ world: ClockWorld, _ method: String, _ target: String, token: String? = nil, json: [String: String]
    ) async throws -> ClockWorld.Answer {
        try await send(
            world, method, target, token: token, fields: [("Content-Type", "application/json")],
            body: Array(try JSONEncoder().encode(json)))
    }

    /// Does one piece of work. All random choices are made here, so a person with the same seed does the same.
    func work(_ work: Work, in world: ClockWorld) async throws {
        if tokens.isEmpty { try await register(["app": world.key, "idiom": "phone"], in: world) }
        let token = random.pick(tokens.isEmpty ? [""] : tokens)
        switch work {
        case .upload, .uploadAgain: try await upload(by: token, in: world)
        case .latest:
            try await send(
                world, "GET", "/v1/scenes/main/archives/latest?idiom=phone&bundleVersion=42", token: token)
        case .places: try await send(world, "GET", "/v1/places?idiom=phone&bundleVersion=42", token: token)
        case .changes: try await send(world, "GET", "/v1/changes?after=0", token: token)
        case .oldChanges: try await send(world, "GET", "/v1/changes?after=\(random.below(20))", token: token)
        case .forget: try await send(world, "DELETE", "/v1/scenes/main", token: token)
        case .delete:
            if let path = uploads.last { try await send(world, "DELETE", path, token: token) }
        case .changeItems:
            let number = random.below(5)
            let items = #"{"upserts":[{"identifier":"\#(number)","aliases":["asset:\#(number)"]}],"removals":[]}"#
            try await send(
                world, "PATCH", "/v1/data-sources/photos/items", token: token,
                fields: [("Content-Type", "application/json")], body: Array(items.utf8))
        case .listItems: try await send(world, "GET", "/v1/data-sources/photos/items", token: token)
        case .link:
            let answer = try await send(world, "POST", "/v1/link-codes", token: token)
            guard let code = try? JSONDecoder().decode(Wire.LinkCode.self, from: Data(answer.body)) else { return }
            let expected = tokens.count < 5
            let joined = try await register(["app": world.key, "idiom": "phone", "linkCode": code.code], in: world)
            if expected { #expect(joined.status == 201, "a link code is valid: \(joined.text)") }
        case .devices: try await send(world, "GET", "/v1/devices", token: token)
        case .signIn: try await signIn(in: world)
        case .replaceToken:
            let answer = try await send(world, "POST", "/v1/devices/self/token", token: token)
            guard let new = try? JSONDecoder().decode(Wire.NewToken.self, from: Data(answer.body)) else { return }
            tokens.removeAll { $0 == token }
            tokens.append(new.token)
        case .outcome:
            guard let path = uploads.last else { return }
            _ = try await send(
                world, "POST", path + "/outcomes", token: token,
                json: [
                    "result": random.pick(["began", "restored", "failed"]), "idiom": "phone", "bundleVersion": "42",
                ])
        case .snapshotOfAll: try await send(world, "GET", "/v1/manifest", token: token)
        case .erase:
            if try await send(world, "DELETE", "/v1/users/self", token: token).status == 204 { forgetAll() }
        }
    }

    /// Declares the data source of the app, which is the same for all persons.
    func declareDataSource(in world: ClockWorld) async throws {
        try await register(["app": world.key, "idiom": "phone"], in: world)
        _ = try await send(world, "PUT", "/v1/data-sources/photos", token: tokens.first, json: ["scope": "registered"])
    }

    private func forgetAll() {
        tokens = []
        uploads = []
    }

    private func upload(by token: String, in world: ClockWorld) async throws {
        let archive = StateArchive(
            bundleVersion: "42", idiom: 0, application: ["draft": .string("\(random.next())")])
        let id = UUID(
            uuid: (
                1, 2, 3, 4, 5, 6, 0x40, 8, 0x80, 10, 11, 12, 13, 14, UInt8(random.below(256)), UInt8(random.below(256))
            ))
        let path = "/v1/scenes/main/archives/\(id.uuidString.lowercased())"
        let age = random.pick([0, 0, 1, 60, 3600, 86_400])
        let answer = try await send(
            world, "PUT", path + "?idiom=phone&bundleVersion=42", token: token,
            fields: [("Content-Type", "application/x-plist"), ("Interaction-Age", "\(age)")],
            body: try archive.encoded())
        if answer.status == 201 { uploads.append(path) }
    }

    @discardableResult
    private func register(_ body: [String: String], in world: ClockWorld) async throws -> ClockWorld.Answer {
        let answer = try await send(world, "POST", "/v1/devices", json: body)
        if let new = try? JSONDecoder().decode(Wire.Registered.self, from: Data(answer.body)) {
            tokens.append(new.token)
        }
        return answer
    }

    /// Registers a device with a sign-in token, whose times the service must judge by the system's clock with a tolerance
    /// of 60 seconds. A person's devices belong to one account, so the tokens of an earlier user are given up.
    private func signIn(in world: ClockWorld) async throws {
        let (from, end, isValid): (Int64?, Int64, Bool) = random.pick([
            (nil, 3600, true), (nil, 1, true), (nil, -30, true), (nil, -120, false), (nil, -86_400, false),
            (30, 3600, true), (120, 3600, false), (172_800, 200_000, false),
        ])
        let token = world.signInToken(of: name, from: from, until: end)
        if isValid { forgetAll() }
        let answer = try await register(["app": world.key, "idiom": "phone", "signInToken": token], in: world)
        // A user can have a limited number of devices.
        #expect(
            answer.status == (isValid ? 201 : 401) || isValid && answer.status == 409,
            "\(name) signs in with nbf \(from ?? 0) and exp \(end): \(answer.text)")
    }

    /// Checks that the person's data was not erased, and that no token became invalid.
    func expectValidTokens(in world: ClockWorld) async throws {
        for token in tokens {
            let answer = try await send(world, "GET", "/v1/devices/self", token: token)
            #expect(answer.status == 200, "\(name): \(answer.text)")
        }
    }
}
