import PlacekeeperCore
import PlacekeeperService
import PlacekeeperTokens

/// A change to the keys for an app's sign-in tokens.
struct KeyChange {
    /// The identifier or the thumbprint of the key to remove.
    var removed: String?
    var added: [JSONWebKey] = []
    /// The new path of the key file. Nil means no change, and an inner nil means no file.
    var file: String??

    /// Reads the options of `app keys`, and the files they name.
    init(_ arguments: Arguments) throws(CommandFailure) {
        let identifier = arguments.value(of: .keyIdentifier)
        if let path = arguments.value(of: .addKey) {
            added += try Self.keys(of: path, identifier: identifier)
        }
        if let path = arguments.value(of: .addSecret) {
            guard added.isEmpty else { throw CommandFailure(.usage, "give either --add or --add-secret, not both") }
            let (bytes, isShared) = try Self.read(path, for: .addSecret)
            if isShared { throw Self.sharedSecret(path) }
            added = [
                try Self.checked(path) { () throws(JSONWebKeyError) in try Self.secret(bytes, identifier: identifier) }
            ]
        }
        guard identifier == nil || !added.isEmpty else {
            throw CommandFailure(.usage, "--kid needs a key to add; give --add FILE or --add-secret FILE")
        }
        removed = arguments.value(of: .removeKey)
        if let path = arguments.value(of: .keysFile) {
            guard path.hasPrefix("/") else {
                throw CommandFailure(.usage, "--file is \(quoted(path)): give an absolute path")
            }
            _ = try KeysReport.usableKeys(of: path)
            file = .some(path)
        }
        if try arguments.isOn(.noKeysFile) {
            guard file == nil else { throw CommandFailure(.usage, "give either --file or --no-file, not both") }
            file = .some(nil)
        }
    }

    /// Changes the settings. Returns false if there is nothing to change.
    func apply(to settings: inout App.Settings.SignIn) throws(CommandFailure) -> Bool {
        guard removed != nil || !added.isEmpty || file != nil else { return false }
        do throws(JSONWebKeyError) {
            var keys = try JSONWebKeySet(members: settings.keys).keys
            if let removed {
                let index = keys.firstIndex { $0.identifier == removed } ?? keys.firstIndex { $0.thumbprint == removed }
                guard let index else {
                    throw JSONWebKeyError(
                        "the app has no key with this identifier or thumbprint; app keys lists the keys")
                }
                keys.remove(at: index)
            }
            let known = Set(keys.map(\.thumbprint))
            guard added.allSatisfy({ !known.contains($0.thumbprint) }) else {
                throw JSONWebKeyError("the app has this key already; app keys lists the keys")
            }
            settings.keys = try JSONWebKeySet(keys + added).keys.map(\.members)
        } catch {
            throw CommandFailure(.failure, "the keys were not changed: \(error.message)")
        }
        if let file { settings.keysFile = file }
        return true
    }

    /// Reads keys from a JWK, a set of JWKs, or PEM.
    private static func keys(of path: String, identifier: String?) throws(CommandFailure) -> [JSONWebKey] {
        let (bytes, isShared) = try read(path, for: .addKey)
        let keys = try checked(path) { () throws(JSONWebKeyError) in try parse(bytes, identifier: identifier) }
        if isShared, keys.contains(where: \.isSecret) { throw sharedSecret(path) }
        return keys
    }

    static func parse(_ bytes: [UInt8], identifier: String?) throws(JSONWebKeyError) -> [JSONWebKey] {
        if bytes.starts(with: "-----BEGIN ".utf8) { return [try JSONWebKey(pem: bytes, identifier: identifier)] }
        let keys = try JSONWebKeySet.keys(json: bytes)
        guard !keys.isEmpty else { throw JSONWebKeyError("it has no key for HS256, RS256 or ES256") }
        guard let identifier else { return keys }
        guard keys.count == 1, keys[0].identifier == nil else {
            throw JSONWebKeyError("--kid is only for one key without an identifier (kid) of its own")
        }
        return [try JSONWebKey(identifier: identifier, material: keys[0].material)]
    }

    static func secret(_ bytes: [UInt8], identifier: String?) throws(JSONWebKeyError) -> JSONWebKey {
        // The line break is probably from an editor or `echo`, and not part of the secret that the backend uses.
        if bytes.last == 0x0A, bytes.dropLast().allSatisfy({ 0x20...0x7E ~= $0 }) {
            throw JSONWebKeyError("the secret ends with a line break; write the file without it")
        }
        return try JSONWebKey(identifier: identifier, material: .secret(bytes))
    }

    private static func checked<Value>(
        _ path: String, _ body: () throws(JSONWebKeyError) -> Value
    ) throws(CommandFailure) -> Value {
        do throws(JSONWebKeyError) {
            return try body()
        } catch {
            throw CommandFailure(.failure, "the keys of \(quoted(path)) cannot be added: \(error.message)")
        }
    }

    /// Returns the content of a file, or of standard input for `-`, and whether other users may read the file.
    private static func read(
        _ path: String, for option: Option
    ) throws(CommandFailure) -> (bytes: [UInt8], isShared: Bool) {
        if path == "-" { return (try Files.read(path, limit: JSONWebKeySet.maximumBytes), false) }
        // Don't repeat the value, because it may be the secret itself by mistake.
        guard Files.exists(path) else {
            throw CommandFailure(
                .failure,
                "there is no file with the name after --\(option.name); give the name of a file, not a key itself")
        }
        let file = try checked(path) { () throws(JSONWebKeyError) in try KeyFile.read(path) }
        return (file.bytes, file.isShared)
    }

    private static func sharedSecret(_ path: String) -> CommandFailure {
        CommandFailure(.failure, "other users may read the secret in \(quoted(path)); make a new secret with mode 600")
    }
}
