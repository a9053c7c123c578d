import PlacekeeperAPI
import PlacekeeperCore
import PlacekeeperJSON
import PlacekeeperService

/// A merge patch (RFC 7396) for an app's settings, in the JSON of the admin API. A patch sets a limit to null to
/// remove it.
struct SettingsPatch {
    private let patch: JSONValue

    init(_ patch: JSONValue) { self.patch = patch }

    /// Returns the changed settings, and an audit log line for each setting that differs, such as `policy.maximumAge:
    /// 30d to 14d`.
    ///
    /// A patch may reorder and remove the keys of sign-in tokens; their secrets are kept. It can't add keys or name a
    /// key file, because only the command checks keys, and only someone with access to the server may choose a file.
    func applied(to settings: App.Settings) throws -> (settings: App.Settings, changes: [String]) {
        guard case .object = patch else { throw Problem.invalid("", "The body must be an object.") }
        let before = try settings.adminJSON
        let merged = before.merged(with: patch).filled(by: try App.Settings.unlimited.json)
            .withEnds {
                $0.text.flatMap { Time(String(decoding: $0, as: UTF8.self)) }.map { .number(Double($0.milliseconds)) }
            }
        var changed: App.Settings = try JSONBody.decode(
            App.Settings.self, from: try JSONBody.document(merged.bytes, depth: 16))
        let after = try changed.json
        if let unknown = merged.unknown(in: after) {
            var problem = Problem(.invalidBody, "There is no such setting.")
            problem.point(to: unknown)
            throw problem
        }
        changed.signIn.keys = try changed.signIn.keys.map { key throws(Problem) in
            guard let known = settings.signIn.keys.first(where: { App.Settings.SignIn.isSame($0, key) }) else {
                throw pointing(to: "keys", "Add keys with the command: placekeeper app keys.")
            }
            return known
        }
        guard changed.signIn.keysFile == nil || changed.signIn.keysFile == settings.signIn.keysFile else {
            throw pointing(to: "keysFile", "Choose a file of keys with the command: placekeeper app keys.")
        }
        guard changed.isBeingDeleted == settings.isBeingDeleted else {
            throw Problem.invalid("isBeingDeleted", "A deletion starts with DELETE, and cannot be stopped.")
        }
        return (changed, try before.differences(from: changed.adminJSON))
    }

    private func pointing(to member: String, _ detail: String) -> Problem {
        var problem = Problem(.invalidBody, detail)
        problem.point(to: ["signIn", member])
        return problem
    }
}

extension App.Settings {
    /// The settings in JSON, with null for each unset limit.
    fileprivate var json: JSONValue {
        get throws { try JSONValue(JSONBody.encode(self), depth: 16, values: .max) }
    }

    /// The settings in the JSON form of the admin API: without the secrets of keys, without null, and with times as
    /// texts.
    var adminJSON: JSONValue {
        get throws {
            var settings = self
            settings.signIn = signIn.withoutSecrets
            return try settings.json.withoutNulls.withEnds {
                $0.number.flatMap(Int64.init(exactly:)).map { .text(Array(Time(milliseconds: $0).description.utf8)) }
            }
        }
    }

    /// Settings in which every optional limit is unset.
    fileprivate static var unlimited: App.Settings {
        var settings = App.Settings()
        settings.policy.maximumAge = nil
        settings.rateLimits.appPerSecond = nil
        settings.quotas = .none
        return settings
    }
}

extension App.Settings.SignIn {
    /// Returns whether a stored key and a key in a patch have the same public members.
    fileprivate static func isSame(_ stored: [String: String], _ given: [String: String]) -> Bool {
        var settings = App.Settings.SignIn()
        settings.keys = [stored, given]
        let keys = settings.withoutSecrets.keys
        return keys[0] == keys[1]
    }
}

extension JSONValue {
    /// Applies a merge patch (RFC 7396 section 2).
    func merged(with patch: JSONValue) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var members: [[UInt8]: JSONValue] = [:]
        if case .object(let own) = self { members = own }
        for (name, change) in changes {
            members[name] = change == .null ? nil : (members[name] ?? .null).merged(with: change)
        }
        return .object(members)
    }

    /// Converts the end times (`until`) in `stoppedRestores`. Keeps a time if `convert` returns nil.
    fileprivate func withEnds(_ convert: (JSONValue) -> JSONValue?) -> JSONValue {
        guard case .object(var members) = self, case .array(let stops)? = self["stoppedRestores"] else { return self }
        let converted = stops.map { stop -> JSONValue in
            guard case .object(var stop) = stop, let end = stop[Array("until".utf8)] else { return stop }
            stop[Array("until".utf8)] = convert(end) ?? end
            return .object(stop)
        }
        members[Array("stoppedRestores".utf8)] = .array(converted)
        return .object(members)
    }

    fileprivate var withoutNulls: JSONValue {
        guard case .object(let members) = self else { return self }
        return .object(members.filter { $0.value != .null }.mapValues(\.withoutNulls))
    }

    /// Adds null for each absent member that is null in `template`.
    fileprivate func filled(by template: JSONValue) -> JSONValue {
        guard case .object(var members) = self, case .object(let known) = template else { return self }
        for (name, value) in known {
            if value == .null, members[name] == nil { members[name] = .null }
            if let own = members[name] { members[name] = own.filled(by: value) }
        }
        return .object(members)
    }

    /// Returns the path of a member that is not in `known`. Nil if there is none.
    fileprivate func unknown(in known: JSONValue) -> [String]? {
        if case .array(let values) = self, case .array(let others) = known {
            for (index, (value, other)) in zip(values, others).enumerated() {
                if let rest = value.unknown(in: other) { return ["\(index)"] + rest }
            }
        }
        guard case .object(let members) = self, case .object(let others) = known else { return nil }
        for (name, value) in members.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) where value != .null {
            let step = String(decoding: name, as: UTF8.self)
            guard let other = others[name] else { return [step] }
            if let rest = value.unknown(in: other) { return [step] + rest }
        }
        return nil
    }

    /// Returns a line for each member that differs, ordered by name. The names of nested members are joined by dots. A
    /// line shows both values if they are short. Of lists, it shows only those of texts, because keys are objects.
    fileprivate func differences(from other: JSONValue) -> [String] {
        guard case .object(let members) = self, case .object(let others) = other else { return [] }
        let names = Set(members.keys).union(others.keys).sorted { $0.lexicographicallyPrecedes($1) }
        return names.flatMap { name -> [String] in
            let step = String(decoding: name, as: UTF8.self)
            let (one, two) = (members[name], others[name])
            guard one != two else { return [] }
            guard case .object? = one, case .object? = two else {
                guard let before = one.shortText, let after = two.shortText else { return [step] }
                return ["\(step): \(before) to \(after)"]
            }
            return (one?.differences(from: two ?? .null) ?? []).map { step + "." + $0 }
        }
    }

    /// A short value as it appears in the audit log. Nil for objects, lists with other values than texts, and what is
    /// longer than 64 bytes.
    fileprivate var shortText: String? {
        switch self {
        case .null: "none"
        case .text(let text) where text.count <= 64: String(decoding: text, as: UTF8.self)
        case .boolean, .number: String(decoding: bytes, as: UTF8.self)
        case .array(let values) where values.allSatisfy({ $0.text != nil }):
            bytes.count <= 64 ? "[" + values.compactMap(\.shortText).joined(separator: ", ") + "]" : nil
        case .text, .array, .object: nil
        }
    }

    /// The value in UTF-8, with sorted members.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .boolean(let isTrue): bytes += (isTrue ? "true" : "false").utf8
        // JSON has no infinity. Write a number that readers reject as too large.
        case .number(let number):
            bytes += (Int64(exactly: number).map { "\($0)" } ?? (number.isFinite ? "\(number)" : "1e999")).utf8
        case .text(let text): bytes.append(json: String(decoding: text, as: UTF8.self))
        case .array(let values):
            for (index, value) in values.enumerated() {
                bytes += (index == 0 ? "[" : ",").utf8
                value.write(to: &bytes)
            }
            bytes += (values.isEmpty ? "[]" : "]").utf8
        case .object(let members):
            let sorted = members.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            for (index, (name, value)) in sorted.enumerated() {
                bytes += (index == 0 ? "{" : ",").utf8
                bytes.append(json: String(decoding: name, as: UTF8.self))
                bytes += ":".utf8
                value.write(to: &bytes)
            }
            bytes += (members.isEmpty ? "{}" : "}").utf8
        }
    }
}

extension JSONValue? {
    /// The text of the value. An absent member has the text of null.
    fileprivate var shortText: String? { (self ?? .null).shortText }
}
